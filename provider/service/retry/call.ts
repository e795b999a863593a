import type { Answer } from "../http/answer.js";
import type { Token, TokenSource } from "../http/token.js";
import type { CallSubject } from "../operations/control-plane-ref.js";
import type { Awaited, Operation } from "../operations/operation.js";
import type { Problem } from "../problem/problem.js";
import type { StopReason } from "./decide-retry.js";
import type { Judgement } from "./judge.js";
import type { Limits } from "./limits.js";

/** What a call uses of the hook that makes it. */
export interface CallScope {
  /** Aborts when the hook has to end. Waits then end, and no new request starts. */
  readonly signal: AbortSignal;
  /** When the hook has to end at the latest, in monotonic milliseconds. */
  readonly deadlineMs: number;
  readonly emit: (event: CallEvent) => void;
  /** Set when the hook has sent a DELETE that may have worked, and makes the call to check whether it may send another. */
  readonly mayHaveWorked?: boolean;
}

/** One call: an operation, repeated until its end is known. */
export interface Call<Result> {
  readonly operation: Operation<Result>;
  readonly subject: CallSubject;
  readonly token: Token;
  readonly renewedToken: TokenSource["renewed"];
  readonly limits: Limits;
  readonly scope: CallScope;
  /** What has to hold when an attempt starts. Default: nothing. */
  readonly precondition?: Precondition | undefined;
}

/**
 * What has to hold when an attempt starts. Checking it takes calls of its own. An attempt can wait so long for its turn that
 * the check is out of date.
 */
export interface Precondition {
  /** Whether the last check is so recent that an attempt may start now. */
  readonly isFresh: () => boolean;
  /**
   * Checks it. Rejects when the operation must not be sent, and the call rejects with the same error.
   *
   * @param last how the last attempt ended; undefined before the first one
   */
  readonly check: (last: CallEnd<unknown> | undefined) => Promise<void>;
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
  /** What the service may still carry out or show. Undefined when the answer is a failure. */
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
 * When an attempt was made, and what it got.
 *
 * @category Automation API
 */
export interface AttemptSpan {
  /** From the start of the first attempt to the start of this one, in milliseconds. */
  readonly atMs: number;
  /** From its start to the end of its answer, in milliseconds. */
  readonly durationMs: number;
  /** HTTP status of the answer. Missing when none arrived. */
  readonly status?: number;
}

/** How a call ended. */
export interface CallEnd<Result> {
  readonly answer: Answer;
  readonly judgement: Judgement<Result>;
  /** The token of the last attempt. */
  readonly token: Token;
  /** Attempts made; 0 when the run was stopped before the first. */
  readonly attempts: number;
  /** When the first attempt started, in epoch milliseconds. */
  readonly startedAtMs: number;
  /** Time since then, in milliseconds. */
  readonly durationMs: number;
  /** Own delays between attempts, in milliseconds. Queueing and pauses do not count. */
  readonly waitedMs: number;
  /** What the call used of its budget, in milliseconds: its attempts and delays, but not the pauses of other calls. */
  readonly spentMs: number;
  /** Set when a temporary failure was not tried again. */
  readonly stop?: StopReason | "interrupted";
  /** Whether an attempt may have worked although its answer does not show it. */
  readonly mayHaveWorked: boolean;
  /** Correlation identifiers of the answers before the last one, oldest first, as they were sent. */
  readonly earlierTraceIds?: readonly string[];
  /** All attempts, oldest first. Missing when there was one at most. */
  readonly timeline?: readonly AttemptSpan[];
}
