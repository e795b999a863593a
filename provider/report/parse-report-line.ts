import { isObject, parseJsonObject } from "../text/json.js";
import { storableName, storableText } from "../text/safe-text.js";
import { LINE_VERSION, OPERATIONS, OUTCOMES, type ReportedProblem, type ReportLine } from "./line-model.js";
import { NIGHT_VERSION } from "./night-line.js";
import { textsOf } from "./report-line.js";
import { SELECTION_VERSION } from "./selection-line.js";

/**
 * Why a line is not in the report. `torn`: it was cut off. `newer`: a newer release wrote it. `foreign`: it is of another program.
 *
 * @category Automation API
 */
export type SkipReason = "torn" | "foreign" | "newer";

/** A parsed line of a report file. Text in it is bounded and safe, because any program may have written the file. */
export type ParsedLine =
  { readonly ok: true; readonly line: ReportLine } | { readonly ok: false; readonly reason: SkipReason };

/** Parses a line of a report file. Never throws. */
export function parseReportLine(text: string): ParsedLine {
  const json = text.length > LONGEST_LINE ? undefined : parseJsonObject(text);
  if (json === undefined) return skip(MARKS_OF_A_PART.test(text) ? "torn" : "foreign");
  const { schemaVersion, operation, outcome, nightVersion, selectionVersion } = json;
  // A line about a night or a selection that this release cannot parse may have told of a failure.
  if (nightVersion !== undefined) return skip(nightVersion === NIGHT_VERSION ? "torn" : "newer");
  if (selectionVersion !== undefined) return skip(selectionVersion === SELECTION_VERSION ? "torn" : "newer");
  if (schemaVersion === undefined) return skip("foreign");
  if (!Number.isInteger(schemaVersion) || Number(schemaVersion) < LINE_VERSION) return skip("torn");
  if (schemaVersion !== LINE_VERSION) return skip("newer");
  // A later release may add operations and outcomes without a new version.
  if (typeof operation !== "string" || typeof outcome !== "string") return skip("torn");
  if (!isOneOf(OPERATIONS, operation) || !isOneOf(OUTCOMES, outcome)) return skip("newer");
  const facts = parseFacts(json);
  if (facts === undefined) return skip("torn");
  return { ok: true, line: { schemaVersion, operation, outcome, ...facts } };
}

/**
 * What a part of a line holds. Whichever way the bytes of a line are spread over several lines, the one with its beginning
 * has a brace. A crash can leave zeros, and bytes that are no UTF-8.
 */
