import { setTimeout as delay } from "node:timers/promises";
import { Address, type Observation, type Permit } from "./address.js";
import type { Limits } from "./judge.js";

/** The value of an attempt, and what the attempt showed of its address. */
export interface Attempted<T> {
  readonly value: T;
  readonly observation: Observation;
}

/** The value of an attempt, and the health of its address afterwards. */
export interface Observed<T> {
  readonly value: T;
  /** When the address becomes hopeless unless an attempt succeeds, in milliseconds from now; 0 or less when it is. */
  readonly hopelessInMs: number;
  /** For how long no attempt starts at the address, in milliseconds. */
  readonly pauseMs: number;
}

interface Waiter {
  readonly address: Address;
  readonly start: () => void;
}

/**
 * Lets attempts start, first come, first served: as many at a time as their address takes well, and as its health allows.
 */
export class AttemptGate {
  readonly #addresses = new Map<string, Address>();
  readonly #waiting = new Set<Waiter>();
  #inFlight = 0;
  /** Ends the wait for the time at which the next attempt may start. */
  #alarm: AbortController | undefined;

  /**
   * @param concurrency attempts under way at a time, at most, at all addresses together
   * @param limits those of the run, because all calls share the health of an address
   */
  constructor(
    private readonly concurrency: number,
    private readonly limits: Limits,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits for its turn, makes the attempt, and applies what it showed before another attempt starts. Rejects with the
   * signal's reason when it aborts before the attempt starts.
   */
  async run<T>(
    url: string,
    signal: AbortSignal,
    attempt: (permit: Permit) => Promise<Attempted<T>>,
  ): Promise<Observed<T>> {
    const { clock } = this;
    const address = this.#addressAt(url);
    const permit = await this.#waitForTurn(address, signal);
    const idleBeforeMs = clock.idleMs();
    let attempted: Attempted<T> | undefined;
    try {
      attempted = await attempt(permit);
    } finally {
      address.end(permit, attempted?.observation, clock.now(), clock.idleMs() - idleBeforeMs);
      this.#inFlight -= 1;
      this.#letThrough();
    }
    const nowMs = clock.now();
    const { value } = attempted;
    return { value, hopelessInMs: address.hopelessInMs(nowMs), pauseMs: address.pauseLeftMs(nowMs) };
  }

  /** Returns how many attempts may be under way at an address now. */
  attemptsAtATime(url: string): number {
    return this.#addressAt(url).attemptsAtATime;
  }

  #waitForTurn(address: Address, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        this.#waiting.delete(waiter);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        stopWaiting();
        address.giveUp(this.clock.now());
        reject(signal.reason as Error);
        // An alarm for nobody would keep the process alive.
        if (this.#waiting.size === 0) this.#alarm?.abort();
      };
      const waiter: Waiter = {
        address,
        start: () => {
          stopWaiting();
          this.#inFlight += 1;
          resolve(address.start(this.clock.now()));
        },
      };
      address.enqueue(this.clock.now());
      if (signal.aborted) {
        giveUp();
        return;
      }
      signal.addEventListener("abort", giveUp);
      this.#waiting.add(waiter);
      this.#letThrough();
    });
  }

  #letThrough(): void {
    let nextMs = Infinity;
    // There are few addresses but thousands of waiters, so the loop ends when no address can take another attempt.
    const open = new Set([...this.#addresses.values()].filter(({ waiting }) => waiting > 0));
    for (const { address, start } of this.#waiting) {
      if (this.#inFlight >= this.concurrency || open.size === 0) break;
      if (!open.has(address)) continue;
      const ms = address.timeToWaitMs(this.clock.now());
      if (ms > 0) nextMs = Math.min(nextMs, ms);
      if (ms > 0 || address.isFull) open.delete(address);
      else start();
    }
    this.#alarm?.abort();
    this.#alarm = nextMs === Infinity ? undefined : this.#wake(nextMs);
  }

  /** Lets attempts start when the time has come. */
  #wake(inMs: number): AbortController {
    const alarm = new AbortController();
    this.clock.sleep(inMs, alarm.signal).then(
      () => this.#letThrough(),
      () => undefined,
    );
    return alarm;
  }

  #addressAt(url: string): Address {
    const address = this.#addresses.get(url) ?? new Address(this.concurrency, this.limits);
    this.#addresses.set(url, address);
    return address;
  }
}

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
