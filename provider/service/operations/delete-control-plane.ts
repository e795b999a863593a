import { controlPlanePath } from "./control-plane-ref.js";
import type { Operation } from "./operation.js";

/** Deletes one control plane. Only 204 proves that it is deleted. Source: specification part 4. */
export function deleteControlPlane(id: string): Operation<"deleted"> {
  return {
    name: "delete-control-plane",
    method: "DELETE",
    path: controlPlanePath(id),
    idempotent: true,
    parse: ({ status }) => (status === 204 ? { kind: "result", result: "deleted" } : { kind: "unproven" }),
  };
}
