import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { type Problem, renderReason } from "../service/problem/problem.js";
import { type AttemptSpan, type CallFacts, traceIdsOf } from "../service/retry/call.js";
import { storableName, storableText } from "../text/safe-text.js";
import { fitLine, type LineLimits } from "./line-limits.js";
import { LINE_VERSION, type RemovedMembers, type ReportedProblem, type ReportLine } from "./line-model.js";
import type { ConclusionEvent } from "./outcome-event.js";

/** What a line holds besides the event. */
export interface LineContext {
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** The members that the operation removed from a group. */
  readonly membersRemoved?: readonly { readonly id: string; readonly name?: string | undefined }[];
}

/**
 * Returns the line of an event, of at most 4,096 bytes with its line break. Returns undefined for `found`: a control
 * plane that a refresh or a look-up has read is no news.
 */
export function reportLine(event: ConclusionEvent, context: LineContext): string | undefined {
  if (event.type === "found") return undefined;
  return fitLine((limits) => JSON.stringify(toReportLine(event, context, limits)));
}

function toReportLine(
  event: Exclude<ConclusionEvent, { type: "found" }>,
  { runId, nowMs, membersRemoved = [] }: LineContext,
  limits: LineLimits,
): ReportLine {
  const error = "error" in event ? event.error : undefined;
  const { facts, problem } = describeCall(event, error);
  const end = new Date(nowMs).toISOString();
  // Newest last, and the newest ones matter most.
  const traceIds = (facts === undefined ? [] : traceIdsOf(facts)).slice(-limits.traceIds);
  return {
    schemaVersion: LINE_VERSION,
    runId,
    time: end,
    startedAt: facts === undefined ? end : new Date(facts.startedAtMs).toISOString(),
    ...operationAndOutcome(event),
    controlPlane: describeControlPlane(event.controlPlane),
    ...(facts?.status !== undefined && { status: facts.status }),
    attempts: facts?.attempts ?? 0,
    durationMs: Math.round(facts?.durationMs ?? 0),
    waitedMs: Math.round(facts?.waitedMs ?? 0),
    traceIds: traceIds.map((traceId) => storableText(traceId, limits.traceIdLength)),
    ...(problem !== undefined && { problem: describeProblem(problem, limits) }),
    ...(error !== undefined && { error: describeError(error, limits) }),
    ...(membersRemoved.length > 0 && { membersRemoved: describeRemoved(membersRemoved, limits) }),
    ...(facts !== undefined && { tokenSource: storableText(facts.tokenSource, 100) }),
    ...describeTimeline(facts?.timeline, limits),
  };
}

/** Returns the last attempts, in whole milliseconds. */
function describeTimeline(
  timeline: readonly AttemptSpan[] = [],
  { attempts }: LineLimits,
): Pick<ReportLine, "timeline"> {
  const last = timeline
    .slice(Math.max(0, timeline.length - attempts))
    .map(({ atMs, durationMs, status }) => ({
      atMs: Math.round(atMs),
      durationMs: Math.round(durationMs),
      ...(status !== undefined && { status }),
    }));
  return last.length === 0 ? {} : { timeline: last };
}

function describeCall(
  event: ConclusionEvent,
  error: Error | undefined,
): { readonly facts: CallFacts | undefined; readonly problem: Problem | undefined } {
  if (error instanceof ControlPlaneError) return { facts: error.facts, problem: error.problem };
  return { facts: "facts" in event ? event.facts : undefined, problem: undefined };
}

function operationAndOutcome(
  event: Exclude<ConclusionEvent, { type: "found" }>,
): Pick<ReportLine, "operation" | "outcome"> {
  switch (event.type) {
    case "adopted":
      return { operation: "adopt", outcome: "adopted" };
    case "adopted unread":
      return { operation: "adopt", outcome: "adopted-unread" };
    case "created":
      return { operation: "create", outcome: "created" };
    case "updated":
      return { operation: "update", outcome: "updated" };
    case "unreadable":
    case "gone":
      return { operation: "read", outcome: event.type };
    case "let go":
      return { operation: event.movedTo === undefined ? "update" : "delete", outcome: "kept" };
    case "deleted":
    case "kept":
      return { operation: "delete", outcome: event.type };
    case "already gone":
      return { operation: "delete", outcome: "already-gone" };
    case "failed": {
      const operation = event.purpose === "look up" ? "look-up" : event.purpose;
      const isInterrupted = event.error instanceof ControlPlaneError && event.error.kind === "interrupted";
      return { operation, outcome: isInterrupted ? "interrupted" : "failed" };
    }
  }
}

/** A longer address is left out. A report tells control planes apart by it, and two that are cut can look alike. */
const MAX_ADDRESS_LENGTH = 200;

function describeControlPlane({
  id,
  name,
  address,
}: {
  readonly id: string;
  readonly name?: string | undefined;
  readonly address?: string;
}): ReportLine["controlPlane"] {
  const isWhole = address !== undefined && address.length <= MAX_ADDRESS_LENGTH;
  return {
    id: storableText(id, 60),
    ...(name !== undefined && { name: storableName(name) }),
    ...(isWhole && { address: storableText(address, MAX_ADDRESS_LENGTH) }),
  };
}

function describeRemoved(
  removed: NonNullable<LineContext["membersRemoved"]>,
  { members }: LineLimits,
): RemovedMembers {
  const named = removed.slice(0, members).map(({ id, name }) => ({
    id: storableText(id, 60),
    ...(name !== undefined && { name: storableName(name) }),
  }));
  return { count: removed.length, members: named };
}

function describeProblem(problem: Problem, limits: LineLimits): ReportedProblem {
  const { status, invalidParameters } = problem;
  const texts = textsOf(problem, {
    title: Math.min(120, limits.textLength),
    type: Math.min(200, limits.textLength),
    instance: Math.min(120, limits.textLength),
    detail: limits.textLength,
  });
  const parameters = invalidParameters.slice(0, limits.invalidParameters).map((parameter) => ({
    ...textsOf(parameter, { field: 80 }),
    reason: storableText(renderReason(parameter), 200),
  }));
  return {
    ...(status !== undefined && Number.isInteger(status) && { status }),
    ...texts,
    ...(parameters.length > 0 && { invalidParameters: parameters }),
  };
}

/** Returns the members that are strings, each in a form that can be stored, and cut at its length. */
export function textsOf<Name extends string>(
  values: Readonly<Partial<Record<NoInfer<Name>, unknown>>>,
  maxLengths: Readonly<Record<Name, number>>,
): Readonly<Partial<Record<Name, string>>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(maxLengths) as Name[]) {
    const value = values[name];
    if (typeof value === "string") texts[name] = storableText(value, maxLengths[name]);
  }
  return texts;
}

function describeError(
  error: Error,
  { textLength, findings: most }: LineLimits,
): NonNullable<ReportLine["error"]> {
  if (!(error instanceof ControlPlaneError)) {
    return { kind: "internal", summary: storableText(error.message, Math.min(300, textLength)) };
  }
  const { kind, summary, next } = error;
  const findings = error.findings.slice(0, most).map((finding) => storableText(finding, textLength));
  return {
    kind,
    summary: storableText(summary, Math.min(200, textLength)),
    ...(next !== undefined && { next: storableText(next, 200) }),
    ...(findings.length > 0 && { findings }),
  };
}
