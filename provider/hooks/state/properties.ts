/** Properties of a resource as they are sent: of no known shape until they are parsed. */
export type Properties = Readonly<Record<string, unknown>>;

/** Stands for a value that is not known yet, in a preview. Source: Pulumi's SDK, `unknownValue`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is not known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN;
}
