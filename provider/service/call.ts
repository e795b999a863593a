import type { Answer } from "./answer.js";
import type { Target } from "./control-plane.js";
import type { Limits, StopReason } from "./decide-retry.js";
import type { Clock, Pacer } from "./pacer.js";
import type { PolicyRow } from "./policy.js";
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
  /** What is left after the delay: of the budget, and of the time that an address may go without a success. */
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
