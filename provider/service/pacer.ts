import { Health } from "./health.js";

/** Clock and waiting, passed in so that tests can hold them. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** One attempt that waits to be let through. */
export interface Turn {
  readonly address: string;
  /** Once nothing has succeeded at the address for this long, the attempt no longer waits to be a probe. */
  readonly patienceMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Lets attempts through, first come, first served: a bounded number at a time, none to an address that asked to be left
 * alone, and one at a time to an address where nothing succeeds.
 */
export interface Pacer {
  /** Waits for a slot and for the address, then makes the attempt. Rejects with the signal's reason. */
  run<T>(turn: Turn, attempt: () => Promise<T>): Promise<T>;
  /** Keeps every attempt away from an address for `ms`, as the service asked; the longest wish counts. */
  pause(address: string, ms: number): void;
  /** An attempt was answered for good: whoever waits for the address may go. */
  noteSuccess(address: string): void;
  /** An attempt that began at `beganMs` came to a temporary failure. */
  noteFailure(address: string, beganMs: number): void;
  /** While nothing succeeds, keeps the next probe away for `ms`. */
  delayProbe(address: string, ms: number): void;
  /** Tells for how long nothing has succeeded at an address; 0 when it is well, or nothing was tried. */
  downMs(address: string): number;
  /** Allows one attempt at a time to take long at an address where nothing succeeds; then none for as long as it took. */
  beginLongLook(address: string): boolean;
  endLongLook(address: string, beganMs: number): void;
}

interface Place {
  readonly health: Health;
  pausedUntilMs: number;
  nextProbeMs: number;
  nextLongLookMs: number;
  probing: boolean;
}

interface Waiter {
  readonly place: Place;
  readonly patienceMs: number;
  readonly start: () => void;
}

/** @param concurrency attempts in flight at a time, in this process */
export function createPacer(concurrency: number, clock: Clock): Pacer {
  const places = new Map<string, Place>();
  const waiting = new Set<Waiter>();
  let inFlight = 0;
  let alarm = new AbortController();

  const placeOf = (address: string): Place => {
    const place = places.get(address) ?? {
      health: new Health(),
      pausedUntilMs: 0,
      nextProbeMs: 0,
      nextLongLookMs: 0,
      probing: false,
    };
    places.set(address, place);
    return place;
  };

  const letThrough = () => {
    let nextMs = Infinity;
    for (const waiter of waiting) {
      if (inFlight >= concurrency) return;
      const waitMs = msUntilOpen(waiter, clock.now());
      if (waitMs <= 0) waiter.start();
      else nextMs = Math.min(nextMs, waitMs);
    }
    alarm.abort();
    if (nextMs === Infinity) return;
    alarm = new AbortController();
    clock.sleep(nextMs, alarm.signal).then(letThrough, () => undefined);
  };

  const makeAttempt = async <T>(place: Place, attempt: () => Promise<T>): Promise<T> => {
    const probes = place.health.isUnwell(clock.now());
    inFlight += 1;
    if (probes) place.probing = true;
    try {
      return await attempt();
    } finally {
      inFlight -= 1;
      if (probes) place.probing = false;
      letThrough();
    }
  };

  return {
    run({ address, patienceMs, signal }, attempt) {
      const place = placeOf(address);
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(waiter);
          signal.removeEventListener("abort", giveUp);
        };
        const giveUp = () => {
          leave();
          reject(signal.reason as Error);
        };
        const start = () => {
          leave();
          resolve(makeAttempt(place, attempt));
        };
        const waiter: Waiter = { place, patienceMs, start };
        if (signal.aborted) {
          giveUp();
          return;
        }
        signal.addEventListener("abort", giveUp);
        waiting.add(waiter);
        letThrough();
      });
    },
    pause(address, ms) {
      const place = placeOf(address);
      place.pausedUntilMs = Math.max(place.pausedUntilMs, clock.now() + ms);
      place.health.notePause(place.pausedUntilMs);
    },
    noteSuccess(address) {
      const place = placeOf(address);
      place.health.noteSuccess(clock.now());
      place.nextProbeMs = 0;
    },
    noteFailure: (address, beganMs) => placeOf(address).health.noteFailure(beganMs, clock.now()),
    delayProbe(address, ms) {
      placeOf(address).nextProbeMs = clock.now() + ms;
    },
    downMs: (address) => placeOf(address).health.downMs(clock.now()),
    beginLongLook(address) {
      const place = placeOf(address);
      if (clock.now() < place.nextLongLookMs) return false;
      place.nextLongLookMs = Infinity;
      return true;
    },
    endLongLook(address, beganMs) {
      const nowMs = clock.now();
      placeOf(address).nextLongLookMs = nowMs + (nowMs - beganMs);
    },
  };
}

/** Milliseconds until an attempt may go, as far as is known now; another one's end can bring that forward. */
function msUntilOpen({ place, patienceMs }: Waiter, nowMs: number): number {
  const { health, pausedUntilMs, nextProbeMs, probing } = place;
  if (pausedUntilMs > nowMs) return pausedUntilMs - nowMs;
  if (!health.isUnwell(nowMs)) return 0;
  const patienceLeftMs = patienceMs - health.downMs(nowMs);
  return probing ? patienceLeftMs : Math.min(patienceLeftMs, nextProbeMs - nowMs);
}
