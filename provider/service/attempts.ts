import type { RetryContext } from "p-retry";
import type { Answer } from "./answer.js";
import { decideRetry, type RetryDecision } from "./decide-retry.js";
import { judge, type PolicyRow } from "./policy.js";
import { parseRateLimit } from "./rate-limit.js";
import { parseRetryAfter } from "./retry-after.js";
import type { Call, Effects, Settled } from "./call.js";
import type { Token } from "./token.js";

/** Long enough for a service that has come back, short enough for hundreds of calls to a service that has not. */
const SHORT_LOOK_MS = 1_000;

/** What one call has come to so far. */
export class Attempts {
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

  /** Makes one attempt, the nth since the call began; rejects with a TemporaryFailure when another one may follow. */
  async make(attempt: number): Promise<Settled> {
    const { target, limits, stopping: signal } = this.call;
    const turn = { address: target.address, patienceMs: limits.budgetMs, signal };
    // All that follows for the address is settled before another call is let through to it.
    const { settled, decision } = await this.effects.pacer.run(turn, () => this.#attempt(attempt));
    if (decision !== undefined) throw new TemporaryFailure(settled, decision);
    return this.#renewToken(settled.row) ? this.make(attempt) : settled;
  }

  /** Waits for the next attempt; rejects when there is none. */
  async waitOrStop({ error, attemptNumber: attempt }: RetryContext): Promise<void> {
    if (!(error instanceof TemporaryFailure)) throw error;
    const { settled, decision } = error;
    if (!decision.retry) throw new NotAgain({ ...settled, stop: decision.because });
    const { target, limits, stopping } = this.call;
    const { clock, pacer } = this.effects;
    stopping.throwIfAborted();
    const { delayMs } = decision;
    this.#spentMs += delayMs;
    this.call.onRetry({
      target,
      answer: settled.answer,
      attempt: attempt + 1,
      maxAttempts: limits.maxAttempts,
      delayMs,
      leftMs: limits.budgetMs - Math.max(this.#spentMs, pacer.downMs(target.address) + delayMs),
    });
    await clock.sleep(delayMs, stopping);
  }

  /** Says how the call ended when no attempt ended it; rejects on a bug. */
  end(error: unknown): Settled {
    if (error instanceof NotAgain) return error.settled;
    const { stopping } = this.call;
    // What waits rejects with the signal's reason, or with Node's own error.
    const byAbort = error === stopping.reason || (error instanceof Error && error.name === "AbortError");
    if (!stopping.aborted || !byAbort) throw error;
    if (this.#last !== undefined) return { ...this.#last, stop: "interrupted" };
    const answer: Answer = { kind: "no reply", cause: "interrupted", detail: "" };
    const nothing = { attempts: 0, elapsedMs: 0, fateUnknown: false };
    return { answer, row: judge(answer), token: this.#token, ...nothing, stop: "interrupted" };
  }

  async #attempt(attempt: number): Promise<{ settled: Settled; decision?: RetryDecision }> {
    const { clock, pacer } = this.effects;
    const { address } = this.call.target;
    const beganMs = clock.now();
    this.#startedMs ??= beganMs;
    this.#requests += 1;
    const answer = await this.#send(beganMs);
    this.#spentMs += clock.now() - beganMs;
    const row = judge(answer);
    const wasCutOff = answer.kind === "no reply" && answer.cause === "interrupted";
    if (row.fateUnknown || wasCutOff) this.#fateUnknown = true;
    if (row.verdict === "retry") pacer.noteFailure(address, beganMs);
    else if (!wasCutOff) pacer.noteSuccess(address);
    const retryAfterMs =
      answer.kind === "reply" ? parseRetryAfter(answer.retryAfter, this.effects.epochMs()) : undefined;
    this.#obeyLimits(answer, retryAfterMs);
    this.#last = {
      answer,
      row,
      token: this.#token,
      attempts: this.#requests,
      elapsedMs: clock.now() - this.#startedMs,
      fateUnknown: this.#fateUnknown,
    };
    return {
      settled: this.#last,
      ...(row.verdict === "retry" && { decision: this.#decide(attempt, retryAfterMs) }),
    };
  }

  /**
   * The last attempt ends with the budget. One that only asks whether an outage is over is short; but one at a time may
   * be long: of a service that is slow nobody would see that it has come back.
   */
  async #send(beganMs: number): Promise<Answer> {
    const { pacer, send } = this.effects;
    const { limits, target, stopped } = this.call;
    const isHopeless = this.#isHopeless();
    const looksLong = isHopeless && pacer.beginLongLook(target.address);
    const timeoutMs = Math.min(
      limits.requestTimeoutMs,
      limits.budgetMs - this.#spentMs,
      isHopeless && !looksLong ? SHORT_LOOK_MS : Infinity,
    );
    const answer = await send({ ...this.call, token: this.#token, timeoutMs }, stopped);
    if (looksLong) pacer.endLongLook(target.address, beganMs);
    return answer;
  }

  /** Tells whether nothing has succeeded at the address for a whole budget. */
  #isHopeless(): boolean {
    const { limits, target } = this.call;
    return this.effects.pacer.downMs(target.address) >= limits.budgetMs;
  }

  #decide(attempt: number, retryAfterMs: number | undefined): RetryDecision {
    const { target, limits } = this.call;
    const { pacer, random } = this.effects;
    const decision = decideRetry(limits, {
      attempt,
      spentMs: this.#spentMs,
      downMs: pacer.downMs(target.address),
      retryAfterMs,
      random: random(),
    });
    if (decision.retry) pacer.delayProbe(target.address, decision.delayMs);
    return decision;
  }

  /** Keeps every call away for as long as the service asks for; not when they are all about to fail anyway. */
  #obeyLimits(answer: Answer, retryAfterMs: number | undefined): void {
    if (answer.kind === "no reply" || this.#isHopeless()) return;
    const { target, limits } = this.call;
    for (const ms of [retryAfterMs, parseRateLimit(answer.rateLimit)]) {
      // A wish that no call can wait for would only make the others wait for the same refusal: each asks for itself.
      if (ms !== undefined && ms < limits.budgetMs) this.effects.pacer.pause(target.address, ms);
    }
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

/** Tells p-retry that another attempt may follow. */
class TemporaryFailure extends Error {
  constructor(
    readonly settled: Settled,
    readonly decision: RetryDecision,
  ) {
    super();
  }
}

/** Tells p-retry to end. */
class NotAgain extends Error {
  constructor(readonly settled: Settled) {
    super();
  }
}
