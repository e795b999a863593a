import pRetry from "p-retry";
import { safe } from "../../text/safe-text.js";
import { urlOf } from "../http/address.js";
import type { Answer } from "../http/answer.js";
import type { Token } from "../http/token.js";
import type { Observation, Permit } from "./address-health.js";
import type { Attempted, Observed } from "./attempt-gate.js";
import {
  answeredAtMs,
  type AttemptSpan,
  type Call,
  type CallEnd,
  type Effects,
  type Unneeded,
} from "./call.js";
import {
  decideRetry,
  judge,
  type Judgement,
  parseRateLimit,
  parseRetryAfter,
  retryDelayMs,
} from "./judge.js";
import type { PolicyRow } from "./policy.js";

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

/** Tells p-retry that another attempt follows. */
class AnotherAttempt extends Error {}

/** The attempts of one call so far. */
class Attempts<Result, Found extends Unneeded> {
  /** Of the budget: own attempts and own delays, but not the queue or pauses that other calls caused. */
  #spentMs = 0;
  #waitedMs = 0;
  #started: { readonly atMs: number; readonly epochMs: number } | undefined;
  #requests = 0;
  #mayHaveWorked = false;
  #earlierTraceIds: readonly string[] = [];
  #timeline: readonly AttemptSpan[] = [];
  #mayRenewToken = true;
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

