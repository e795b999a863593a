import { parseIdList } from "../hooks/arguments/argument-parts.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import type { InvalidParameter } from "../service/problem/problem.js";
import { isObject } from "../text/json.js";

/**
 * Control planes that are never selected. One id, name or label that matches is enough, in upper or lower case.
 *
 * @category Look-ups
 */
export interface ExcludedControlPlanes {
  /**
   * UUIDs.
   *
   * @defaultValue none
   * @example ids: ["9524ec7d-36d9-465d-a8c5-83a3c9390458"]
   */
  readonly ids?: readonly string[] | undefined;
  /**
   * Whole names.
   *
   * @defaultValue none
   * @example names: ["shared"]
   */
  readonly names?: readonly string[] | undefined;
  /**
   * Labels with their values.
   *
   * @defaultValue none
   * @example labels: { keep: "true" }
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Control planes that are never selected. One of the three is enough. Texts are in lower case. */
export interface Exclusions {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Keys with their values. */
  readonly labels: readonly (readonly [key: string, value: string])[];
}

const KNOWN = ["ids", "names", "labels"];

/** Parses what a selection leaves out. Adds what is wrong to the list. */
export function readExclusions(
  exclude: unknown,
  invalid: InvalidParameter[],
): { readonly exclude?: Exclusions } {
  if (exclude === undefined) return {};
  const refuse = (field: string, reason: string) => void invalid.push({ field, reason });
  if (!isObject(exclude)) {
    refuse("exclude", `must be an object with ${KNOWN.join(", ")}`);
    return {};
  }
  for (const key of Object.keys(exclude)) {
    if (!KNOWN.includes(key)) refuse(`exclude.${key}`, `should not exist; allowed are ${KNOWN.join(", ")}`);
  }
  const { ids = [], names = [], labels = {} } = exclude;
  if (!Array.isArray(ids)) refuse("exclude.ids", "must be a list of UUIDs");
  const parsed = parseIdList(Array.isArray(ids) ? ids : [], "exclude.ids");
  invalid.push(...parsed.invalid);
  if (!areNames(names)) refuse("exclude.names", "must be a list of names without blanks at their ends");
  if (!areLabels(labels)) {
    refuse("exclude.labels", 'must be an object with strings as values, for example { keep: "true" }');
  }
  return {
    exclude: {
      ids: parsed.ids,
      names: areNames(names) ? names.map(folded) : [],
      labels: areLabels(labels)
        ? Object.entries(labels).map(([key, value]) => [folded(key), folded(value)])
        : [],
    },
  };
}

function areNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((name) => typeof name === "string" && /^\S(.*\S)?$/su.test(name))
  );
}

/** One text can be written in several cases, and with several sequences of code points. */
function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function areLabels(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((label) => typeof label === "string");
}

/** Whether a control plane is never selected. */
export function isExcluded({ ids, names, labels }: Exclusions, controlPlane: ControlPlaneDocument): boolean {
  const carried = Object.entries(controlPlane.labels);
  return (
    ids.includes(controlPlane.id) ||
    names.includes(folded(controlPlane.name)) ||
    labels.some(([key, value]) =>
      carried.some((label) => folded(label[0]) === key && folded(label[1]) === value),
    )
  );
}
