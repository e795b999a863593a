import pLimit from "p-limit";

/** Clock and waiting, passed in so that tests can hold them. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Lets calls through: a bounded number at a time, none to an address that asked to be left alone. */
export interface Pacer {
  /** Waits for a slot and for the address, then runs the work. */
  run<T>(address: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Keeps every call away from an address for `ms`; the longest wish counts. */
  pause(address: string, ms: number): void;
}

/** @param concurrency calls in flight at a time, in this process */
export function createPacer(concurrency: number, clock: Clock): Pacer {
  const slots = pLimit(concurrency);
  const pausedUntil = new Map<string, number>();
  const pauseLeftMs = (address: string) => (pausedUntil.get(address) ?? 0) - clock.now();

  return {
    async run(address, signal, work) {
      for (;;) {
        // Outside the slot: a paused address must not keep another one waiting.
        for (let ms = pauseLeftMs(address); ms > 0; ms = pauseLeftMs(address)) await clock.sleep(ms, signal);
        const turn = await slots(async () => {
          signal.throwIfAborted();
          return pauseLeftMs(address) > 0 ? undefined : { result: await work() };
        });
        if (turn !== undefined) return turn.result;
      }
    },
    pause(address, ms) {
      pausedUntil.set(address, Math.max(pausedUntil.get(address) ?? 0, clock.now() + ms));
    },
  };
}
