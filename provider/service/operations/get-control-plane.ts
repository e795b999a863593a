import type { Reply } from "../http/answer.js";
import { isObject, parseJsonObject } from "../../text/json.js";
import { controlPlanePath } from "./control-plane-ref.js";
import type { Operation } from "./operation.js";

/** A control plane as the service describes it, as far as this package reads it. */
export interface ControlPlaneDocument {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads one control plane. Source: the service's public API, `get-control-plane`. */
export function getControlPlane(id: string): Operation<ControlPlaneDocument> {
  return {
    name: "get-control-plane",
    method: "GET",
    path: controlPlanePath(id),
    idempotent: true,
    parse(reply) {
      const result = parseDocument(reply, id);
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
      return parsed.kind === "result" ? { kind: "not yet" } : parsed;
    },
  };
}

/** Requires nothing but the id and a name, because the service has added fields over time. */
function parseDocument(
  { status, body, bodyEnd }: Reply,
  expectedId: string,
): ControlPlaneDocument | undefined {
  if (status !== 200 || bodyEnd !== "complete") return undefined;
  const json = parseJsonObject(body);
  if (typeof json?.id !== "string" || json.id.toLowerCase() !== expectedId) return undefined;
  if (typeof json.name !== "string") return undefined;
  return { id: expectedId, name: json.name, labels: stringEntries(json.labels) };
}

function stringEntries(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
