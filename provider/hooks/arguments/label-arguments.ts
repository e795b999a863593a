import { MARK_LABEL } from "../../service/operations/ownership-mark.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isObject } from "../../text/json.js";
import { isUnknown } from "../../state/recorded-fields.js";
import { accept, type ParsedArgument, refuse } from "./parsed-argument.js";

const MAX_LABELS = 50;
const MAX_LENGTH = 63;

/** Case matters: Kong's own tools write labels that begin with `KONGCTL-`. */
const RESERVED_PREFIXES = ["kong", "konnect", "mesh", "kic", "insomnia", "kuma", "_"];

/** First and last a letter or digit, and `-`, `.` and `_` in between. */
const PATTERN = /^[a-z0-9A-Z]([a-z0-9A-Z._-]*[a-z0-9A-Z])?$/;
const ALLOWED =
  "must begin and end with a letter or digit, and have only letters, digits, -, . and _ in between";

/** Parses labels. A value that is not known yet is let through; its key is judged. */
export function parseLabels(value: unknown, field: string): ParsedArgument<Readonly<Record<string, string>>> {
  if (!isObject(value)) {
    const reason = 'must be an object whose values are texts, for example { team: "payments" }';
    return refuse({ field, reason, rule: "is_object" });
  }
  const entries = Object.entries(value);
  const invalid: InvalidParameter[] = entries.flatMap(([key, label]) => [
    ...invalidKey(key, field),
    ...(isUnknown(label) ? [] : invalidValue(label, `${field}.${key}`)),
  ]);
  if (entries.length > MAX_LABELS) {
    const reason = `has ${entries.length} labels, which are too many`;
    invalid.push({ field, reason, rule: "max_items", maximum: MAX_LABELS });
  }
  if (entries.some(([, label]) => isUnknown(label))) return { kind: "open", invalid };
  // Each value is a text, or it was refused above.
  return invalid.length > 0 ? refuse(...invalid) : accept(value as Readonly<Record<string, string>>);
}

function invalidKey(key: string, field: string): readonly InvalidParameter[] {
  if (key === "") return [{ field, reason: "has an empty key", rule: "min_length", minimum: 1 }];
  const at = `${field}.${key}`;
  if (key === MARK_LABEL) {
    return [
      { field: at, reason: "is written by this provider, so a program cannot give it", rule: "is_label" },
    ];
  }
  const reserved = RESERVED_PREFIXES.find((prefix) => key.startsWith(prefix));
  if (reserved !== undefined) {
    const reason = `begins with ${reserved}, which the service keeps for itself; reserved are ${RESERVED_PREFIXES.join(", ")}`;
    return [{ field: at, reason, rule: "is_label" }];
  }
  return invalidText(key, at, "as a key ");
}

function invalidValue(value: unknown, at: string): readonly InvalidParameter[] {
  return typeof value === "string"
    ? invalidText(value, at, "")
    : [{ field: at, reason: "must be a text", rule: "is_string" }];
}

function invalidText(text: string, field: string, what: string): readonly InvalidParameter[] {
  if (text.length === 0) return [{ field, reason: `${what}is empty`, rule: "min_length", minimum: 1 }];
  if (text.length > MAX_LENGTH) {
    const reason = `${what}has ${text.length} characters, which is too many`;
    return [{ field, reason, rule: "max_length", maximum: MAX_LENGTH }];
  }
  return PATTERN.test(text) ? [] : [{ field, reason: `${what}${ALLOWED}`, rule: "is_label" }];
}
