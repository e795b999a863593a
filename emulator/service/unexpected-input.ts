import type { Incoming } from "../http/incoming-request.js";
import { isUuid } from "./stored-control-plane.js";
import type { InvalidParameter } from "./problem-document.js";
import { unknownProperty } from "./refusal.js";

/** An entry when the id is no UUID; else none. */
export function checkId(id: string): InvalidParameter[] {
  return isUuid(id) ? [] : [{ field: "id", reason: "invalid ID format" }];
}

/** An entry for each query parameter of an operation that has none. */
export function checkNoQuery(incoming: Incoming): InvalidParameter[] {
  return [...new Set(incoming.query.keys())].map((name) => unknownProperty(name, "query"));
}

/** Entries for the body of an operation that has none: one a property of a JSON object, else one for the whole. */
export function checkNoBody(body: Buffer | undefined): InvalidParameter[] {
  if (body === undefined) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    return [{ field: "body", reason: "invalid request format" }];
  }
  const names = typeof parsed === "object" && parsed !== null ? Object.keys(parsed) : [];
  return (names.length === 0 ? ["body"] : names).map((name) => unknownProperty(name, "body"));
}
