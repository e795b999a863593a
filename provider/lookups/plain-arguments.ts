import { isUnknown } from "../state/recorded-fields.js";
import type { InvalidParameter } from "../service/problem/problem.js";
import { isObject } from "../text/json.js";

/** The arguments of a look-up, before they are parsed. */
export type LookUpArguments = Readonly<Record<string, unknown>>;

/**
 * Where a look-up searches. At most one of the two.
 *
 * @category Look-ups
 */
export interface LookUpLocation {
  /**
   * `us`, `eu`, `au`, `me`, `in` or `sg`. Not together with `baseUrl`.
   *
   * @defaultValue `konnect:region` or `konnect:baseUrl`, then `KONNECT_REGION` or `KONNECT_SERVER_URL`
   * @example region: "eu"
   */
  readonly region?: string | undefined;
  /**
   * Any other address. HTTPS, or HTTP on a loopback address. A missing `/v2` is added.
   *
   * @defaultValue like `region`
   * @example baseUrl: "https://eu.api.konghq.com/v2"
   */
  readonly baseUrl?: string | undefined;
}

/** Returns an entry for each argument that is not a plain value, or that the look-up does not know. */
export function refuseArguments(args: unknown, known: readonly string[]): readonly InvalidParameter[] {
  if (!isPlain(args)) return [{ reason: `its arguments ${NOT_PLAIN}` }];
  if (!isObject(args)) return [{ reason: `its argument must be an object with ${known.join(", ")}` }];
  return [...notPlain(args, ""), ...unknownArguments(args, known)];
}

const NOT_PLAIN =
  "must be plain values, not an Output or a promise: a look-up runs before the resources of the program";

function notPlain(args: LookUpArguments, prefix: string): readonly InvalidParameter[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const field = `${prefix}${key}`;
    if (!isPlain(value)) return [{ field, reason: NOT_PLAIN }];
    const parts = Array.isArray(value) ? Object.fromEntries(value.entries()) : value;
    return isObject(parts) ? notPlain(parts, `${field}.`) : [];
  });
}

function isPlain(value: unknown): boolean {
  return !isOutput(value) && !(value instanceof Promise) && !isUnknown(value);
}

/** An output of any copy of Pulumi's SDK has this mark. Source: `Output.isInstance` in Pulumi's SDK. */
function isOutput(value: unknown): boolean {
  return isObject(value) && value.__pulumiOutput === true;
}

function unknownArguments(args: LookUpArguments, known: readonly string[]): readonly InvalidParameter[] {
  return Object.keys(args)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      field,
      reason: `should not exist; allowed are ${known.join(", ")}`,
      rule: "unknown_property",
    }));
}
