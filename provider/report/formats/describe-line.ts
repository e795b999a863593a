import { countControlPlanes, describeDuration } from "../../text/message.js";
import { joinSafe, safe, safeName, safeText, type SafeText } from "../../text/safe-text.js";
import { OUTCOMES, type ReportLine } from "../line-model.js";
import { decisiveNights } from "../night-line.js";
import { countUnread, type Report, type ReportedFile } from "../report-model.js";

/** The name of a control plane, or an empty text where it is not known. */
export function nameOf({ controlPlane: { name = "" } }: ReportLine): SafeText {
  return safeName(name);
}

/** Returns the id of a control plane. */
export function idOf({ controlPlane: { id } }: ReportLine): SafeText {
  return id === "" ? safe`(no id)` : safeText(id, 120);
}

/** Returns an outcome in words: `already gone`. What was adopted and not deleted since is `only adopted`. */
export function outcomeOf({ outcome }: Pick<ReportLine, "outcome">): SafeText {
  return OUTCOME_WORDS[outcome];
}

const OUTCOME_WORDS: Readonly<Record<ReportLine["outcome"], SafeText>> = {
  deleted: safe`deleted`,
  "already-gone": safe`already gone`,
  gone: safe`gone`,
  kept: safe`kept`,
  adopted: safe`only adopted`,
  "adopted-unread": safe`adopted unread`,
  created: safe`only created`,
  updated: safe`only updated`,
  unreadable: safe`unreadable`,
  interrupted: safe`interrupted`,
  failed: safe`failed`,
  "would-be-deleted": safe`would be deleted`,
  "would-stay": safe`would stay`,
};

/** Returns the answer in a few words: the error's summary, or the status. */
export function answerOf({ error, status }: ReportLine): SafeText {
  if (error !== undefined) return safeText(error.summary, 300);
  return status === undefined ? safe`` : safe`${status}`;
}

/** Returns the duration of an operation, from its first attempt on. */
export function durationOf({ durationMs }: ReportLine): SafeText {
  return describeDuration(durationMs);
}

/** A fact about what is left, as name and value. */
export type Fact = readonly [name: SafeText, value: SafeText];

/** Returns what to do about a control plane that is left, or undefined if that is unknown. */
export function nextStepOf({ outcome, error }: ReportLine): SafeText | undefined {
  const isUndone = ["adopted", "adopted-unread", "created", "updated"].includes(outcome);
  if (isUndone) return safe`no deletion was reported; run the destroy`;
  return error?.next === undefined || error.next === "" ? undefined : safeText(error.next, 400);
}

/** Returns what explains why a control plane is left: what the service said, and what to do next. */
export function explanationOf(line: ReportLine): {
  readonly said: readonly SafeText[];
  readonly facts: readonly Fact[];
} {
  const { problem, error, traceIds, tokenSource, operation } = line;
  const parameters = (problem?.invalidParameters ?? []).map(({ field = "(no field)", reason }) =>
    joinSafe([safeText(field, 120), safeText(reason, 300)], "  "),
  );
  const facts: readonly (readonly [SafeText, string | undefined])[] = [
    [safe`address`, line.controlPlane.address],
    [safe`operation`, operation === "delete" ? undefined : operation],
    [safe`trace`, traceIds.at(-1)],
    [safe`token`, error === undefined ? undefined : tokenSource],
    [safe`next`, nextStepOf(line)],
  ];
  const removed = describeRemoved(line);
  return {
    said: [
      ...(problem?.detail === undefined ? [] : [safeText(problem.detail, 1_200)]),
      ...parameters,
      ...(error?.findings ?? []).map((finding) => safeText(finding, 1_200)),
      ...(removed === undefined ? [] : [removed]),
    ],
    facts: facts.flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, safeText(value, 400)] as const],
    ),
  };
}

/** Returns which members an operation removed from a group: `2 members were removed: a, b`. Undefined if there are none. */
export function describeRemoved({ membersRemoved }: ReportLine): SafeText | undefined {
  if (membersRemoved === undefined || membersRemoved.count === 0) return undefined;
  const { count, members } = membersRemoved;
  const removed = count === 1 ? safe`1 member was removed` : safe`${count} members were removed`;
  if (members.length === 0) return removed;
  const named = members.map(({ id, name = "" }) => safeName(name === "" ? id : name, 100));
  const more = count > members.length ? [safe`and ${count - members.length} more`] : [];
  return safe`${removed}: ${joinSafe([...named, ...more], ", ")}`;
}

