import type { Labels } from "../service/operations/control-plane-document.js";
import { parseServiceTime } from "../service/operations/service-time.js";
import type { InvalidParameter } from "../service/problem/problem.js";

/** The names of the labels by which the owner of a control plane decides over its deletion. One that is missing is off. */
export interface OwnerLabels {
  /** Keeps the control plane, unless its value is `false`. */
  readonly keepLabel?: string;
  /** Holds the day from which on the control plane may be deleted. */
  readonly deleteAfterLabel?: string;
}

/** The names of {@link OwnerLabels}, among the arguments and in the state alike. */
export const OWNER_LABELS = [
  "keepLabel",
  "deleteAfterLabel",
] as const satisfies readonly (keyof OwnerLabels)[];

/** Parses the names of the labels among arguments, where they are given. */
export function parseOwnerLabels(args: Readonly<Record<string, unknown>>): {
  readonly ownerLabels: OwnerLabels;
  readonly invalid: readonly InvalidParameter[];
} {
  const invalid = OWNER_LABELS.filter((field) => args[field] !== undefined && !isLabelName(args[field])).map(
    (field): InvalidParameter => ({
      field,
      reason: "must be the name of a label, for example keep",
      rule: "invalid",
    }),
  );
  const { keepLabel, deleteAfterLabel } = args;
  const ownerLabels = {
    ...(isLabelName(keepLabel) && { keepLabel }),
    ...(isLabelName(deleteAfterLabel) && { deleteAfterLabel }),
  };
  const [keep, deleteAfter] = OWNER_LABELS.map((name) => ownerLabels[name]?.toLowerCase());
  const isSame = keep !== undefined && keep === deleteAfter;
  const field = "deleteAfterLabel";
  return {
    ownerLabels,
    invalid: isSame
      ? [...invalid, { field, reason: "must be another label than keepLabel", rule: "invalid" }]
      : invalid,
  };
}

/** Whether a value can be the name of a label. */
export function isLabelName(value: unknown): value is string {
  return typeof value === "string" && /^\S+$/.test(value);
}

/** A label as a control plane carries it. */
interface CarriedLabel {
  readonly key: string;
  readonly value: string;
}

/** What the labels of a control plane say about its deletion. */
export type OwnersWord =
  | { readonly says: "nothing" }
  /** It has to stay. */
  | { readonly says: "keep"; readonly label: CarriedLabel }
  /** It has to stay, because the day is unknown. */
  | { readonly says: "unreadable day"; readonly label: CarriedLabel }
  /** It has to stay until the day comes. */
  | { readonly says: "not yet"; readonly label: CarriedLabel }
  /** The day has come. */
  | { readonly says: "due"; readonly label: CarriedLabel };

/** The form of a day, for messages. */
export const DAY_EXAMPLE = "2026-12-24";

/**
 * Returns what its own labels say about the deletion of a control plane. What keeps it wins.
 *
 * The case of a key does not matter where it keeps the control plane. It does where the day has come, so that a key in
 * another case never deletes more.
 *
 * @param nowMs the present in epoch milliseconds. A day begins at midnight UTC
 */
export function ownersWord(
  { keepLabel, deleteAfterLabel }: OwnerLabels,
  labels: Labels,
  nowMs: number,
): OwnersWord {
  const kept = carried(labels, keepLabel).find(({ value }) => value.toLowerCase() !== "false");
  if (kept !== undefined) return { says: "keep", label: kept };
  const days = carried(labels, deleteAfterLabel).map((label) => ({ label, dayMs: parseDay(label.value) }));
  const unreadable = days.find(({ dayMs }) => dayMs === undefined);
  if (unreadable !== undefined) return { says: "unreadable day", label: unreadable.label };
  const ahead = days.find(({ dayMs = Infinity }) => nowMs < dayMs);
  if (ahead !== undefined) return { says: "not yet", label: ahead.label };
  const due = days.find(({ label }) => label.key === deleteAfterLabel);
  return due === undefined ? { says: "nothing" } : { says: "due", label: due.label };
}

function carried(labels: Labels, name: string | undefined): readonly CarriedLabel[] {
  if (name === undefined) return [];
  const wanted = name.toLowerCase();
  return Object.entries(labels)
    .filter(([key]) => key.toLowerCase() === wanted)
    .map(([key, value]) => ({ key, value }));
}

/** Returns midnight UTC of a day such as `2026-12-24` in epoch milliseconds. Undefined for what is no day of this age. */
function parseDay(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseServiceTime(`${text}T00:00:00Z`) : undefined;
}
