import { otherRegions } from "../hooks/arguments/argument-parts.js";
import { DAY_EXAMPLE, ownersWord } from "../state/owner-labels.js";
import { KEPT_REASONS, type KeptReason } from "../report/selection-line.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import { describeControlPlane } from "../service/operations/control-planes.js";
import { ageMsAt } from "../service/operations/service-time.js";
import type { AnswerTime } from "../service/retry/call.js";
import { joinFirst, joinSafe, safe, safeName, type SafeText, safeText } from "../text/safe-text.js";
import { describeAge } from "./age.js";
import { type Filters, hasLabels, judgeControlPlane } from "./filters.js";
import { describeLabels, describeNearLabels } from "./near-labels.js";
import type { SelectControlPlanesArgs } from "./selection-arguments.js";

/** Names at most this many control planes. */
const LISTED = 10;

/** What a selection makes of the control planes that have the labels, the name and the type that are asked for. */
export interface Sorted {
  readonly matched: number;
  readonly selected: readonly ControlPlaneDocument[];
  readonly kept: Readonly<Record<KeptReason, readonly ControlPlaneDocument[]>>;
}

/** Sorts control planes by what the filters make of each. */
export function sortOut(
  filters: Filters,
  controlPlanes: readonly ControlPlaneDocument[],
  time: AnswerTime,
): Sorted {
  const selected: ControlPlaneDocument[] = [];
  const kept = {
    exclude: [],
    keep: [],
    unreadableDay: [],
    deleteAfter: [],
    age: [],
  } satisfies Sorted["kept"];
  const keptBy: Record<KeptReason, ControlPlaneDocument[]> = kept;
  for (const controlPlane of controlPlanes) {
    const verdict = judgeControlPlane(filters, controlPlane, time);
    if (verdict.outcome === "selected") selected.push(controlPlane);
    if (verdict.outcome === "kept") keptBy[verdict.reason].push(controlPlane);
  }
  const matched = KEPT_REASONS.reduce((sum, reason) => sum + keptBy[reason].length, selected.length);
  return { matched, selected, kept: keptBy };
}

/** Describes what was selected by, one text for each argument. */
export function describeFilters(args: SelectControlPlanesArgs): readonly SafeText[] {
  const { labels, namePrefix, clusterType, olderThan, newerThan, exclude, keepLabel, deleteAfterLabel } =
    args;
  const texts = { namePrefix, clusterType, olderThan, newerThan, keepLabel, deleteAfterLabel };
  const { ids = [], names = [], labels: excluded } = exclude ?? {};
  const excludes = [
    ...(ids.length === 0 ? [] : [ids.length === 1 ? safe`1 id` : safe`${ids.length} ids`]),
    ...(names.length === 0
      ? []
      : [
          safe`names ${joinFirst(
            names.map((name) => safeName(name, 60)),
            LISTED,
          )}`,
        ]),
    ...(excluded === undefined ? [] : [safe`labels ${describeLabels(excluded)}`]),
  ];
  return [
    ...(labels === undefined ? [] : [safe`labels ${describeLabels(labels)}`]),
    ...Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [] : [safe`${safeText(name, 20)} ${safeText(text, 80)}`],
    ),
    ...(excludes.length === 0 ? [] : [safe`exclude ${joinSafe(excludes, ", ")}`]),
  ];
}

/** Warns of control planes whose label for the day of their deletion holds no day. */
export function describeUnreadableDays(
  { ownerLabels = {} }: Filters,
  { kept: { unreadableDay } }: Sorted,
  { earliestMs }: AnswerTime,
): readonly SafeText[] {
  const lines = unreadableDay.slice(0, LISTED).flatMap((controlPlane) => {
    const word = ownersWord(ownerLabels, controlPlane.labels, earliestMs);
    if (word.says !== "unreadable day") return [];
    const { key, value } = word.label;
    return [
      safe`${describeControlPlane(controlPlane)} is kept: its label ${safeText(key, 80)} is "${safeText(value, 80)}", which is no day such as ${safeText(DAY_EXAMPLE, 20)}`,
    ];
  });
  const more = unreadableDay.length - lines.length;
  return more > 0
    ? [...lines, safe`${more} more control planes are kept, because their day cannot be read`]
    : lines;
}

