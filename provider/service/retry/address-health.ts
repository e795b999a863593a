import { type Limits, LONGEST_DELAY_MS } from "./decide-retry.js";

/**
 * What the calls of a run have met at one address: a state machine without a clock. An address is well until an attempt
 * fails temporarily. While nothing succeeds, it goes through three stages:
 *
 * 1. failing: for a while, calls go on as before.
 * 2. probing: one attempt at a time, and the delay of the last one holds back all others.
 * 3. hopeless: nothing has succeeded for a whole retry budget. Each call gets one short attempt; one attempt at a time
 *    gets more time, so that a service that is slow is noticed when it is back.
 *
 * The first attempt that succeeds makes the address well again. All times are monotonic milliseconds.
 */
export interface AddressHealth {
  /** Start of the first attempt that failed since the last success. */
  readonly failingSinceMs: number | undefined;
  readonly lastSuccessMs: number;
  /** The service asked for no requests before this time. */
  readonly pausedUntilMs: number;
  /** No probe starts before this time. */
  readonly nextProbeMs: number;
  /** Probes that are under way. */
  readonly probes: number;
  /** No attempt of a hopeless address gets more time before this time. */
  readonly nextLongProbeMs: number;
  /** Attempts that wait or are under way. */
  readonly interested: number;
  /** When the last attempt went. */
  readonly idleSinceMs: number;
}

/** An address of which nothing is known. */
export const UNKNOWN_HEALTH: AddressHealth = {
  failingSinceMs: undefined,
  lastSuccessMs: -Infinity,
  pausedUntilMs: -Infinity,
  nextProbeMs: -Infinity,
  probes: 0,
  nextLongProbeMs: -Infinity,
  interested: 0,
  idleSinceMs: -Infinity,
};

/** What an attempt showed of the address. */
export interface Observation {
  /** Answered, whatever the answer; failed temporarily; or cut off by this run, which shows nothing. */
  readonly outcome: "answered" | "failed" | "cut off";
  /** After a failure: the delay before the next probe. */
  readonly delayMs: number;
  /** How long the service asked for no requests; 0 when it did not ask. */
  readonly pauseMs: number;
}

/** An attempt that may start. */
export interface Permit {
  readonly startedMs: number;
  /** Time for the attempt, at most. */
  readonly timeLimitMs: number;
  readonly isProbe: boolean;
  readonly isLongProbe: boolean;
}

/** Nothing has succeeded for this part of a retry budget, at most five seconds: calls become probes. */
const PROBING_AFTER_MS = 5_000;
const PROBING_AFTER_PART = 1 / 10;

/** Short enough for hundreds of calls to a hopeless address, long enough for a service that works again. */
const SHORT_PROBE_MS = 1_000;
/** Long enough for a service that is slow: a tenth of the retry budget, and at least as long as an attempt usually has. */
const LONG_PROBE_PART = 1 / 10;
const LONG_PROBE_MS = 30_000;

/** Retries keep an address in use at least this often. A failure before a longer gap says nothing of the present. */
const LAPSE_MS = 2 * LONGEST_DELAY_MS;

/** Returns how long nothing has succeeded; 0 when nothing has failed since the last success. */
export function downMs(health: AddressHealth, nowMs: number): number {
  return health.failingSinceMs === undefined ? 0 : nowMs - health.failingSinceMs;
}

/** Returns how long the service asked for no requests, from now on. */
export function pauseLeftMs({ pausedUntilMs }: AddressHealth, nowMs: number): number {
  return Math.max(0, pausedUntilMs - nowMs);
}

/** Notes an attempt that waits for its turn. Forgets an outage that nobody has asked about for a while. */
export function join(health: AddressHealth, nowMs: number): AddressHealth {
  const idleMs = nowMs - Math.max(health.idleSinceMs, health.pausedUntilMs);
  const hasLapsed = health.interested === 0 && idleMs > LAPSE_MS;
  return {
    ...health,
    ...(hasLapsed && { failingSinceMs: undefined }),
    interested: health.interested + 1,
  };
}

