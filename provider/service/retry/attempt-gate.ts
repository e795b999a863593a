import { setTimeout as delay } from "node:timers/promises";
import { type Limits, LONGEST_DELAY_MS } from "./judge.js";
import { attemptsAtATime, firstPace, limitedPauseMs, nextPace, type Observation, type Pace } from "./pace.js";

/** An attempt that may start. */
export interface Permit {
  readonly startedMs: number;
  /** Time for the attempt, at most. */
  readonly timeLimitMs: number;
  readonly isLongProbe: boolean;
}

/** After this part of a retry budget without a success, at most five seconds, calls become probes. */
const PROBING_AFTER_MS = 5_000;
const PROBING_AFTER_PART = 1 / 10;

/** Short enough for hundreds of calls to a hopeless address, long enough for a service that works again. */
const SHORT_PROBE_MS = 1_000;
/** Long enough for a slow service: a tenth of the retry budget, and at least as long as an attempt usually has. */
const LONG_PROBE_PART = 1 / 10;
const LONG_PROBE_MS = 30_000;

/**
 * An attempt without an answer after this time no longer counts toward the limit, so that another one can start. Otherwise a
 * few control planes that hang would hold up all others until their attempts reach their time limits.
 */
const OVERDUE_MS = 3_000;

/** Retries keep an address in use at least this often. A failure before a longer gap no longer counts. */
const LAPSE_MS = 2 * LONGEST_DELAY_MS;

/**
 * What the calls of a run have met at one address: a state machine without a clock. An address works until an attempt fails
 * temporarily. Without a success, it goes through three stages:
 *
 * 1. failing: for a while, calls go on as before, each with delays of its own.
 * 2. probing: one attempt at a time, and the delay of the last one holds back all others.
 * 3. hopeless: no success for a whole retry budget. Each call gets one short attempt; one attempt at a time
 *    gets more time, so that a service that is slow is noticed when it is back.
 *
 * The first attempt that succeeds ends them. All times are monotonic milliseconds.
 */
export class Address {
  /** Attempts that wait for their turn. */
  waiting = 0;
  readonly #underWay = new Set<Permit>();
  #pace: Pace;
  /** Start of the first attempt that failed since the last success. */
  #failingSinceMs: number | undefined;
  #lastAnsweredMs = -Infinity;
  /** No attempt starts before this time. */
  #notBeforeMs = -Infinity;
  /** No attempt at a hopeless address gets more time before this time. */
  #nextLongProbeMs = -Infinity;
  /** When the last attempt ended or stopped waiting, and the delay after it was over. */
  #idleSinceMs = -Infinity;

  /** @param ceiling attempts at a time, at most */
  constructor(
    private readonly ceiling: number,
    private readonly limits: Limits,
  ) {
    this.#pace = firstPace(ceiling);
  }

