import { parseControlPlaneId } from "../../service/operations/control-plane-ref.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isUnknown } from "../../state/recorded-fields.js";
import { whyNotAnId } from "./argument-parts.js";

/** A list of ids that was judged. */
export interface IdList {
  /** The ids that are known and usable, in lower case, each once. */
  readonly ids: readonly string[];
  /** Whether an id is not known yet. */
  readonly isOpen: boolean;
  readonly invalid: readonly InvalidParameter[];
}

/** Names at most this many unusable ids. */
const LISTED = 10;

/** Parses a list of ids. Values that are not known yet are let through. An id that is given twice counts once. */
export function parseIdList(entries: readonly unknown[], field: string): IdList {
  const ids = new Set<string>();
  const invalid: InvalidParameter[] = [];
  let isOpen = false;
  for (const [index, entry] of entries.entries()) {
    const text = typeof entry === "string" ? entry : "";
    const id = parseControlPlaneId(text);
    if (isUnknown(entry)) isOpen = true;
    else if (id !== undefined) ids.add(id);
    else invalid.push({ field: `${field}[${index}]`, reason: whyNotAnId(text), rule: "is_uuid" });
  }
  return { ids: [...ids], isOpen, invalid: shorten(invalid, field) };
}

function shorten(invalid: readonly InvalidParameter[], field: string): readonly InvalidParameter[] {
  if (invalid.length <= LISTED) return invalid;
  const reason = `and ${invalid.length - LISTED} more are no UUIDs either`;
  return [...invalid.slice(0, LISTED), { field, reason, rule: "is_uuid" }];
}