/**
 * Returns the totals: `12 control planes: 9 deleted, 1 already gone, 2 failed`. What was gone before a night is not counted
 * as something that the night did.
 */
export function describeTotals(report: Report): SafeText {
  const before = goneBefore(report);
  const tonight = OUTCOMES.map((outcome) => {
    const others = before.filter((line) => line.outcome === outcome).length;
    return [outcome, (report.totals[outcome] ?? 0) - others] as const;
  }).filter(([, count]) => count > 0);
  const count = tonight.reduce((sum, [, number]) => sum + number, 0);
  const were = before.length === 1 ? safe`1 was` : safe`${before.length} were`;
  if (count === 0 && before.length > 0) return safe`Nothing was to be deleted; ${were} gone before.`;
  if (count === 0 && !report.isComplete) return safe`No control planes are reported.`;
  if (count === 0) return safe`No control planes: there was nothing to do.`;
  const outcomes = tonight.map(([outcome, number]) => safe`${number} ${outcomeOf({ outcome })}`);
  const earlier = before.length === 0 ? safe`` : safe`; ${were} gone before`;
  return safe`${countControlPlanes(count)}: ${joinSafe(outcomes, ", ")}${earlier}`;
}

/** Returns what was gone before the last night on each stack began, or without it. Empty if there is no night. */
export function goneBefore({ gone, nights = [] }: Report): readonly ReportLine[] {
  const startedAt = decisiveNights(nights).map((night) => night.startedAt);
  const [first] = startedAt.sort();
  if (first === undefined) return [];
  return gone.filter(({ outcome, time }) => outcome !== "deleted" || time < first);
}

/** Returns when the report begins and how long it lasts: `2 nights, from 2026-01-01 02:00:00 UTC, 12.4 s`. */
export function describeSpan({ runs, nights = [], ...report }: Report): SafeText | undefined {
  const startedAt = nights[0]?.startedAt ?? report.startedAt;
  const endedAt = nights.at(-1)?.time ?? report.endedAt;
  if (startedAt === undefined || endedAt === undefined) return undefined;
  const from = safeText(startedAt.slice(0, 19).replace("T", " "), 19);
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  const what = nights.length > 0 ? safe`night` : safe`run`;
  return safe`${runs} ${what}${runs === 1 ? safe`` : safe`s`}, from ${from} UTC, ${describeDuration(ms)}`;
}

/** Returns why a report is not complete although no control plane may be left. Undefined if every line could be read. */
export function describeUnread({ left, files }: Report): SafeText | undefined {
  const count = countUnread(files);
  if (count === 0) return undefined;
  const lines = count === 1 ? safe`1 line` : safe`${count} lines`;
  const anything = left.length === 0 ? safe`anything` : safe`anything else`;
  return safe`It is not known whether ${anything} is left: ${lines} cannot be read.`;
}

/** Returns what of a file is in the report, or undefined if all of it is. */
export function describeSkipped({ name, skipped, firstSkipped }: ReportedFile): SafeText | undefined {
  const reasons = (["torn", "foreign", "newer"] as const).filter((reason) => skipped[reason] > 0);
  if (reasons.length === 0) return undefined;
  const count = reasons.reduce((sum, reason) => sum + skipped[reason], 0);
  const words = joinSafe(
    reasons.map((reason) => safe`${skipped[reason]} ${SKIP_WORDS[reason]}`),
    ", ",
  );
  const places = joinSafe(
    firstSkipped.map(({ line }) => safe`${line}`),
    ", ",
  );
  const more = count > firstSkipped.length ? safe`, …` : safe``;
  return safe`${safeText(name, 200)}: ${count === 1 ? safe`1 line is` : safe`${count} lines are`} not in the report (${words}): line ${places}${more}`;
}

const SKIP_WORDS = {
  torn: safe`cut off or damaged`,
  foreign: safe`not from this package`,
  newer: safe`from a newer release`,
} as const;
