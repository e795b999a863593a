import { safeText, type SafeText } from "../../text/safe-text.js";
import type { AttemptSpan, CallEnd } from "../retry/call.js";

/** The facts of a call that has ended, whether it succeeded or not. */
export interface CallFacts {
  /** Attempts made; 0 when the run was stopped before the first. */
  readonly attempts: number;
  /** When the first attempt started, in epoch milliseconds. */
  readonly startedAtMs: number;
  /** Time since then, in milliseconds. */
  readonly durationMs: number;
  /** Own delays between attempts, in milliseconds. Queueing and pauses do not count. */
  readonly waitedMs: number;
  /** HTTP status of the last answer. Missing when none arrived. */
  readonly status?: number;
  /** Correlation identifier of the last answer, which the service's support asks for. */
  readonly traceId?: SafeText;
  /** Correlation identifiers of the answers before the last one, oldest first. Missing when there are none. */
  readonly earlierTraceIds?: readonly SafeText[];
  /** All attempts, oldest first. Missing when there was one at most. */
  readonly timeline?: readonly AttemptSpan[];
  /** `system account token from KONNECT_SPAT`, for example. */
  readonly tokenSource: SafeText;
}

/** Returns the facts of a call. */
export function factsOf(end: CallEnd<unknown>): CallFacts {
  const { answer, judgement, token, attempts, startedAtMs, durationMs, waitedMs } = end;
  const { earlierTraceIds, timeline } = end;
  const { instance } = judgement.problem;
  return {
    attempts,
    startedAtMs,
    durationMs,
    waitedMs,
    ...(answer.kind === "reply" && { status: answer.status }),
    ...(instance !== undefined && { traceId: traceIdOf(instance) }),
    ...(earlierTraceIds !== undefined && { earlierTraceIds: earlierTraceIds.map(traceIdOf) }),
    ...(timeline !== undefined && { timeline }),
    tokenSource: token.describe(),
  };
}

/** Returns the facts of two calls, one after the other, as those of one. */
export function joinFacts(first: CallFacts, second: CallFacts): CallFacts {
  const last = second.attempts === 0 ? first : second;
  const all = [...traceIdsOf(first), ...traceIdsOf(second)];
  const earlierTraceIds = last.traceId === undefined ? all : all.slice(0, -1);
  // The clock of the machine may have been set back in between.
  const offsetMs = Math.max(first.durationMs, second.startedAtMs - first.startedAtMs);
  const timeline = [
    ...timelineOf(first),
    ...timelineOf(second).map((span) => ({ ...span, atMs: span.atMs + offsetMs })),
  ];
  return {
    ...last,
    ...(earlierTraceIds.length > 0 && { earlierTraceIds }),
    ...(timeline.length > 1 && { timeline }),
    attempts: first.attempts + second.attempts,
    startedAtMs: first.startedAtMs,
    durationMs: first.durationMs + second.durationMs,
    waitedMs: first.waitedMs + second.waitedMs,
  };
}

/** Returns the correlation identifiers of all answers of a call, oldest first. */
export function traceIdsOf({ earlierTraceIds = [], traceId }: CallFacts): readonly SafeText[] {
  return traceId === undefined ? earlierTraceIds : [...earlierTraceIds, traceId];
}

/** Returns all attempts, also when there was only one. */
function timelineOf({ attempts, durationMs, status, timeline }: CallFacts): readonly AttemptSpan[] {
  if (timeline !== undefined || attempts === 0) return timeline ?? [];
  return [{ atMs: 0, durationMs, ...(status !== undefined && { status }) }];
}

function traceIdOf(instance: string): SafeText {
  return safeText(instance, 120);
}
