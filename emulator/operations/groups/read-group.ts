import type { ControlPlane } from "../../control-planes/stored-control-plane.js";
import { invalidParameters } from "../../service/refusal.js";

/** Throws a Refusal if a control plane is not a group. */
export function requireGroup({ config }: ControlPlane): void {
  if (config.cluster_type === "CLUSTER_TYPE_CONTROL_PLANE_GROUP") return;
  throw invalidParameters([
    { field: "id", reason: "must be the id of a control plane group", rule: "invalid" },
  ]);
}
