import { LONGEST_TIMER_MS, withTimeLimit } from "../service/http/transport.js";

/** Time between the deadline and giving up on work that does not end. */
const GRACE_MS = 10_000;

/**
 * Runs work under a deadline. The signal of the work aborts at the deadline, or when `stop` does. Work that has not
 * ended some seconds after the deadline is given up.
 */
export async function withDeadline<T>(
  stop: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () => new Error(`a hook did not end within ${Math.round(ms / 60_000)} minutes`);
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.min(ms + GRACE_MS, LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([withTimeLimit(stop, ms, late, work), givenUp]);
  } finally {
    clearTimeout(timer);
  }
}