/** Describes how many control planes are kept, and why: `2 by exclude, 1 by its label keep`. */
export function describeKept({ ownerLabels = {} }: Filters, { kept }: Sorted): SafeText {
  const keepLabel = safeText(ownerLabels.keepLabel ?? "", 80);
  const dayLabel = safeText(ownerLabels.deleteAfterLabel ?? "", 80);
  const words: Readonly<Record<KeptReason, SafeText>> = {
    exclude: safe`by exclude`,
    keep: safe`by the label ${keepLabel}`,
    unreadableDay: safe`because the label ${dayLabel} holds no day`,
    deleteAfter: safe`until the day in the label ${dayLabel}`,
    age: safe`by age`,
  };
  const parts = KEPT_REASONS.flatMap((reason) => {
    const { length } = kept[reason];
    return length === 0 ? [] : [safe`${length} ${words[reason]}`];
  });
  return joinSafe(parts, ", ");
}

/** Explains why none is selected although some control planes have the labels, the name and the type. */
export function describeAllKept(filters: Filters, sorted: Sorted, time: AnswerTime): readonly SafeText[] {
  const { matched, kept } = sorted;
  const count =
    matched === 1
      ? safe`the 1 control plane that matches is kept`
      : safe`all ${matched} control planes that match are kept`;
  const whose = isForNow(sorted) ? safe` today` : safe``;
  return [
    safe`Nothing is selected${whose}: ${count}: ${describeKept(filters, sorted)}`,
    ...describeAges(filters, kept.age, time),
    ...describeNextDay(filters, kept.deleteAfter, time),
  ];
}

/** Whether another day may select what is kept now. */
export function isForNow({ kept: { age, deleteAfter } }: Sorted): boolean {
  return age.length > 0 || deleteAfter.length > 0;
}

function describeAges(
  { olderThanMs, newerThanMs }: Filters,
  controlPlanes: readonly ControlPlaneDocument[],
  { earliestMs }: AnswerTime,
): readonly SafeText[] {
  const aged = controlPlanes.flatMap((controlPlane) => {
    const ageMs = ageMsAt(earliestMs, controlPlane.createdAtMs);
    return ageMs === undefined ? [] : [{ controlPlane, ageMs }];
  });
  const unknown = controlPlanes.length - aged.length;
  const [oldest, ...others] = [...aged].sort((a, b) => b.ageMs - a.ageMs);
  const youngest = others.at(-1) ?? oldest;
  const isTooYoung = oldest !== undefined && olderThanMs !== undefined && oldest.ageMs <= olderThanMs;
  const isTooOld = youngest !== undefined && newerThanMs !== undefined && youngest.ageMs >= newerThanMs;
  return [
    ...(isTooYoung ? [safe`the oldest of those kept by age is ${describeAged(oldest)}`] : []),
    ...(isTooOld ? [safe`the youngest of those kept by age is ${describeAged(youngest)}`] : []),
    ...(unknown > 0 ? [safe`the age of ${unknown} of them is not known`] : []),
  ];
}

function describeAged({
  controlPlane,
  ageMs,
}: {
  readonly controlPlane: ControlPlaneDocument;
  readonly ageMs: number;
}): SafeText {
  return safe`${describeControlPlane(controlPlane)}, ${describeAge(ageMs)}`;
}

