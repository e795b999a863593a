/** Limits of one call. */
export interface Limits {
  /** Attempts, the first included. */
  readonly maxAttempts: number;
  /** Time for one call with all its retries, from its first attempt on; queueing does not count. */
  readonly budgetMs: number;
  /** Time for one attempt. */
  readonly requestTimeoutMs: number;
}

/** Whether to try again and after which delay, or why not. */
export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly because: StopReason };

/** Why a temporary failure was not tried again. */
export type StopReason = "attempts used up" | "time used up" | "Retry-After too long" | "nothing succeeds";

/** Delay before attempt n+1: full jitter up to this, doubled each time. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
const SHORTEST_DELAY_MS = 100;

/** An attempt that gets less time than this tells nothing about the service. */
const SHORTEST_ATTEMPT_MS = 1_000;

/**
 * Decides what follows a temporary failure.
 *
 * @param attempt the attempt that failed, counted from 1
 * @param spentMs what the call has used of its budget
 * @param downMs for how long no call has succeeded at the address
 * @param retryAfterMs the service's wish; it replaces the delay, unless it is 0
 * @param random from 0 to 1
 */
export function decideRetry(
  { maxAttempts, budgetMs, requestTimeoutMs }: Limits,
  { attempt, spentMs, downMs, retryAfterMs, random }: RetryFacts,
): RetryDecision {
  if (attempt >= maxAttempts) return { retry: false, because: "attempts used up" };
  // A wish of nothing would use up every attempt within a second: docs/decisions/temporary.md.
  const wishMs = retryAfterMs === 0 ? undefined : retryAfterMs;
  const delayMs = Math.max(SHORTEST_DELAY_MS, wishMs ?? fullJitterMs(attempt, random));
  const leftMs = budgetMs - spentMs - delayMs;
  if (leftMs < Math.min(SHORTEST_ATTEMPT_MS, requestTimeoutMs)) {
    return { retry: false, because: wishMs === undefined ? "time used up" : "Retry-After too long" };
  }
  return downMs < budgetMs ? { retry: true, delayMs } : { retry: false, because: "nothing succeeds" };
}

/** What {@link decideRetry} looks at. */
export interface RetryFacts {
  readonly attempt: number;
  readonly spentMs: number;
  readonly downMs: number;
  readonly retryAfterMs: number | undefined;
  readonly random: number;
}

/** Full jitter: `random · min(30 s, 1 s · 2^(attempt-1))`. */
function fullJitterMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
}
