import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";

/** An argument that was judged: usable, not known yet, or refused. */
export type ParsedArgument<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "open"; readonly invalid: readonly InvalidParameter[] }
  | { readonly kind: "refused"; readonly invalid: readonly InvalidParameter[] };

/** Returns a usable argument. */
export function accept<Value>(value: Value): ParsedArgument<Value> {
  return { kind: "value", value };
}

/** Returns a refused argument. */
export function refuse(...invalid: readonly InvalidParameter[]): ParsedArgument<never> {
  return { kind: "refused", invalid };
}

/** Parses a text. The limits count characters, as JSON Schema does. */
export function parseText(
  value: unknown,
  field: string,
  { minimum = 0, maximum = Infinity }: { readonly minimum?: number; readonly maximum?: number },
): ParsedArgument<string> {
  if (typeof value !== "string") return refuse({ field, reason: "must be a text", rule: "is_string" });
  const { length } = Array.from(value);
  if (length < minimum) {
    return refuse({
      field,
      reason: `has ${length === 1 ? "1 character" : `${length} characters`}, which is too few`,
      rule: "min_length",
      minimum,
    });
  }
  return length > maximum
    ? refuse({ field, reason: `has ${length} characters, which is too many`, rule: "max_length", maximum })
    : accept(value);
}