  /** How many attempts may be under way. */
  get attemptsAtATime(): number {
    return attemptsAtATime(this.#pace);
  }

  /**
   * Returns how long an attempt waits for a place: until the next attempt under way is overdue, as far as is known now.
   * 0 when there is a place. The end of another attempt can shorten it.
   */
  timeToPlaceMs(nowMs: number): number {
    return this.#timely(nowMs) < this.attemptsAtATime ? 0 : this.#overdueInMs(nowMs);
  }

  /** Returns when the address becomes hopeless unless an attempt succeeds, in milliseconds from now; 0 or less when it is. */
  hopelessInMs(nowMs: number): number {
    return this.limits.budgetMs - this.#timeDownMs(nowMs);
  }

  /** Returns for how long no attempt starts, in milliseconds. */
  pauseLeftMs(nowMs: number): number {
    return Math.max(0, this.#notBeforeMs - nowMs);
  }

  /** Returns how long an attempt has to wait, as far as is known now. The end of another attempt can shorten it. */
  timeToWaitMs(nowMs: number): number {
    const pauseMs = this.pauseLeftMs(nowMs);
    if (pauseMs > 0 || !this.#isProbing(nowMs) || this.#underWay.size === 0) return pauseMs;
    return Math.max(0, this.hopelessInMs(nowMs));
  }

  /** Notes an attempt that waits for its turn. Forgets an outage when there was no attempt for a while. */
  enqueue(nowMs: number): void {
    const idleMs = nowMs - Math.max(this.#idleSinceMs, this.#notBeforeMs);
    if (this.waiting + this.#underWay.size === 0 && idleMs > LAPSE_MS) this.#failingSinceMs = undefined;
    this.waiting += 1;
  }

  /** Removes an attempt that has given up waiting. */
  giveUp(nowMs: number): void {
    this.waiting -= 1;
    this.#idleSinceMs = Math.max(this.#idleSinceMs, nowMs);
  }

  /** Starts an attempt that has waited. */
  start(nowMs: number): Permit {
    this.waiting -= 1;
    const permit = this.#permitAt(nowMs);
    this.#underWay.add(permit);
    return permit;
  }

  #permitAt(nowMs: number): Permit {
    if (this.hopelessInMs(nowMs) > 0) {
      this.#hold(this.#pace.spacingMs, nowMs);
      return { startedMs: nowMs, timeLimitMs: Infinity, isLongProbe: false };
    }
    const isLongProbe = nowMs >= this.#nextLongProbeMs;
    if (isLongProbe) this.#nextLongProbeMs = Infinity;
    const longProbeMs = Math.max(LONG_PROBE_MS, this.limits.budgetMs * LONG_PROBE_PART);
    return { startedMs: nowMs, timeLimitMs: isLongProbe ? longProbeMs : SHORT_PROBE_MS, isLongProbe };
  }

  /**
   * Ends an attempt and applies what it showed.
   *
   * @param observation undefined if the attempt broke off by a defect
   * @param idleMs the part of its time in which this process was idle
   */
  end(permit: Permit, observation: Observation | undefined, nowMs: number, idleMs: number): void {
    const { startedMs, isLongProbe } = permit;
    // A long probe is followed by as much time without one.
    if (isLongProbe) this.#nextLongProbeMs = nowMs + (nowMs - startedMs);
    if (observation !== undefined && observation.outcome !== "cut off") {
      const { outcome: load, kind } = observation;
      const isOwn = this.#isOwnFailure(observation);
      if (!isOwn) {
        const sample = {
          startedMs,
          endedMs: nowMs,
          load,
          kind,
          idleMs,
          isFull: this.timeToPlaceMs(nowMs) > 0,
        };
        this.#pace = nextPace(this.#pace, this.ceiling, sample);
      }
      if (load === "answered") {
        this.#failingSinceMs = undefined;
        this.#lastAnsweredMs = nowMs;
      } else if (!isOwn) {
        // The outage began after the last answer, even if this attempt started before it.
        this.#failingSinceMs ??= Math.max(startedMs, this.#lastAnsweredMs);
      }
      if (load !== "answered") this.#delay(observation.delayMs, nowMs);
      if (load === "limited") this.#hold(Math.min(observation.delayMs, limitedPauseMs(this.#pace)), nowMs);
      for (const ms of observation.pausesMs) this.#hold(ms, nowMs);
    }
    this.#underWay.delete(permit);
    this.#idleSinceMs = Math.max(this.#idleSinceMs, nowMs);
  }

  /** Returns how many attempts are under way and not overdue. */
  #timely(nowMs: number): number {
    return [...this.#underWay].filter(({ startedMs }) => nowMs - startedMs < OVERDUE_MS).length;
  }

  /** Returns when the next attempt under way will be overdue, in milliseconds from now; Infinity when there is none. */
  #overdueInMs(nowMs: number): number {
    const inMs = [...this.#underWay].map(({ startedMs }) => startedMs + OVERDUE_MS - nowMs);
    return Math.min(...inMs.filter((ms) => ms > 0));
  }

  /** If the address answered another call since this call first failed, its failures do not count against the address. */
  #isOwnFailure({ outcome, failedBeforeMs = Infinity }: Observation): boolean {
    return outcome === "failed" && failedBeforeMs < this.#lastAnsweredMs;
  }

  /** Notes the delay after a failure. Without a success, it holds back all attempts. */
  #delay(ms: number, nowMs: number): void {
    if (ms >= this.limits.budgetMs) return;
    this.#idleSinceMs = Math.max(this.#idleSinceMs, nowMs + ms);
    if (this.#isProbing(nowMs)) this.#hold(Math.min(ms, this.hopelessInMs(nowMs)), nowMs);
  }

  /** Lets no attempt start for some time. When that is a whole budget, or the address is hopeless, calls would only fail later. */
  #hold(ms: number, nowMs: number): void {
    if (ms >= this.limits.budgetMs || this.hopelessInMs(nowMs) <= 0) return;
    this.#notBeforeMs = Math.max(this.#notBeforeMs, nowMs + ms);
  }

  /** Returns the time without a success; 0 if no attempt has failed since the last one. */
  #timeDownMs(nowMs: number): number {
    return this.#failingSinceMs === undefined ? 0 : nowMs - this.#failingSinceMs;
  }

  #isProbing(nowMs: number): boolean {
    if (this.#failingSinceMs === undefined) return false;
    const afterMs = Math.min(PROBING_AFTER_MS, this.limits.budgetMs * PROBING_AFTER_PART);
    return this.#timeDownMs(nowMs) >= afterMs;
  }
}

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
 * Urgent ones go before all others.
 */
export class AttemptGate {
  readonly #addresses = new Map<string, Address>();
  readonly #waiting = { urgent: new Set<Waiter>(), usual: new Set<Waiter>() };
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
   *
   * @param isUrgent whether what is known about the attempt's subject is soon outdated
   */
  async run<T>(
    url: string,
    signal: AbortSignal,
    attempt: (permit: Permit) => Promise<Attempted<T>>,
    isUrgent = false,
  ): Promise<Observed<T>> {
    const { clock } = this;
    const address = this.#addressAt(url);
    const permit = await this.#waitForTurn(address, signal, isUrgent ? "urgent" : "usual");
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

  #waitForTurn(address: Address, signal: AbortSignal, queue: "urgent" | "usual"): Promise<Permit> {
    const { urgent, usual } = this.#waiting;
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        this.#waiting[queue].delete(waiter);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        stopWaiting();
        address.giveUp(this.clock.now());
        reject(signal.reason as Error);
        // An alarm without a waiting call would keep the process alive.
        if (urgent.size + usual.size === 0) this.#alarm?.abort();
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
      this.#waiting[queue].add(waiter);
      this.#letThrough();
    });
  }

  #letThrough(): void {
    let nextMs = Infinity;
    // There are few addresses but thousands of waiters, so the loop ends when no address can take another attempt.
    const open = new Set([...this.#addresses.values()].filter(({ waiting }) => waiting > 0));
    for (const { address, start } of this.#inOrder()) {
      if (this.#inFlight >= this.concurrency || open.size === 0) break;
      if (!open.has(address)) continue;
      const nowMs = this.clock.now();
      const ms = address.timeToWaitMs(nowMs) || address.timeToPlaceMs(nowMs);
      if (ms === 0) start();
      else open.delete(address);
      if (ms > 0) nextMs = Math.min(nextMs, ms);
    }
    this.#alarm?.abort();
    this.#alarm = nextMs === Infinity ? undefined : this.#wake(nextMs);
  }

  *#inOrder(): Iterable<Waiter> {
    yield* this.#waiting.urgent;
    yield* this.#waiting.usual;
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
  /** How long this process was idle, in milliseconds. */
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
