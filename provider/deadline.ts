/** Time between the deadline's signal and giving up on work that does not heed it. */
const GRACE_MS = 10_000;

/**
 * Runs work under a deadline: its signal aborts then, so that the work ends by itself and nothing of it goes on; work
 * that has not ended some seconds later is given up.
 */
export async function withDeadline<T>(
  ms: number,
  work: (deadline: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const after = (delayMs: number, act: () => void) => {
    timers.push(setTimeout(act, Math.min(delayMs, 2 ** 31 - 1)).unref());
  };
  const late = () => new Error(`a hook did not end within ${Math.round(ms / 60_000)} minutes`);
  after(ms, () => deadline.abort(late()));
  const givenUp = new Promise<never>((_, reject) => after(ms + GRACE_MS, () => reject(late())));
  try {
    return await Promise.race([work(deadline.signal), givenUp]);
  } finally {
    timers.forEach(clearTimeout);
  }
}