function describeNextDay(
  { ownerLabels = {} }: Filters,
  controlPlanes: readonly ControlPlaneDocument[],
  { earliestMs }: AnswerTime,
): readonly SafeText[] {
  const days = controlPlanes.flatMap(({ labels }) => {
    const word = ownersWord(ownerLabels, labels, earliestMs);
    return word.says === "not yet" ? [word.label.value] : [];
  });
  const [first] = days.sort();
  return first === undefined ? [] : [safe`the next of their days is ${safeText(first, 20)}`];
}

/**
 * Explains why no control plane has the labels, the name and the type: what comes near, and where it was not searched.
 *
 * @param all the control planes at the address. Undefined if they could not be listed
 */
export function describeNoMatch(
  filters: Filters,
  address: string,
  all: readonly ControlPlaneDocument[] | undefined,
): readonly SafeText[] {
  const place = safeText(address, 200);
  const meant = describeMeant(filters);
  const headline =
    meant === ""
      ? safe`Nothing is selected: there is no control plane at ${place}`
      : safe`Nothing is selected: no control plane at ${place} matches ${meant}`;
  return [
    headline,
    ...(all === undefined ? [] : describeNear(filters, all)),
    ...describeOtherRegions(address),
  ];
}

function describeMeant({ labels, namePrefix, clusterType }: Filters): SafeText {
  const parts = [
    ...(labels === undefined ? [] : [safe`the labels ${describeLabels(labels)}`]),
    ...(namePrefix === undefined ? [] : [safe`the name prefix "${safeName(namePrefix, 60)}"`]),
    ...(clusterType === undefined ? [] : [safe`the cluster type ${safeText(clusterType, 60)}`]),
  ];
  return joinSafe(parts, " and ");
}

function describeNear(
  { labels = {}, namePrefix, clusterType }: Filters,
  all: readonly ControlPlaneDocument[],
): readonly SafeText[] {
  if (all.length === 0) {
    return [
      safe`this token sees no control plane there at all; one of another organization, or without the role to read them, sees none either`,
    ];
  }
  const missing = Object.entries(labels).filter(
    ([key, value]) => !all.some((each) => hasLabels(each, { [key]: value })),
  );
  const hasPrefix = all.some(({ name }) => name.startsWith(namePrefix ?? ""));
  const hasType = clusterType === undefined || all.some((each) => each.clusterType === clusterType);
  const seen = all.length === 1 ? safe`1 control plane is` : safe`${all.length} control planes are`;
  const lines = [
    ...missing.map((label) => describeNearLabels(label, all)),
    ...(hasPrefix ? [] : [describeNearNames(namePrefix ?? "", all)]),
    ...(hasType ? [] : [describeTypes(clusterType, all)]),
  ];
  const each = safe`each of them has control planes, but none has all`;
  return [safe`${seen} there`, ...(lines.length > 0 ? lines : [each])];
}

function describeNearNames(prefix: string, all: readonly ControlPlaneDocument[]): SafeText {
  const asked = safe`name prefix "${safeName(prefix, 60)}"`;
  const near = all.filter(({ name }) => name.toLowerCase().includes(prefix.toLowerCase()));
  if (near.length === 0) return safe`${asked}: no name contains it`;
  const names = near.map(({ name }) => name).sort();
  return safe`${asked}: names that contain it are ${joinFirst(
    names.map((name) => safe`"${safeName(name, 60)}"`),
    5,
  )}`;
}

function describeTypes(clusterType: string, all: readonly ControlPlaneDocument[]): SafeText {
  const types = [...new Set(all.flatMap((each) => each.clusterType ?? []))].sort();
  return safe`cluster type ${safeText(clusterType, 60)}: there are ${joinFirst(
    types.map((type) => safeText(type, 60)),
    5,
  )}`;
}

/** A token is good for all regions of its organization, and an address is one of them. */
function describeOtherRegions(address: string): readonly SafeText[] {
  const others = otherRegions(address).map((region) => safeText(region, 10));
  return others.length === 0 ? [] : [safe`the other regions were not asked: ${joinSafe(others, ", ")}`];
}
