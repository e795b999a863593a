import type { InvalidParameter } from "../service/problem/problem.js";
import { OWNER_LABELS, parseOwnerLabels } from "../state/owner-labels.js";
import { notThis } from "../settings/settings.js";
import { isObject } from "../text/json.js";
import { AGE_RULE, parseAgeMs } from "./age.js";
import { type ExcludedControlPlanes, readExclusions } from "./exclusions.js";
import type { Filters } from "./filters.js";
import { type LookUpArguments, type LookUpLocation, refuseArguments } from "./plain-arguments.js";

/**
 * At least one filter is required: `labels`, `namePrefix`, `clusterType`, `olderThan` or `newerThan`. A control plane must match all of
 * them. Outputs are not allowed.
 *
 * @category Look-ups
 */
export interface SelectControlPlanesArgs extends LookUpLocation {
  /**
   * Labels that it has.
   *
   * @defaultValue no filter
   * @example labels: { env: "preview" }
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Beginning of its name. Upper and lower case matter.
   *
   * @defaultValue no filter
   * @example namePrefix: "pr-"
   */
  readonly namePrefix?: string | undefined;
  /**
   * Its type.
   *
   * @defaultValue no filter
   * @example clusterType: "CLUSTER_TYPE_CONTROL_PLANE"
   */
  readonly clusterType?: string | undefined;
  /**
   * Its smallest age: a whole number with `m`, `h`, `d` or `w`.
   *
   * @defaultValue no filter
   * @example olderThan: "7d"
   */
  readonly olderThan?: string | undefined;
  /**
   * Its largest age, in the same form.
   *
   * @defaultValue no filter
   * @example newerThan: "36h"
   */
  readonly newerThan?: string | undefined;
  /**
   * What is never selected.
   *
   * @defaultValue nothing
   * @example exclude: { names: ["shared"], labels: { keep: "true" } }
   */
  readonly exclude?: ExcludedControlPlanes | undefined;
  /**
   * Name of a label. A control plane that has it, with any value but `false`, is never selected.
   *
   * @defaultValue no label
   * @example keepLabel: "keep"
   */
  readonly keepLabel?: string | undefined;
  /**
   * Name of a label whose value is a day, such as `2026-12-24`. Until that day (UTC), or if the value is no day, the control plane
   * is never selected. From that day on, it is selected whatever its age.
   *
   * @defaultValue no label
   * @example deleteAfterLabel: "delete-after"
   */
  readonly deleteAfterLabel?: string | undefined;
  /**
   * The look-up fails if fewer control planes match.
   *
   * @defaultValue no limit
   * @example atLeast: 1
   */
  readonly atLeast?: number | undefined;
  /**
   * The look-up fails if more control planes match.
   *
   * @defaultValue no limit
   * @example atMost: 50
   */
  readonly atMost?: number | undefined;
}

const FILTERS = ["labels", "namePrefix", "clusterType", "olderThan", "newerThan"];
const KNOWN = ["region", "baseUrl", ...FILTERS, "exclude", ...OWNER_LABELS, "atLeast", "atMost"];

/** What to select, and everything that is wrong with the arguments. */
export interface ParsedSelection {
  readonly filters: Filters;
  /** 0 when there is no limit. */
  readonly atLeast: number;
  /** Infinity when there is no limit. */
  readonly atMost: number;
  readonly invalid: readonly InvalidParameter[];
}

/** Parses the arguments of a selection, except for the address. An argument that is undefined counts as not given. */
export function parseSelection(args: unknown): ParsedSelection {
  const refused = refuseArguments(args, KNOWN);
  if (refused.length > 0 || !isObject(args)) return { filters: {}, atLeast: 0, atMost: 0, invalid: refused };
  const owner = parseOwnerLabels(args);
  const invalid: InvalidParameter[] = [...owner.invalid];
  const refuse = (field: string, reason: string) => void invalid.push({ field, reason });
  const filters = {
    ...readLabels(args.labels, refuse),
    ...readText(args, "namePrefix", refuse),
    ...readText(args, "clusterType", refuse),
    ...readAge(args, "olderThan", refuse),
    ...readAge(args, "newerThan", refuse),
    ...readExclusions(args.exclude, invalid),
    ownerLabels: owner.ownerLabels,
  };
  const atLeast = readLimit(args, "atLeast", 0, refuse);
  const atMost = readLimit(args, "atMost", Infinity, refuse);
  if (atLeast > atMost && atMost > 0) refuse("atLeast", "must not be larger than atMost");
  refuseEmptyWindow(filters, refuse);
  if (FILTERS.every((field) => args[field] === undefined)) {
    invalid.push({ reason: `at least one filter is required: ${FILTERS.join(", ")}` });
  }
  return { filters, atLeast, atMost, invalid };
}

type Refuse = (field: string, reason: string) => void;

function readLabels(labels: unknown, refuse: Refuse): Pick<Filters, "labels"> {
  if (labels === undefined) return {};
  if (!isObject(labels) || Object.keys(labels).length === 0) {
    refuse("labels", 'must be an object with at least one label, for example { env: "preview" }');
    return {};
  }
  const entries = Object.entries(labels);
  // A label without a value would be no filter at all.
  for (const [key, value] of entries) {
    if (typeof value !== "string") refuse(`labels.${key}`, "must be a string");
  }
  return {
    labels: Object.fromEntries(entries.filter((entry): entry is [string, string] => isText(entry[1]))),
  };
}

function readText(
  args: LookUpArguments,
  field: "namePrefix" | "clusterType",
  refuse: Refuse,
): Pick<Filters, typeof field> {
  const value = args[field];
  if (value === undefined) return {};
  if (isText(value) && value !== "") return { [field]: value };
  refuse(field, "must be a string that is not empty");
  return {};
}

function readAge(
  args: LookUpArguments,
  field: "olderThan" | "newerThan",
  refuse: Refuse,
): Pick<Filters, `${typeof field}Ms`> {
  const value = args[field];
  if (value === undefined) return {};
  const ageMs = isText(value) ? parseAgeMs(value) : undefined;
  if (ageMs !== undefined) return { [`${field}Ms`]: ageMs };
  refuse(field, `${AGE_RULE}${isText(value) ? notThis(value) : ""}`);
  return {};
}

function refuseEmptyWindow({ olderThanMs, newerThanMs }: Filters, refuse: Refuse): void {
  if (olderThanMs === undefined || newerThanMs === undefined || newerThanMs > olderThanMs) return;
  refuse("newerThan", "must be longer than olderThan, because nothing is both older and newer");
}

function readLimit(args: LookUpArguments, field: "atLeast" | "atMost", none: number, refuse: Refuse): number {
  const limit = args[field];
  if (limit === undefined) return none;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1) return limit;
  refuse(field, "must be a whole number from 1 on");
  return 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
