import type { InvalidParameter } from "./problem-document.js";
import { isUuid } from "../control-planes/stored-control-plane.js";

/** Returns an entry for a property that the operation does not know. */
export function unknownProperty(field: string, source: "query" | "body"): InvalidParameter {
  return { field, reason: `property ${field} should not exist`, rule: "unknown_property", source };
}

/** Returns an entry if the id is not a UUID. */
export function checkId(id: string): InvalidParameter[] {
  return isUuid(id) ? [] : [{ field: "id", reason: "invalid ID format" }];
}

/** Returns an entry for each query parameter, for an operation that takes none. */
export function checkNoQuery(query: URLSearchParams): InvalidParameter[] {
  return [...new Set(query.keys())].map((name) => unknownProperty(name, "query"));
}

/**
 * Returns the entries for a body, for an operation that takes none.
 * A JSON object gets an entry for each property. Any other body gets one entry.
 */
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
