import {
  type AddressHealth,
  downMs,
  end,
  join,
  leave,
  type Observation,
  pauseLeftMs,
  type Permit,
  start,
  UNKNOWN_HEALTH,
  waitMs,
} from "./address-health.js";
import type { Limits } from "./decide-retry.js";

/** Clock and waiting. Tests replace them. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** What the gate has to know of an attempt. */
export interface AttemptContext {
  readonly address: string;
  readonly limits: Limits;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** What an attempt came to, and what it showed of the address. */
export interface Attempted<T> {
  readonly value: T;
  readonly observation: Observation;
}

/** What an attempt came to, and how its address is doing after it. */
export interface Observed<T> {
  readonly value: T;
  /** How long nothing has succeeded at the address. */
  readonly downMs: number;
  /** How long the service asked for no requests, from now on. */
  readonly pauseMs: number;
}

/** Lets attempts start, first come, first served: a bounded number at a time, as the health of their address allows. */
export interface AttemptGate {
  /**
   * Waits for its turn, makes the attempt, and applies what it showed before another attempt starts. Rejects with the
   * signal's reason when it aborts before the attempt starts.
   */
  run<T>(context: AttemptContext, attempt: (permit: Permit) => Promise<Attempted<T>>): Promise<Observed<T>>;
}

interface Waiter extends AttemptContext {
  readonly start: () => void;
}

/**
 * Creates a gate.
 *
 * @param concurrency attempts under way at a time, at all addresses together
 */
export function createAttemptGate(concurrency: number, clock: Clock): AttemptGate {
  const healths = new Map<string, AddressHealth>();
  const waiting = new Set<Waiter>();
  let inFlight = 0;
  let alarm = new AbortController();

  const healthOf = (address: string) => healths.get(address) ?? UNKNOWN_HEALTH;

  const letThrough = () => {
    let nextMs = Infinity;
    for (const waiter of waiting) {
      if (inFlight >= concurrency) return;
      const ms = waitMs(healthOf(waiter.address), waiter.limits, clock.now());
      if (ms <= 0) waiter.start();
      else nextMs = Math.min(nextMs, ms);
    }
    alarm.abort();
    if (nextMs === Infinity) return;
    alarm = new AbortController();
    clock.sleep(nextMs, alarm.signal).then(letThrough, () => undefined);
  };

  const make = async <T>(
    { address, limits }: AttemptContext,
    attempt: (permit: Permit) => Promise<Attempted<T>>,
  ): Promise<Observed<T>> => {
    const [started, permit] = start(healthOf(address), limits, clock.now());
    healths.set(address, started);
    inFlight += 1;
    const finish = (observation?: Observation): Omit<Observed<T>, "value"> => {
      const nowMs = clock.now();
      const ended = end(healthOf(address), limits, permit, observation, nowMs);
      healths.set(address, leave(ended, nowMs));
      inFlight -= 1;
      letThrough();
      return { downMs: downMs(ended, nowMs), pauseMs: pauseLeftMs(ended, nowMs) };
    };
    let attempted: Attempted<T>;
    try {
      attempted = await attempt(permit);
    } catch (error) {
      finish();
      throw error;
    }
    return { value: attempted.value, ...finish(attempted.observation) };
  };

  return {
    run(context, attempt) {
      const { address, signal } = context;
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          waiting.delete(waiter);
          signal.removeEventListener("abort", giveUp);
        };
        const giveUp = () => {
          stopWaiting();
          healths.set(address, leave(healthOf(address), clock.now()));
          reject(signal.reason as Error);
        };
        const waiter: Waiter = {
          ...context,
          start() {
            stopWaiting();
            resolve(make(context, attempt));
          },
        };
        healths.set(address, join(healthOf(address), clock.now()));
        if (signal.aborted) {
          giveUp();
          return;
        }
        signal.addEventListener("abort", giveUp);
        waiting.add(waiter);
        letThrough();
      });
    },
  };
}
