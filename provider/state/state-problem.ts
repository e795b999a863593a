import { isObject } from "../text/json.js";
import { safe, type SafeText } from "../text/safe-text.js";

type Properties = Readonly<Record<string, unknown>>;

/** Something in the state on which no decision can be based: nobody knows which control plane is meant, or what guards it. */
export interface StateProblem extends PlacedRule {
  readonly kind: "id" | "address" | "guard" | "list" | "member";
}

/** What is allowed at a place of the state that holds something else. */
export interface PlacedRule {
  /** For example `outputs.controlPlanes[1].id`. */
  readonly place: SafeText;
  /** For example `must be a UUID`. */
  readonly rule: SafeText;
}

/** The rule of the identifier of a control plane. */
export const UUID_RULE = safe`must be a UUID`;

/** The key and value that mark an encrypted value. Source: Pulumi, sdk/go/common/resource/sig/sig.go. */
const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** Whether a value of an exported state is an encrypted secret. */
export function isSecret(value: unknown): boolean {
  return isObject(value) && value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

/** Returns the fields that are secrets, or hold one. Hooks get none, because Pulumi decrypts what it sends them. */
export function secretFieldsOf(properties: Properties): readonly string[] {
  return Object.keys(properties).filter((field) => holdsSecret(properties[field]));
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}

/** Returns properties without some of their fields. */
export function omit(properties: Properties, fields: readonly string[]): Properties {
  if (fields.length === 0) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([field]) => !fields.includes(field)));
}