// eslint-disable-next-line no-control-regex -- the zeros
const MARKS_OF_A_PART = /[{}"\u0000\ufffd]/;

/** Later releases may write longer lines than this one. */
const LONGEST_LINE = 64 * 1024;

/** Longer than what is written, because a shortened string ends with words about the rest. */
const TEXT_LENGTH = 1_100;
const MAX_ENTRIES = 100;

function skip(reason: SkipReason): ParsedLine {
  return { ok: false, reason };
}

/** Returns undefined if a required member is missing or of the wrong type. */
function parseFacts(
  json: Readonly<Record<string, unknown>>,
): Omit<ReportLine, "schemaVersion" | "operation" | "outcome"> | undefined {
  const { runId, attempts, durationMs, waitedMs, traceIds, status, problem } = json;
  const controlPlane = parseControlPlane(json.controlPlane);
  const [time, startedAt] = [parseTime(json.time), parseTime(json.startedAt)];
  if (controlPlane === undefined || time === undefined || startedAt === undefined) return undefined;
  if (typeof runId !== "string" || !Array.isArray(traceIds)) return undefined;
  if (!isCount(attempts) || !isCount(durationMs) || !isCount(waitedMs)) return undefined;
  const error = parseError(json.error);
  return {
    runId: storableText(runId, 100),
    time,
    startedAt,
    controlPlane,
    attempts,
    durationMs,
    waitedMs,
    traceIds: traceIds
      .slice(0, MAX_ENTRIES)
      .flatMap((id) => (typeof id === "string" ? [storableText(id, 160)] : [])),
    ...textsOf(json, { resource: TEXT_LENGTH, tokenSource: 140 }),
    ...(isCount(status) && { status }),
    ...(isObject(problem) && { problem: parseReportedProblem(problem) }),
    ...(error !== undefined && { error }),
    ...parseRemovedMembers(json.membersRemoved),
    ...parseTimeline(json.timeline),
  };
}

/** Leaves out entries without times. */
function parseTimeline(value: unknown): Pick<ReportLine, "timeline"> {
  const timeline = (Array.isArray(value) ? value.slice(-MAX_ENTRIES) : []).flatMap((entry: unknown) => {
    if (!isObject(entry) || !isCount(entry.atMs) || !isCount(entry.durationMs)) return [];
    const { atMs, durationMs, status } = entry;
    return [{ atMs, durationMs, ...(isCount(status) && { status }) }];
  });
  return timeline.length === 0 ? {} : { timeline };
}

function parseControlPlane(value: unknown): ReportLine["controlPlane"] | undefined {
  if (!isObject(value) || typeof value.id !== "string") return undefined;
  const { address } = value;
  return {
    id: storableText(value.id.toLowerCase(), 100),
    ...(typeof value.name === "string" && { name: storableName(value.name) }),
    ...(typeof address === "string" && isWhole(address) && { address: storableText(address, TEXT_LENGTH) }),
  };
}

/** Whether an address was not cut. Earlier releases cut long ones, and two that are cut can look alike. */
function isWhole(address: string): boolean {
  return address.length <= TEXT_LENGTH && !address.includes("…");
}

function parseReportedProblem(problem: Readonly<Record<string, unknown>>): ReportedProblem {
  const { status, invalidParameters } = problem;
  const parameters = (
    Array.isArray(invalidParameters) ? invalidParameters.slice(0, MAX_ENTRIES) : []
  ).flatMap((entry: unknown) => {
    const { field, reason } = isObject(entry) ? textsOf(entry, { field: 120, reason: 240 }) : {};
    return reason === undefined ? [] : [{ ...(field !== undefined && { field }), reason }];
  });
  return {
    ...(isCount(status) && { status }),
    ...textsOf(problem, { title: 160, type: 240, instance: 160, detail: TEXT_LENGTH }),
    ...(parameters.length > 0 && { invalidParameters: parameters }),
  };
}

/** The kind is one of this release's kinds, or one of a later release. No code depends on it. */
function parseError(value: unknown): ReportLine["error"] {
  if (!isObject(value)) return undefined;
  const { kind, summary, next } = textsOf(value, { kind: 60, summary: 340, next: 240 });
  if (kind === undefined || summary === undefined) return undefined;
  const findings = (Array.isArray(value.findings) ? value.findings.slice(0, MAX_ENTRIES) : []).flatMap(
    (finding: unknown) => (typeof finding === "string" ? [storableText(finding, TEXT_LENGTH)] : []),
  );
  return { kind, summary, ...(next !== undefined && { next }), ...(findings.length > 0 && { findings }) };
}

/** Leaves out members without an id. */
function parseRemovedMembers(value: unknown): Pick<ReportLine, "membersRemoved"> {
  if (!isObject(value) || !isCount(value.count) || value.count === 0) return {};
  const { count } = value;
  const members = (Array.isArray(value.members) ? value.members.slice(0, MAX_ENTRIES) : []).flatMap(
    (member: unknown) => parseControlPlane(member) ?? [],
  );
  return {
    membersRemoved: {
      count,
      members: members.map(({ id, name }) => ({ id, ...(name !== undefined && { name }) })),
    },
  };
}

/** RFC 3339. Returned in the form that this package writes. */
function parseTime(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isOneOf<Value extends string>(values: readonly Value[], value: string): value is Value {
  return (values as readonly string[]).includes(value);
}
