import { safeText, type SafeText } from "../../text/safe-text.js";
import type { Answer } from "../http/answer.js";
import type { Token, TokenSource } from "../http/token.js";
import type { Send } from "../http/transport.js";
import type { CallSubject } from "../operations/control-planes.js";
import type { Awaited, Operation } from "../operations/operation.js";
import type { Problem } from "../problem/problem.js";
import type { AttemptGate, Clock } from "./attempt-gate.js";
import { type Judgment, type Limits, parseHttpDate, type StopReason } from "./judge.js";

/** What a call uses of the hook that makes it. */
export interface CallScope {
  /** Aborts when the hook has to end. Waits then end, and no new request starts. */
  readonly signal: AbortSignal;
  /** When the hook has to end at the latest, in monotonic milliseconds. */
  readonly deadlineMs: number;
  /** Time for each call with all its retries, in milliseconds. Default: the budget in the settings. */
  readonly budgetMs?: number | undefined;
  readonly emit: (event: CallEvent) => void;
  /** Set when the hook has sent a DELETE that may have worked, and makes the call to check whether it may send another. */
  readonly mayHaveWorked?: boolean;
}

/** One call: an operation, repeated until its end is known, or until its precondition finds that it is not needed. */
export interface Call<Result, Found extends Unneeded = never> {
  readonly operation: Operation<Result>;
  readonly subject: CallSubject;
  readonly token: Token;
  readonly renewedToken: TokenSource["renewed"];
  readonly limits: Limits;
  readonly scope: CallScope;
  /** Condition for the start of an attempt. Default: none. */
  readonly precondition?: Precondition<Found> | undefined;
}

/**
 * What has to hold when an attempt starts. Checking it takes calls of its own. An attempt can wait so long for its turn that
 * the check is out of date.
 */
export interface Precondition<Found extends Unneeded = never> {
  /** Whether the last check is so recent that an attempt may start now. */
  readonly isFresh: () => boolean;
  /**
   * Checks it. Rejects when the operation must not be sent, and the call rejects with the same error.
   *
   * @param last how the last attempt ended; undefined before the first one
   * @returns what makes the operation unnecessary, with which the call then ends; undefined if it may be sent
   */
  readonly check: (last: CallEnd<unknown> | undefined) => Promise<Found | undefined>;
}

/** What a precondition found that makes an operation unnecessary. */
export interface Unneeded {
  readonly outcome: string;
}

/** What a call says while it goes on. */
export type CallEvent = RetryingEvent | CallEndedEvent;

/** A call that has emitted a retry has ended, whatever its end. */
export interface CallEndedEvent {
  readonly type: "call ended";
  readonly callId: number;
}

/** A call is about to wait before its next attempt. */
export interface RetryingEvent {
  readonly type: "retrying";
  /** Identifies the call in this process. */
  readonly callId: number;
  readonly subject: CallSubject;
  readonly answer: Answer;
  /** What the answer says. */
  readonly problem: Problem;
  /** What the service may still carry out or show. Undefined if the answer is a failure. */
  readonly awaits: Awaited | undefined;
  /** The attempt to come, counted from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The time until then: the call's own delay, or the rest of a pause that the service asked for if that is longer. */
  readonly delayMs: number;
  /** What is left after the delay: of the budget, and of the time that the address may go without a success. */
  readonly leftMs: number;
}

/**
 * One attempt of an operation.
 *
 * @category Automation API
 * @schema report-line.schema.json
 */
export interface AttemptSpan {
  /** From the start of the first attempt to the start of this one, in milliseconds. */
  readonly atMs: number;
  /** From its start to the end of its answer, in milliseconds. */
  readonly durationMs: number;
  /** HTTP status of the answer, if one arrived. */
  readonly status?: number;
}

/** How a call ended. */
export interface CallEnd<Result> extends Pick<
  CallFacts,
  "attempts" | "startedAtMs" | "durationMs" | "waitedMs" | "timeline"
> {
  readonly answer: Answer;
  readonly judgment: Judgment<Result>;
  /** The token of the last attempt. */
  readonly token: Token;
  /** What the call used of its budget, in milliseconds: its attempts and delays, but not the pauses of other calls. */
  readonly spentMs: number;
  /** Set when a temporary failure was not tried again. */
  readonly stop?: StopReason | "interrupted";
  /** Whether an attempt may have worked although its answer does not show it. */
  readonly mayHaveWorked: boolean;
  /** Correlation identifiers of the answers before the last one, oldest first, as they were sent. */
  readonly earlierTraceIds?: readonly string[];
}

/** Everything outside itself that a call uses. Tests replace it. */
export interface Effects {
  readonly clock: Clock;
  readonly gate: AttemptGate;
  readonly send: Send;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Epoch milliseconds, for dates in headers and reports. */
  readonly epochMs: () => number;
}

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
  /** HTTP status of the last answer. Missing if none arrived. */
  readonly status?: number;
  /** Correlation identifier of the last answer, which the service's support asks for. */
  readonly traceId?: SafeText;
  /** Correlation identifiers of the answers before the last one, oldest first. Missing if there are none. */
  readonly earlierTraceIds?: readonly SafeText[];
  /** All attempts, oldest first. Missing if there was one at most. */
  readonly timeline?: readonly AttemptSpan[];
  /** `system account token from KONNECT_SPAT`, for example. */
  readonly tokenSource: SafeText;
}

/** Returns the facts of a call. */
export function factsOf(end: CallEnd<unknown>): CallFacts {
  const { answer, judgment, token, attempts, startedAtMs, durationMs, waitedMs } = end;
  const { earlierTraceIds, timeline } = end;
  const { instance } = judgment.problem;
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

/**
 * When an answer was given, in epoch milliseconds: by the clock of this machine, and by the `Date` of the answer. Each
 * clock can be wrong. The caller uses the one of the two times by which less is deleted.
 */
export interface AnswerTime {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Returns when the last answer of a call was given. An answer without a `Date` counts by the clock of this machine. */
export function timeOf({ answer, startedAtMs, durationMs }: CallEnd<unknown>): AnswerTime {
  const localMs = startedAtMs + durationMs;
  const atMs = answeredAtMs(answer, localMs);
  return { earliestMs: Math.min(localMs, atMs), latestMs: Math.max(localMs, atMs) };
}

/**
 * Returns the `Date` of an answer in epoch milliseconds, to compare it with other times of the service. Without a `Date`, returns the
 * time of this machine.
 */
export function answeredAtMs(answer: Answer, localMs: number): number {
  const date = answer.kind === "reply" ? answer.date : undefined;
  return (date === undefined ? undefined : parseHttpDate(date, localMs)) ?? localMs;
}

/** Returns the span from the earlier to the later of two answers. */
export function joinTimes(a: AnswerTime, b: AnswerTime): AnswerTime {
  return {
    earliestMs: Math.min(a.earliestMs, b.earliestMs),
    latestMs: Math.max(a.latestMs, b.latestMs),
  };
}
