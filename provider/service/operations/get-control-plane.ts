import type { Reply } from "../http/answer.js";
import { parseJsonObject } from "../../text/json.js";
import { type ControlPlaneDocument, parseControlPlane } from "./control-plane-document.js";
import { controlPlanePath } from "./control-plane-ref.js";
import type { Operation, Parsed } from "./operation.js";

/** Reads one control plane. Source: the service's public API, `get-control-plane`. */
export function getControlPlane(id: string): Operation<ControlPlaneDocument> {
  return {
    name: "get-control-plane",
    method: "GET",
    path: controlPlanePath(id),
    idempotent: true,
    parse: (reply) => parseControlPlaneReply(reply, id),
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

/** Parses an answer of 200 with a control plane. Any other answer, or another control plane, is foreign. */
export function parseControlPlaneReply(
  { status, body, bodyEnd }: Reply,
  expectedId: string,
): Parsed<ControlPlaneDocument> {
  if (status !== 200 || bodyEnd !== "complete") return { kind: "foreign" };
  const result = parseControlPlane(parseJsonObject(body));
  return result?.id === expectedId ? { kind: "result", result } : { kind: "foreign" };
}
