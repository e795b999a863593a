import { setTimeout as delay } from "node:timers/promises";

/** Time and waiting. Tests replace them. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** How long this process has had nothing to do but wait, in milliseconds. */
  idleMs(): number;
  /** Resolves after `ms`; rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock of this process. */
export const PROCESS_CLOCK: Clock = {
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};
