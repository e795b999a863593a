import { setMaxListeners } from "node:events";

/**
 * Runs work under a signal that aborts when another signal does, or when a time limit is over.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` are not used: the first holds the second only weakly, so the limit
 * disappears when the garbage collector runs (nodejs/node#57736, nodejs/node#65995).
 *
 * @param stop aborts the work, with its own reason
 * @param limitMs aborts the work with `onLimit()` as the reason
 */
export async function withTimeLimit<T>(
  stop: AbortSignal,
  limitMs: number,
  onLimit: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limited = new AbortController();
  // Hundreds of calls can wait under one signal.
  setMaxListeners(0, limited.signal);
  const abort = () => limited.abort(stop.reason);
  if (stop.aborted) abort();
  stop.addEventListener("abort", abort);
  const timer = setTimeout(() => limited.abort(onLimit()), Math.min(limitMs, LONGEST_TIMER_MS));
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  }
}

/** The longest delay of a timer, in milliseconds. Node runs a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
