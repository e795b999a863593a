import pRetry from "p-retry";
import { safe, type SafeText } from "../text/safe-text.js";
import { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall, explainUnusable, type FailedCall } from "./failure/explain-call.js";
import type { Purpose } from "./failure/purpose.js";
import { urlOf } from "./http/address.js";
import type { Answer } from "./http/answer.js";
import type { Token, TokenSource } from "./http/token.js";
import { withTimeLimit } from "./http/transport.js";
import type { CallSubject } from "./operations/control-planes.js";
import type { Operation } from "./operations/operation.js";
import type { Attempted, Observed, Permit } from "./retry/attempt-gate.js";
import {
  answeredAtMs,
  type AttemptSpan,
  type Call,
  type CallEnd,
  type CallScope,
  type Effects,
  type Precondition,
  type Unneeded,
} from "./retry/call.js";
import {
  decideRetry,
  judge,
  type Judgment,
  type Limits,
  parseRetryAfter,
  retryDelayMs,
} from "./retry/judge.js";
import { observe } from "./retry/pace.js";

/** What the calls of a run share. */
export interface CallerOptions {
  readonly limits: Limits;
  readonly tokens: TokenSource;
  readonly effects: Effects;
}

/** How one call differs from the others of the run. */
export interface CallOptions<Found extends Unneeded = never> {
  readonly purpose: Purpose;
  /** What a failure means, where the purpose does not show it. */
  readonly reason?: SafeText | undefined;
  /** Returns what a failure means for the subject, where the purpose does not show it. */
  readonly outcome?: FailedCall["outcome"];
  /** Default: the token of the run. */
  readonly token?: Token;
  /** Default: the limits of the run. */
  readonly limits?: Limits;
  /** Condition for the start of an attempt. Default: none. */
  readonly precondition?: Precondition<Found> | undefined;
}

/** A call that has ended, and what the message of a failure needs of it. */
export interface Ended<Result> {
  readonly end: CallEnd<Result>;
  readonly failed: FailedCall;
}

/** Makes the calls of a run. */
export class Caller {
  constructor(private readonly options: CallerOptions) {}

  /**
   * Makes one call. Returns what its precondition found instead of its end when that made it unnecessary.
   *
   * @throws ControlPlaneError if there is no usable token, or the error of the precondition; every other end is returned
   */
  async call<Result, Found extends Unneeded = never>(
    operation: Operation<Result>,
    subject: CallSubject,
    scope: CallScope,
    { purpose, reason, outcome, token, limits = this.#limitsOf(scope), precondition }: CallOptions<Found>,
  ): Promise<Ended<Result> | Found> {
    const { tokens, effects } = this.options;
    const call = {
      operation,
      subject,
      token: token ?? usableToken(tokens, subject, purpose),
      renewedToken: tokens.renewed,
      limits,
      scope,
      precondition,
    };
    const end = await runCall(call, effects);
    if ("outcome" in end) return end;
    const { mayHaveWorked } = scope;
    const tokenHints = tokens.hints;
    return {
      end,
      failed: { purpose, reason, outcome, subject, operation, end, limits, tokenHints, mayHaveWorked },
    };
  }

  #limitsOf({ budgetMs }: CallScope): Limits {
    const { limits } = this.options;
    return budgetMs === undefined ? limits : { ...limits, budgetMs, budgetFrom: "customTimeouts" };
  }

  /** Returns how many calls to an address may be in flight now. */
  callsAtATime(address: string): number {
    return this.options.effects.gate.attemptsAtATime(address);
  }

  /** Returns the present in monotonic milliseconds. */
  nowMs(): number {
    return this.options.effects.clock.now();
  }

