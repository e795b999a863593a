import pRetry, { type RetryContext } from "p-retry";
import type { Answer } from "./answer.js";
import type { Target } from "./control-plane.js";
import { decideRetry, type Limits, type StopReason } from "./decide-retry.js";
import type { Clock, Pacer } from "./pacer.js";
import { judge, type PolicyRow } from "./policy.js";
import { parseRetryAfter } from "./retry-after.js";
import type { Send } from "./transport.js";
import type { Token } from "./token.js";

/** Everything that a call touches outside itself. */
export interface Effects {
  readonly clock: Clock;
  readonly pacer: Pacer;
  readonly send: Send;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Epoch milliseconds, for dates in headers. */
  readonly epochMs: () => number;
}

/** One call: a request that is repeated until its end is known. */
export interface Call {
  readonly method: "DELETE" | "GET";
  readonly target: Target;
  readonly token: Token;
  /** Gives another token after a 401, once; undefined where there is none. */
  readonly renewed: (refused: Token) => Token | undefined;
  readonly limits: Limits;
  /** Aborts when the run is being stopped: no wait goes on, no request begins. */
  readonly stopping: AbortSignal;
  /** Aborts some seconds later: a request in flight is cut off. */
  readonly stopped: AbortSignal;
  readonly onRetry: (retry: Retry) => void;
}

/** A retry that is about to be waited for. */
export interface Retry {
  readonly target: Target;
  readonly answer: Answer;
  /** The attempt to come, counted from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
  /** What is left of the budget after the delay. */
  readonly leftMs: number;
}

/** How a call ended. */
export interface Settled {
  readonly answer: Answer;
  readonly row: PolicyRow;
  /** The token that the last attempt was made with. */
  readonly token: Token;
  /** Attempts made; 0 when the run was stopped before the first. */
  readonly attempts: number;
  /** Time since the first attempt began. */
  readonly elapsedMs: number;
  /** Set when a temporary failure was not tried again. */
  readonly stop?: StopReason | "interrupted";
  /** True when an attempt may have done the work although its answer did not say so. */
  readonly fateUnknown: boolean;
}

/** Repeats a request by the policy until it is done, refused, or no longer worth repeating. Rejects only on a bug. */
export async function settle(call: Call, effects: Effects): Promise<Settled> {
  const attempts = new Attempts(call, effects);
  try {
    // p-retry drives the loop; the delay is ours, so its own is none.
    return await pRetry(() => attempts.make(), {
      retries: call.limits.maxAttempts - 1,
      minTimeout: 0,
      onFailedAttempt: (context) => attempts.waitOrStop(context),
    });
  } catch (error) {
    return attempts.end(error);
  }
}

/** What one call has come to so far. */
class Attempts {
  /** Of the budget: own attempts and own delays, not the queue or pauses that others caused. */
  #spentMs = 0;
  #startedMs: number | undefined;
  #requests = 0;
  #fateUnknown = false;
  #mayRenew = true;
  #token: Token;
  #last: Settled | undefined;

  constructor(
    private readonly call: Call,
    private readonly effects: Effects,
  ) {
    this.#token = call.token;
  }

  /** Makes one attempt; rejects with a TemporaryFailure when another one may follow. */
  async make(): Promise<Settled> {
    const { target, stopping } = this.call;
    const answer = await this.effects.pacer.run(target.address, stopping, () => this.#send());
    const row = judge(answer);
    if (row.fateUnknown || (answer.kind === "no reply" && answer.cause === "interrupted")) {
      this.#fateUnknown = true;
    }
    const elapsedMs = this.effects.clock.now() - (this.#startedMs ?? 0);
    const settled = {
      answer,
      row,
      token: this.#token,
      attempts: this.#requests,
      elapsedMs,
      fateUnknown: this.#fateUnknown,
    };
    this.#last = settled;
    if (row.verdict === "retry") throw new TemporaryFailure();
    return this.#renewToken(row) ? this.make() : settled;
  }

  /** Waits for the next attempt; rejects when there is none. */
  async waitOrStop({ error, attemptNumber: attempt }: RetryContext): Promise<void> {
    if (!(error instanceof TemporaryFailure) || this.#last === undefined) throw error;
    const { answer } = this.#last;
    const { target, limits, stopping } = this.call;
    const { pacer, clock, random, epochMs } = this.effects;
    const retryAfterMs = answer.kind === "reply" ? parseRetryAfter(answer.retryAfter, epochMs()) : undefined;
    const decision = decideRetry(limits, { attempt, spentMs: this.#spentMs, retryAfterMs, random: random() });
    // A wish that no call can wait for would only make the others wait for the same refusal: each asks for itself.
    if (retryAfterMs !== undefined && retryAfterMs < limits.budgetMs) {
      pacer.pause(target.address, retryAfterMs);
    }
    if (!decision.retry) throw new NotAgain(decision.because);
    stopping.throwIfAborted();
    const { delayMs } = decision;
    this.#spentMs += delayMs;
    const leftMs = limits.budgetMs - this.#spentMs;
    this.call.onRetry({
      target,
      answer,
      attempt: attempt + 1,
      maxAttempts: limits.maxAttempts,
      delayMs,
      leftMs,
    });
    await clock.sleep(delayMs, stopping);
  }

  /** Says how the call ended when no attempt ended it; rejects on a bug. */
  end(error: unknown): Settled {
    if (error instanceof NotAgain && this.#last !== undefined) return { ...this.#last, stop: error.because };
    const { stopping } = this.call;
    const byAbort = error === stopping.reason || (error instanceof Error && error.name === "AbortError");
    if (!stopping.aborted || !byAbort) throw error;
    if (this.#last !== undefined) return { ...this.#last, stop: "interrupted" };
    const answer: Answer = { kind: "no reply", cause: "interrupted", detail: "no request was sent" };
    const nothing = { attempts: 0, elapsedMs: 0, fateUnknown: false };
    return { answer, row: judge(answer), token: this.#token, ...nothing, stop: "interrupted" };
  }

  async #send(): Promise<Answer> {
    const { limits, stopped } = this.call;
    const beganMs = this.effects.clock.now();
    this.#startedMs ??= beganMs;
    this.#requests += 1;
    const timeoutMs = Math.min(limits.requestTimeoutMs, limits.budgetMs - this.#spentMs);
    const answer = await this.effects.send({ ...this.call, token: this.#token, timeoutMs }, stopped);
    this.#spentMs += this.effects.clock.now() - beganMs;
    return answer;
  }

  /** A token file may have been rotated under a long run: it is read again, once, and tried at once. */
  #renewToken(row: PolicyRow): boolean {
    const timeIsLeft = this.#spentMs < this.call.limits.budgetMs;
    if (row.failure !== "unauthenticated" || !this.#mayRenew || !timeIsLeft) return false;
    this.#mayRenew = false;
    const renewed = this.call.renewed(this.#token);
    this.#token = renewed ?? this.#token;
    return renewed !== undefined;
  }
}

/** Tells p-retry to go on; what happened is kept beside it. */
class TemporaryFailure extends Error {}

/** Tells p-retry to end. */
class NotAgain extends Error {
  constructor(readonly because: StopReason) {
    super(because);
  }
}