  /** Makes the nth attempt. Returns the end of the call, or undefined when another attempt follows; it then has waited. */
  async make(attempt: number): Promise<CallEnd<Result> | Found | undefined> {
    const turn = await this.#takeTurn(attempt);
    if ("outcome" in turn) return turn;
    const { value, hopelessInMs, pauseMs } = turn;
    const { end, delayMs, isAsked } = value;
    if (end.judgement.verdict !== "retry") return this.#renewToken(end) ? this.make(attempt) : end;
    const leftMs = this.#leftMs();
    const facts = { attempt, delayMs, isAsked, leftMs, hopelessInMs };
    const decision = decideRetry(
      { ...this.call.limits, maxAttempts: this.#maxAttempts(end.judgement) },
      facts,
    );
    if (!decision.retry) {
      const { failure } = end.judgement.row;
      return failure === "unavailable" ? { ...end, stop: decision.because } : this.#countAfterAll(end);
    }
    await this.#wait(end, attempt, delayMs, { leftMs: Math.min(leftMs, hopelessInMs) - delayMs, pauseMs });
    return undefined;
  }

  async #wait(
    { answer, judgement }: CallEnd<Result>,
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
      problem: judgement.problem,
      awaits: judgement.awaits,
      attempt: attempt + 1,
      maxAttempts: this.#maxAttempts(judgement),
      delayMs: Math.max(delayMs, pauseMs),
      leftMs,
    });
    await this.effects.clock.sleep(delayMs, scope.signal);
  }

  /** Says that the call waits no more, if it has said that it waits. */
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
      const turn = await this.effects.gate.run(subject.address, scope.signal, (permit) =>
        isOutdated() ? Promise.resolve(PASSED_ON) : this.#attempt(attempt, permit),
      );
      if (turn.value !== undefined) return { ...turn, value: turn.value };
    }
  }

  async #attempt(attempt: number, permit: Permit): Promise<Attempted<AttemptEnd<Result>>> {
    const { clock, random, send } = this.effects;
    const { operation, subject, limits, scope } = this.call;
    const startedMs = clock.now();
    const first = (this.#started ??= { atMs: startedMs, epochMs: this.effects.epochMs() });
    this.#requests += 1;
    const { method, body, maxAnswerBytes } = operation;
    const timeLimitMs = Math.min(limits.requestTimeoutMs, this.#leftMs(), permit.timeLimitMs);
    const url = urlOf(operation, subject.address);
    const answer = await send(
      { method, url, body, maxAnswerBytes, token: this.#token, timeLimitMs },
      scope.signal,
    );
    const durationMs = clock.now() - startedMs;
    this.#spentMs += durationMs;
    const status = answer.kind === "reply" ? { status: answer.status } : {};
    this.#timeline = [...this.#timeline, { atMs: startedMs - first.atMs, durationMs, ...status }];
    const judgement = judge(operation, answer, this.#isNew(answer));
    if (judgement.delivery === "unknown") this.#mayHaveWorked = true;
    this.#noteTraceId(this.#last?.judgement);
    this.#last = this.#describe(answer, judgement);
    const askedMs = this.#askedDelayMs(answer);
    const delayMs = retryDelayMs(attempt, askedMs, random());
    const isAsked = askedMs !== undefined && askedMs > 0;
    const observation = observe(operation.name, answer, judgement, delayMs, askedMs);
    return { value: { end: this.#last, delayMs, isAsked }, observation };
  }

  /** The service said the same until there is no attempt left, so it counts although the control plane is new. */
  #countAfterAll(end: CallEnd<Result>): CallEnd<Result> {
    return { ...end, judgement: judge(this.call.operation, end.answer) };
  }

  /** Whether the control plane is so new that the service may not show it everywhere yet. */
  #isNew(answer: Answer): boolean {
    const { subject } = this.call;
    if (subject.id === undefined || subject.createdAtMs === undefined) return false;
    return answeredAtMs(answer, this.effects.epochMs()) - subject.createdAtMs < LAG_MS;
  }

  /** Few attempts are for a service that fails. One that only lags is asked as often as by default. */
  #maxAttempts({ row }: Judgement<Result>): number {
    const { maxAttempts } = this.call.limits;
    return "isNew" in row.matches ? Math.max(maxAttempts, LAG_ATTEMPTS) : maxAttempts;
  }

  #describe(answer: Answer, judgement: Judgement<Result>): CallEnd<Result> {
    const { atMs = this.effects.clock.now(), epochMs = this.effects.epochMs() } = this.#started ?? {};
    return {
      answer,
      judgement,
      token: this.#token,
      attempts: this.#requests,
      startedAtMs: epochMs,
      durationMs: this.effects.clock.now() - atMs,
      waitedMs: this.#waitedMs,
      spentMs: this.#spentMs,
      mayHaveWorked: this.#mayHaveWorked,
      ...(this.#earlierTraceIds.length > 0 && { earlierTraceIds: this.#earlierTraceIds }),
      ...(this.#timeline.length > 1 && { timeline: this.#timeline }),
    };
  }

  #noteTraceId(earlier: Judgement<Result> | undefined): void {
    const instance = earlier?.problem.instance;
    if (instance !== undefined) this.#earlierTraceIds = [...this.#earlierTraceIds, instance];
  }

  /** Returns what is left of the budget, or of the time until the deadline if that is less. */
  #leftMs(): number {
    const { limits, scope } = this.call;
    return Math.min(limits.budgetMs - this.#spentMs, scope.deadlineMs - this.effects.clock.now());
  }

  #askedDelayMs(answer: Answer): number | undefined {
    return answer.kind === "reply" ? parseRetryAfter(answer.retryAfter, this.effects.epochMs()) : undefined;
  }

  /** A token file may be rotated during a long run. It is read again once, and its token is tried at once. */
  #renewToken({ judgement }: CallEnd<Result>): boolean {
    if (judgement.row.failure !== "unauthenticated" || !this.#mayRenewToken || this.#leftMs() <= 0) {
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

/** A turn in which nothing was sent. It shows nothing of the address. */
const PASSED_ON: Attempted<undefined> = {
  value: undefined,
  observation: { outcome: "cut off", delayMs: 0, pausesMs: [], isRefusal: false },
};

const TOO_MANY_REQUESTS = 429;

/**
 * Returns what an attempt showed of the address. A final failure pauses nobody.
 *
 * @param operation the name of the operation
 */
export function observe(
  operation: string,
  answer: Answer,
  { verdict, row }: Judgement<unknown>,
  delayMs: number,
  askedMs: number | undefined,
): Observation {
  if (answer.kind === "no reply") {
    const outcome = answer.cause === "interrupted" ? "cut off" : outcomeOf(row);
    return { outcome, delayMs, pausesMs: [], isRefusal: answer.cause === "connection refused" };
  }
  const asked = row.verdict === "retry" ? askedMs : undefined;
  const limited = verdict === "stop" ? undefined : parseRateLimit(answer.rateLimit);
  const pausesMs = [asked, limited].filter((ms) => ms !== undefined);
  const isRefusal = pausesMs.length > 0 || answer.status === TOO_MANY_REQUESTS;
  return { outcome: outcomeOf(row), delayMs, pausesMs, isRefusal, kind: `${operation} ${answer.status}` };
}

function outcomeOf({ verdict, addressWorks }: PolicyRow): Observation["outcome"] {
  return verdict === "retry" && addressWorks !== true ? "failed" : "answered";
}