  /** Waits. Rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.options.effects.clock.sleep(ms, signal);
  }

  /** Lets work make calls of one attempt that ends within a time, its wait for a turn included. */
  within<T>(
    limitMs: number,
    scope: CallScope,
    work: (scope: CallScope, limits: Limits) => Promise<T>,
  ): Promise<T> {
    const limits = { maxAttempts: 1, budgetMs: limitMs, requestTimeoutMs: limitMs, isOnce: true };
    const deadlineMs = Math.min(scope.deadlineMs, this.nowMs() + limitMs);
    const onLimit = () => new Error(`no turn within ${limitMs / 1000} s`);
    return withTimeLimit(scope.signal, limitMs, onLimit, (signal) =>
      work({ ...scope, signal, deadlineMs }, limits),
    );
  }
}

/** Returns the result of a call. @throws ControlPlaneError if it has none */
export function resultOf<Result>({ end, failed }: Ended<Result>): Result {
  if (end.judgment.verdict !== "done") throw explainCall(failed);
  return end.judgment.result;
}

function usableToken(tokens: TokenSource, subject: CallSubject, purpose: Purpose): Token {
  try {
    return tokens.current();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    throw explainUnusable(purpose, subject, [error.summary]);
  }
}

/**
 * Repeats an operation by the policy until it is done, refused, or not worth repeating, or until its precondition finds
 * that it is not needed. Rejects on a defect, and with the error of a precondition that does not hold.
 */
export async function runCall<Result, Found extends Unneeded = never>(
  call: Call<Result, Found>,
  effects: Effects,
): Promise<CallEnd<Result> | Found> {
  const attempts = new Attempts(call, effects);
  const attemptOnce = async (attempt: number) => {
    const end = await attempts.make(attempt);
    if (end === undefined) throw new AnotherAttempt();
    return end;
  };
  try {
    // p-retry runs the loop. The delay is ours, so its own is zero.
    return await pRetry(attemptOnce, {
      retries: Math.max(call.limits.maxAttempts, LAG_ATTEMPTS) - 1,
      minTimeout: 0,
      shouldRetry: ({ error }) => error instanceof AnotherAttempt,
    });
  } catch (error) {
    return attempts.endBy(error);
  } finally {
    attempts.emitEndAfterRetries();
  }
}

/** The error with which an attempt asks p-retry for another one. */
class AnotherAttempt extends Error {}

/** The attempts of one call so far. */
class Attempts<Result, Found extends Unneeded> {
  /** Of the budget: own attempts and own delays, but not the queue or pauses that other calls caused. */
  #spentMs = 0;
  #waitedMs = 0;
  #started: { readonly atMs: number; readonly epochMs: number } | undefined;
  #mayHaveWorked = false;
  readonly #earlierTraceIds: string[] = [];
  readonly #timeline: AttemptSpan[] = [];
  #mayRenewToken = true;
  /** When an attempt first failed in a way that may be the control plane's own. */
  #failedMs: number | undefined;
  static #lastCallId = 0;
  #callId: number | undefined; // set by the first retry
  #token: Token;
  #last: CallEnd<Result> | undefined;

  constructor(
    private readonly call: Call<Result, Found>,
    private readonly effects: Effects,
  ) {
    this.#token = call.token;
  }

