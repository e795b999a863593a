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
export { getControlPlane, selectControlPlanes } from "./loading-lookups.js";
export type { GetControlPlaneArgs } from "./lookups/one-control-plane.js";
export type { LookUpLocation } from "./lookups/plain-arguments.js";
export type { ExcludedControlPlanes } from "./lookups/exclusions.js";
export type { SelectControlPlanesArgs } from "./lookups/selection-arguments.js";
