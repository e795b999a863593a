export { ControlPlane } from "./control-plane.js";
export type { LastProblem, ProxyUrl } from "./control-plane.js";
export type {
  AdoptControlPlaneArgs,
  ControlPlaneArgs,
  ControlPlaneLocation,
  CreateControlPlaneArgs,
  DeletionGuards,
  ProxyUrlArgs,
} from "./control-plane-arguments.js";
export { ControlPlaneSet } from "./control-plane-set.js";
export type { ControlPlaneSetArgs, ControlPlaneSetMember } from "./control-plane-set.js";
export type { FoundControlPlane } from "./lookups/found-control-plane.js";
export { getControlPlane } from "./lookups/one-control-plane.js";
export type { GetControlPlaneArgs } from "./lookups/one-control-plane.js";
export type { LookUpLocation } from "./lookups/plain-arguments.js";
export { selectControlPlanes } from "./lookups/select-control-planes.js";
export type { SelectControlPlanesArgs } from "./lookups/selection-arguments.js";