  /** Makes the nth attempt. Returns the end of the call, or undefined if another attempt follows; it then has waited. */
  async make(attempt: number): Promise<CallEnd<Result> | Found | undefined> {
    const turn = await this.#takeTurn(attempt);
    if ("outcome" in turn) return turn;
    const { value, hopelessInMs, pauseMs } = turn;
    const { end, delayMs, isAsked } = value;
    if (end.judgment.verdict !== "retry") return this.#renewToken(end) ? this.make(attempt) : end;
    const leftMs = this.#leftMs();
    const facts = { attempt, delayMs, isAsked, leftMs, hopelessInMs };
    const decision = decideRetry(
      { ...this.call.limits, maxAttempts: this.#maxAttempts(end.judgment) },
      facts,
    );
    if (!decision.retry) {
      const isCertain = decision.because === "attempts used up" && end.judgment.row.failure !== "unavailable";
      if (!isCertain) return { ...end, stop: decision.because };
      // The service said the same until there is no attempt left, so it counts although the control plane is new.
      return { ...end, judgment: judge(this.call.operation, end.answer) };
    }
    await this.#wait(end, attempt, delayMs, { leftMs: Math.min(leftMs, hopelessInMs) - delayMs, pauseMs });
    return undefined;
  }

  async #wait(
    { answer, judgment }: CallEnd<Result>,
    attempt: number,
    delayMs: number,
    { leftMs, pauseMs }: { readonly leftMs: number; readonly pauseMs: number },
  ): Promise<void> {
    const { subject, scope } = this.call;
    scope.signal.throwIfAborted();
    this.#spentMs += delayMs;
    this.#waitedMs += delayMs;
    scope.emit({
      type: "retrying",
      callId: (this.#callId ??= ++Attempts.#lastCallId),
      subject,
      answer,
      problem: judgment.problem,
      awaits: judgment.awaits,
      attempt: attempt + 1,
      maxAttempts: this.#maxAttempts(judgment),
      delayMs: Math.max(delayMs, pauseMs),
      leftMs,
    });
    await this.effects.clock.sleep(delayMs, scope.signal);
  }

  /** Emits that the call no longer waits, if it has emitted a retry. */
  emitEndAfterRetries(): void {
    if (this.#callId !== undefined) this.call.scope.emit({ type: "call ended", callId: this.#callId });
  }

  /** Describes the end of a call that was stopped while it waited. Rejects on a defect. */
  endBy(error: unknown): CallEnd<Result> {
    const { signal } = this.call.scope;
    // Whatever waits rejects with the signal's reason, or with Node's own error.
    const isByAbort = error === signal.reason || (error instanceof Error && error.name === "AbortError");
    if (!signal.aborted || !isByAbort) throw error;
    const last = this.#last ?? this.#describe(NOT_STARTED, judge(this.call.operation, NOT_STARTED));
    return { ...last, stop: "interrupted" };
  }

  /** Makes an attempt when it has its turn. While it waits, its precondition can become outdated. It then waits again. */
  async #takeTurn(attempt: number): Promise<Observed<AttemptEnd<Result>> | Found> {
    const { subject, scope, precondition } = this.call;
    const isOutdated = () => precondition?.isFresh() === false;
    for (;;) {
      const found = isOutdated() ? await precondition?.check(this.#last) : undefined;
      if (found !== undefined) return found;
      const turn = await this.effects.gate.run(
        subject.address,
        scope.signal,
        (permit) => (isOutdated() ? Promise.resolve(PASSED_ON) : this.#attempt(attempt, permit)),
        // Goes first, because its check would be outdated after the checks of all others. A call that a rate limit refused goes
        // first too, because it may be the last check of its control plane.
        precondition !== undefined || this.#wasLimited(),
      );
      if (turn.value !== undefined) return { ...turn, value: turn.value };
    }
  }

  async #attempt(attempt: number, permit: Permit): Promise<Attempted<AttemptEnd<Result>>> {
    const { clock, random, send } = this.effects;
    const { operation, subject, limits, scope } = this.call;
    const startedMs = clock.now();
    const first = (this.#started ??= { atMs: startedMs, epochMs: this.effects.epochMs() });
    const { method, body, maxAnswerBytes } = operation;
    const timeLimitMs = Math.min(limits.requestTimeoutMs, this.#leftMs(), permit.timeLimitMs);
    const url = urlOf(operation, subject.address);
    const request = { method, url, body, maxAnswerBytes, token: this.#token, timeLimitMs };
    const answer = await send(request, scope.signal);
    const durationMs = clock.now() - startedMs;
    this.#spentMs += durationMs;
    const status = answer.kind === "reply" ? { status: answer.status } : {};
    this.#timeline.push({ atMs: startedMs - first.atMs, durationMs, ...status });
    const answeredMs = answeredAtMs(answer, this.effects.epochMs());
    const judgment = judge(operation, answer, this.#isNew(answeredMs));
    if (judgment.delivery === "unknown") this.#mayHaveWorked = true;
    const earlierTraceId = this.#last?.judgment.problem.instance;
    if (earlierTraceId !== undefined) this.#earlierTraceIds.push(earlierTraceId);
    this.#last = this.#describe(answer, judgment);
    // A service that does not show a new control plane yet is not overloaded.
    const isLagging = "isNew" in judgment.row.matches;
    const askedMs =
      answer.kind === "reply" && !isLagging ? parseRetryAfter(answer.retryAfter, answeredMs) : undefined;
    const delayMs = retryDelayMs(attempt, askedMs, random());
    const isAsked = askedMs !== undefined && askedMs > 0;
    const shown = observe(operation.name, answer, judgment, delayMs, isAsked);
    const observation = { ...shown, failedBeforeMs: this.#failedMs };
    if (shown.outcome === "failed") this.#failedMs ??= clock.now();
    return { value: { end: this.#last, delayMs, isAsked }, observation };
  }

  #wasLimited(): boolean {
    return this.#last?.answer.kind === "reply" && this.#last.answer.status === 429;
  }

  /** Whether the control plane is so new that the service may not show it everywhere yet. */
  #isNew(answeredMs: number): boolean {
    const { subject } = this.call;
    if (subject.id === undefined || subject.createdAtMs === undefined) return false;
    return answeredMs - subject.createdAtMs < LAG_MS;
  }

  /** Few attempts are for a service that fails. One that only lags is asked as often as by default. */
  #maxAttempts({ row }: Judgment<Result>): number {
    const { maxAttempts, isOnce = false } = this.call.limits;
    return "isNew" in row.matches && !isOnce ? Math.max(maxAttempts, LAG_ATTEMPTS) : maxAttempts;
  }

  #describe(answer: Answer, judgment: Judgment<Result>): CallEnd<Result> {
    const { atMs = this.effects.clock.now(), epochMs = this.effects.epochMs() } = this.#started ?? {};
    return {
      answer,
      judgment,
      token: this.#token,
      attempts: this.#timeline.length,
      startedAtMs: epochMs,
      durationMs: this.effects.clock.now() - atMs,
      waitedMs: this.#waitedMs,
      spentMs: this.#spentMs,
      mayHaveWorked: this.#mayHaveWorked,
      ...(this.#earlierTraceIds.length > 0 && { earlierTraceIds: [...this.#earlierTraceIds] }),
      ...(this.#timeline.length > 1 && { timeline: [...this.#timeline] }),
    };
  }

  /** Returns what is left of the budget, or of the time until the deadline if that is less. */
  #leftMs(): number {
    const { limits, scope } = this.call;
    return Math.min(limits.budgetMs - this.#spentMs, scope.deadlineMs - this.effects.clock.now());
  }

  /** A token file may be rotated during a long run. It is read again once, and its token is tried at once. */
  #renewToken({ judgment }: CallEnd<Result>): boolean {
    if (judgment.row.failure !== "unauthenticated" || !this.#mayRenewToken || this.#leftMs() <= 0) {
      return false;
    }
    this.#mayRenewToken = false;
    const renewed = this.call.renewedToken(this.#token);
    this.#token = renewed ?? this.#token;
    return renewed !== undefined;
  }
}

/** Roles and copies of a new control plane have spread within this time. Source: docs/decisions/create.md. */
const LAG_MS = 120_000;

/** How often a new control plane is asked for, at least, before the service's 404 or 403 counts. */
const LAG_ATTEMPTS = 10;

const NOT_STARTED: Answer = {
  kind: "no reply",
  delivery: "not sent",
  cause: "interrupted",
  detail: safe`the run was stopped before a request was sent`,
};

/** How an attempt ended, and the delay before the next one. */
interface AttemptEnd<Result> {
  readonly end: CallEnd<Result>;
  readonly delayMs: number;
  readonly isAsked: boolean;
}

/** A turn without a request. It does not show whether the address works. */
const PASSED_ON: Attempted<undefined> = {
  value: undefined,
  observation: { outcome: "cut off", delayMs: 0, pausesMs: [] },
};
