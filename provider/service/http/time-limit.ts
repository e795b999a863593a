import { setMaxListeners } from "node:events";

/** What happens after a stop. */
export interface Grace {
  /** Time that the work gets to end, in milliseconds. Work that starts after the stop gets none. */
  readonly ms: number;
  /** Returns the reason with which the work is aborted. */
  readonly reason: () => Error;
}

/**
 * Runs work under a signal that aborts when another signal does, or when a time limit is over.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` are not used: the first holds the second only weakly, so the limit
 * disappears when the garbage collector runs (nodejs/node#57736, nodejs/node#65995).
 *
 * @param stop aborts the work with its own reason, or as `grace` says
 * @param limitMs aborts the work with `onLimit()` as the reason
 * @param grace delays the abort after a stop, and gives its reason; default: the work is aborted at once
 */
export async function withTimeLimit<T>(
  stop: AbortSignal,
  limitMs: number,
  onLimit: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
  grace?: Grace,
): Promise<T> {
  const limited = new AbortController();
  // Hundreds of calls can wait under one signal.
  setMaxListeners(0, limited.signal);
  const abort = () => limited.abort(grace === undefined ? stop.reason : grace.reason());
  let graceTimer: NodeJS.Timeout | undefined;
  const onStop = grace === undefined ? abort : () => (graceTimer = setTimeout(abort, grace.ms));
  if (stop.aborted) abort();
  stop.addEventListener("abort", onStop);
  const timer = setTimeout(() => limited.abort(onLimit()), Math.min(limitMs, LONGEST_TIMER_MS));
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    clearTimeout(graceTimer);
    stop.removeEventListener("abort", onStop);
  }
}

/** The longest delay of a timer, in milliseconds. Node runs a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
