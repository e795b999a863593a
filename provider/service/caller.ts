import type { SafeText } from "../text/safe-text.js";
import { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall, explainUnusable, type FailedCall } from "./failure/explain-call.js";
import type { Purpose } from "./failure/purpose.js";
import type { Token, TokenSource } from "./http/token.js";
import { withTimeLimit } from "./http/transport.js";
import type { CallSubject } from "./operations/control-planes.js";
import type { Operation } from "./operations/operation.js";
import type { CallEnd, CallScope, Effects, Precondition, Unneeded } from "./retry/call.js";
import type { Limits } from "./retry/judge.js";
import { runCall } from "./retry/run-call.js";

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
  /** What has to hold when an attempt starts. Default: nothing. */
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
   * @throws ControlPlaneError when there is no usable token, or the error of the precondition; every other end is returned
   */
  async call<Result, Found extends Unneeded = never>(
    operation: Operation<Result>,
    subject: CallSubject,
    scope: CallScope,
    { purpose, reason, outcome, token, limits = this.options.limits, precondition }: CallOptions<Found>,
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
    const limits = { maxAttempts: 1, budgetMs: limitMs, requestTimeoutMs: limitMs };
    const deadlineMs = Math.min(scope.deadlineMs, this.nowMs() + limitMs);
    const onLimit = () => new Error(`no turn within ${limitMs / 1000} s`);
    return withTimeLimit(scope.signal, limitMs, onLimit, (signal) =>
      work({ ...scope, signal, deadlineMs }, limits),
    );
  }
}

/** Returns the result of a call. @throws ControlPlaneError when it has none */
export function resultOf<Result>({ end, failed }: Ended<Result>): Result {
  if (end.judgement.verdict !== "done") throw explainCall(failed);
  return end.judgement.result;
}

function usableToken(tokens: TokenSource, subject: CallSubject, purpose: Purpose): Token {
  try {
    return tokens.current();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    throw explainUnusable(purpose, subject, [error.summary]);
  }
}
