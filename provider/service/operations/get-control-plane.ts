import type { Reply } from "../http/answer.js";
import { parseJsonObject } from "../../text/json.js";
import { type ControlPlaneDocument, parseControlPlane } from "./control-plane-document.js";
import { controlPlanePath } from "./control-plane-ref.js";
import type { Operation } from "./operation.js";

/** Reads one control plane. Source: the service's public API, `get-control-plane`. */
export function getControlPlane(id: string): Operation<ControlPlaneDocument> {
  return {
    name: "get-control-plane",
    method: "GET",
    path: controlPlanePath(id),
    idempotent: true,
    parse(reply) {
      const result = parseControlPlaneReply(reply, id);
      return result === undefined ? { kind: "foreign" } : { kind: "result", result };
    },
  };
}

/**
 * Reads a control plane that may have been deleted, to settle a DELETE that was answered with a 2xx other than 204.
 *
 * @param isPending the DELETE was answered with 202, so a control plane that is found may still go
 */
export function confirmDeletion(id: string, isPending: boolean): Operation<ControlPlaneDocument> {
  const operation = getControlPlane(id);
  if (!isPending) return operation;
  return {
    ...operation,
    parse(reply) {
      const parsed = operation.parse(reply);
      return parsed.kind === "result" ? { kind: "not yet", awaits: "deletion" } : parsed;
    },
  };
}

/** Parses an answer of 200 with a control plane. Returns undefined for any other answer, or another control plane. */
export function parseControlPlaneReply(
  { status, body, bodyEnd }: Reply,
  expectedId: string,
): ControlPlaneDocument | undefined {
  if (status !== 200 || bodyEnd !== "complete") return undefined;
  const document = parseControlPlane(parseJsonObject(body));
  return document?.id === expectedId ? document : undefined;
}
