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
  random(): number;
  /** Epoch milliseconds, for dates in headers. */
  epochMs(): number;
}

/** One call: a request that is repeated until its end is known. */
export interface Call {
  readonly method: "DELETE" | "GET";
  readonly target: Target;
  readonly token: Token;
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
  const { clock, pacer } = effects;
  const { target, limits, stopping } = call;
  let spentMs = 0; // of the budget: own attempts and own delays, not the queue or pauses that others caused
  let startedMs: number | undefined;
  let fateUnknown = false;
  let last: Settled | undefined;

  const attemptOnce = async (attempts: number): Promise<Settled> => {
    const { answer, tookMs } = await pacer.run(target.address, stopping, async () => {
      const beganMs = clock.now();
      startedMs ??= beganMs;
      const timeoutMs = Math.min(limits.requestTimeoutMs, limits.budgetMs - spentMs);
      const received = await effects.send({ ...call, timeoutMs }, call.stopped);
      return { answer: received, tookMs: clock.now() - beganMs };
    });
    spentMs += tookMs;
    const row = judge(answer);
    if (row.fateUnknown || (answer.kind === "no reply" && answer.cause === "interrupted")) fateUnknown = true;
    last = { answer, row, attempts, elapsedMs: clock.now() - (startedMs ?? 0), fateUnknown };
    if (row.verdict === "retry") throw new TemporaryFailure();
    return last;
  };

  const waitOrStop = async ({ error, attemptNumber: attempt }: RetryContext): Promise<void> => {
    if (!(error instanceof TemporaryFailure) || last === undefined) throw error;
    const { answer } = last;
    const retryAfterMs =
      answer.kind === "reply" ? parseRetryAfter(answer.retryAfter, effects.epochMs()) : undefined;
    if (retryAfterMs !== undefined) pacer.pause(target.address, Math.min(retryAfterMs, limits.budgetMs));
    const decision = decideRetry(limits, { attempt, spentMs, retryAfterMs, random: effects.random() });
    if (!decision.retry) throw new NotAgain(decision.because);
    stopping.throwIfAborted();
    const { delayMs } = decision;
    const leftMs = limits.budgetMs - spentMs - delayMs;
    call.onRetry({ target, answer, attempt: attempt + 1, maxAttempts: limits.maxAttempts, delayMs, leftMs });
    await clock.sleep(delayMs, stopping);
    spentMs += delayMs;
  };

  try {
    // p-retry drives the loop; the delay is ours, so its own is none.
    return await pRetry(attemptOnce, {
      retries: limits.maxAttempts - 1,
      minTimeout: 0,
      onFailedAttempt: waitOrStop,
    });
  } catch (error) {
    if (error instanceof NotAgain && last !== undefined) return { ...last, stop: error.because };
    if (stopping.aborted) return interrupted(last);
    throw error;
  }
}

/** Tells p-retry to go on; what happened stands in the closure. */
class TemporaryFailure extends Error {}

/** Tells p-retry to end. */
class NotAgain extends Error {
  constructor(readonly because: StopReason) {
    super(because);
  }
}

function interrupted(last: Settled | undefined): Settled {
  if (last !== undefined) return { ...last, stop: "interrupted" };
  const answer: Answer = { kind: "no reply", cause: "interrupted", detail: "no request was sent" };
  return { answer, row: judge(answer), attempts: 0, elapsedMs: 0, fateUnknown: false, stop: "interrupted" };
}
