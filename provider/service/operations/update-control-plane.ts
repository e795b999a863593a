import { parseControlPlaneReply } from "./get-control-plane.js";
import type { ControlPlaneDocument } from "./control-plane-document.js";
import { type ControlPlaneChanges, requestBody } from "./control-plane-request.js";
import { controlPlanePath } from "./control-plane-ref.js";
import type { Operation } from "./operation.js";

/**
 * Changes a control plane. Members that are not sent stay as they are. It may be sent again, because it holds whole
 * values: twice has the same effect as once. Source: Control Planes API v2, `update-control-plane`.
 */
export function updateControlPlane(
  id: string,
  changes: ControlPlaneChanges,
): Operation<ControlPlaneDocument> {
  return {
    name: "update-control-plane",
    method: "PATCH",
    path: controlPlanePath(id),
    body: requestBody(changes),
    idempotent: true,
    parse: (reply) => parseControlPlaneReply(reply, id),
  };
}