/** Notes that an attempt has ended or has given up waiting. */
export function leave(health: AddressHealth, nowMs: number): AddressHealth {
  return { ...health, interested: health.interested - 1, idleSinceMs: nowMs };
}

/** Returns how long an attempt has to wait, as far as is known now. The end of another attempt can shorten it. */
export function waitMs(health: AddressHealth, limits: Limits, nowMs: number): number {
  if (pauseLeftMs(health, nowMs) > 0) return pauseLeftMs(health, nowMs);
  if (!isProbing(health, limits, nowMs)) return 0;
  const hopelessInMs = limits.budgetMs - downMs(health, nowMs);
  const probeInMs = health.probes > 0 ? Infinity : health.nextProbeMs - nowMs;
  return Math.max(0, Math.min(hopelessInMs, probeInMs));
}

/** Starts an attempt. */
export function start(health: AddressHealth, limits: Limits, nowMs: number): [AddressHealth, Permit] {
  const isProbe = isProbing(health, limits, nowMs);
  const isHopeless = downMs(health, nowMs) >= limits.budgetMs;
  const isLongProbe = isHopeless && nowMs >= health.nextLongProbeMs;
  const permit = {
    startedMs: nowMs,
    timeLimitMs: isHopeless ? hopelessTimeLimitMs(limits, isLongProbe) : Infinity,
    isProbe,
    isLongProbe,
  };
  const next = {
    ...health,
    ...(isProbe && { probes: health.probes + 1 }),
    ...(isLongProbe && { nextLongProbeMs: Infinity }),
  };
  return [next, permit];
}

function hopelessTimeLimitMs({ budgetMs }: Limits, isLongProbe: boolean): number {
  return isLongProbe ? Math.max(LONG_PROBE_MS, budgetMs * LONG_PROBE_PART) : SHORT_PROBE_MS;
}

/** Ends an attempt and applies what it showed. Without an observation, the attempt broke off by a defect. */
export function end(
  health: AddressHealth,
  limits: Limits,
  permit: Permit,
  observation: Observation | undefined,
  nowMs: number,
): AddressHealth {
  const ended = {
    ...health,
    ...(permit.isProbe && { probes: health.probes - 1 }),
    // A long probe is followed by as much time without one.
    ...(permit.isLongProbe && { nextLongProbeMs: nowMs + (nowMs - permit.startedMs) }),
  };
  return observation === undefined ? ended : observe(ended, limits, permit, observation, nowMs);
}

function observe(
  health: AddressHealth,
  limits: Limits,
  { startedMs }: Permit,
  { outcome, delayMs, pauseMs }: Observation,
  nowMs: number,
): AddressHealth {
  switch (outcome) {
    case "cut off":
      return health;
    case "answered":
      return pause(
        { ...health, failingSinceMs: undefined, lastSuccessMs: nowMs, nextProbeMs: nowMs },
        limits,
        pauseMs,
        nowMs,
      );
    case "failed": {
      // What failed while other attempts succeeded shows no outage before the last success.
      const failingSinceMs = health.failingSinceMs ?? Math.max(startedMs, health.lastSuccessMs);
      return pause({ ...health, failingSinceMs, nextProbeMs: nowMs + delayMs }, limits, pauseMs, nowMs);
    }
  }
}

/** Obeys a pause that the service asked for. When the address is hopeless, the calls would only fail later. */
function pause(health: AddressHealth, limits: Limits, pauseMs: number, nowMs: number): AddressHealth {
  if (downMs(health, nowMs) >= limits.budgetMs) return health;
  return { ...health, pausedUntilMs: Math.max(health.pausedUntilMs, nowMs + pauseMs) };
}

function isProbing(health: AddressHealth, { budgetMs }: Limits, nowMs: number): boolean {
  if (health.failingSinceMs === undefined) return false;
  return downMs(health, nowMs) >= Math.min(PROBING_AFTER_MS, budgetMs * PROBING_AFTER_PART);
}
