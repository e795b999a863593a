import { parseJsonObject } from "../../text/json.js";
import { type ControlPlaneDocument, parseControlPlane } from "./control-plane-document.js";
import { type NewControlPlane, requestBody } from "./control-plane-request.js";
import type { Operation } from "./operation.js";

/**
 * Creates a control plane. Only 201 with a control plane of that name proves it. It must not be sent again when it may
 * have worked, because the service has no idempotency key. Source: Control Planes API v2, `create-control-plane`.
 */
export function createControlPlane(wanted: NewControlPlane): Operation<ControlPlaneDocument> {
  return {
    name: "create-control-plane",
    method: "POST",
    path: "/control-planes",
    body: requestBody(wanted),
    idempotent: false,
    parse({ status, body, bodyEnd }) {
      const result =
        status === 201 && bodyEnd === "complete" ? parseControlPlane(parseJsonObject(body)) : undefined;
      return result?.name === wanted.name ? { kind: "result", result } : { kind: "unproven" };
    },
  };
}
