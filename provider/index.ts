export { ControlPlane } from "./control-plane.js";
export type { ControlPlaneArgs, LastProblem } from "./control-plane.js";
