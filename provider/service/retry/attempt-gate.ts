import { setTimeout as delay } from "node:timers/promises";
import {
  type AddressHealth,
  attemptsAtATime,
  dequeue,
  endAttempt,
  enqueue,
  firstLimit,
  hopelessInMs,
  type InFlightLimit,
  type LoadSample,
  nextLimit,
  type Observation,
  pauseLeftMs,
  type Permit,
  startAttempt,
  timeToWaitMs,
  UNKNOWN_HEALTH,
} from "./address-health.js";
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
  /** How long the service still asks to pause, in milliseconds. */
  readonly pauseMs: number;
}

interface Waiter {
  readonly address: string;
  readonly start: () => void;
}

/** How many attempts wait and are under way at an address, and how many may be under way. */
interface Flow {
  waiting: number;
  inFlight: number;
  limit: InFlightLimit;
}

/**
 * Lets attempts start, first come, first served: as many at a time as their address takes well, and as its health allows.
 */
export class AttemptGate {
  readonly #healths = new Map<string, AddressHealth>();
  readonly #flows = new Map<string, Flow>();
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
    address: string,
    signal: AbortSignal,
    attempt: (permit: Permit) => Promise<Attempted<T>>,
  ): Promise<Observed<T>> {
    const permit = await this.#waitForTurn(address, signal);
    const idleBeforeMs = this.clock.idleMs();
    let attempted: Attempted<T>;
    try {
      attempted = await attempt(permit);
    } catch (error) {
      this.#finish(address, permit, undefined, 0);
      throw error;
    }
    const idleMs = this.clock.idleMs() - idleBeforeMs;
    const health = this.#finish(address, permit, attempted.observation, idleMs);
    const nowMs = this.clock.now();
    return {
      value: attempted.value,
      hopelessInMs: hopelessInMs(health, this.limits, nowMs),
      pauseMs: pauseLeftMs(health, nowMs),
    };
  }

  /** Returns how many attempts may be under way at an address now. */
  attemptsAtATime(address: string): number {
    return attemptsAtATime(this.#flowOf(address).limit);
  }

  #waitForTurn(address: string, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        if (this.#waiting.delete(waiter)) this.#flowOf(address).waiting -= 1;
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        stopWaiting();
        this.#healths.set(address, dequeue(this.#healthOf(address), this.clock.now()));
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        address,
        start: () => {
          stopWaiting();
          resolve(this.#start(address));
        },
      };
      this.#healths.set(address, enqueue(this.#healthOf(address), this.clock.now()));
      if (signal.aborted) {
        giveUp();
        return;
      }
      signal.addEventListener("abort", giveUp);
      this.#waiting.add(waiter);
      this.#flowOf(address).waiting += 1;
      this.#letThrough();
    });
  }

  #start(address: string): Permit {
    const [health, permit] = startAttempt(this.#healthOf(address), this.limits, this.clock.now());
    this.#healths.set(address, health);
    this.#inFlight += 1;
    this.#flowOf(address).inFlight += 1;
    return permit;
  }

  #finish(
    address: string,
    permit: Permit,
    observation: Observation | undefined,
    idleMs: number,
  ): AddressHealth {
    const nowMs = this.clock.now();
    const ended = endAttempt(this.#healthOf(address), this.limits, permit, observation, nowMs);
    const health = dequeue(ended, nowMs);
    this.#healths.set(address, health);
    const flow = this.#flowOf(address);
    const load = loadOf(observation);
    if (load !== undefined) {
      const { startedMs } = permit;
      const sample = {
        startedMs,
        endedMs: nowMs,
        load,
        kind: observation?.kind,
        idleMs,
        isFull: isFull(flow),
      };
      flow.limit = nextLimit(flow.limit, this.concurrency, sample);
    }
    flow.inFlight -= 1;
    this.#inFlight -= 1;
    this.#letThrough();
    return health;
  }

  #letThrough(): void {
    let nextMs = Infinity;
    // There are few addresses but thousands of waiters, so the loop ends when no address can take another attempt.
    const open = new Set(
      [...this.#flows].flatMap(([address, { waiting }]) => (waiting > 0 ? [address] : [])),
    );
    for (const { address, start } of this.#waiting) {
      if (this.#inFlight >= this.concurrency || open.size === 0) break;
      if (!open.has(address)) continue;
      const ms = timeToWaitMs(this.#healthOf(address), this.limits, this.clock.now());
      const flow = this.#flowOf(address);
      if (ms > 0) nextMs = Math.min(nextMs, ms);
      if (ms > 0 || isFull(flow)) open.delete(address);
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

  #healthOf(address: string): AddressHealth {
    return this.#healths.get(address) ?? UNKNOWN_HEALTH;
  }

  #flowOf(address: string): Flow {
    const flow = this.#flows.get(address) ?? { waiting: 0, inFlight: 0, limit: firstLimit(this.concurrency) };
    this.#flows.set(address, flow);
    return flow;
  }
}

function isFull({ inFlight, limit }: Flow): boolean {
  return inFlight >= attemptsAtATime(limit);
}

/** Returns undefined for an attempt that shows nothing of the service. */
function loadOf(observation: Observation | undefined): LoadSample["load"] | undefined {
  if (observation === undefined || observation.outcome === "cut off") return undefined;
  return observation.isRefusal ? "refused" : observation.outcome;
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
