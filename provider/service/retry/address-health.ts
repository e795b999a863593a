import { LONGEST_DELAY_MS } from "./decide-retry.js";
import type { Limits } from "./limits.js";

/**
 * What the calls of a run have met at one address: a state machine without a clock. An address is healthy until an
 * attempt fails temporarily. While nothing succeeds, it goes through three stages:
 *
 * 1. failing: for a while, calls go on as before.
 * 2. probing: one attempt at a time, and the delay of the last one holds back all others.
 * 3. hopeless: nothing has succeeded for a whole retry budget. Each call gets one short attempt; one attempt at a time
 *    gets more time, so that a service that is slow is noticed when it is back.
 *
 * The first attempt that succeeds makes the address healthy again. All times are monotonic milliseconds.
 */
export interface AddressHealth {
  /** Start of the first attempt that failed since the last answer that shows no outage. */
  readonly failingSinceMs: number | undefined;
  /** When that answer came. */
  readonly lastAnsweredMs: number;
  /** The service asked for no requests before this time. */
  readonly pausedUntilMs: number;
  /** No probe starts before this time. */
  readonly nextProbeMs: number;
  /** Probes that are under way. */
  readonly probes: number;
  /** No attempt of a hopeless address gets more time before this time. */
  readonly nextLongProbeMs: number;
  /** Attempts that wait or are under way. */
  readonly openAttempts: number;
  /** When the last attempt ended or stopped waiting. */
  readonly idleSinceMs: number;
}

/** An address of which nothing is known. */
export const UNKNOWN_HEALTH: AddressHealth = {
  failingSinceMs: undefined,
  lastAnsweredMs: -Infinity,
  pausedUntilMs: -Infinity,
  nextProbeMs: -Infinity,
  probes: 0,
  nextLongProbeMs: -Infinity,
  openAttempts: 0,
  idleSinceMs: -Infinity,
};

/** What an attempt showed of the address. */
export interface Observation {
  /** Answered, whatever the answer; failed temporarily; or cut off by this run, which shows nothing. */
  readonly outcome: "answered" | "failed" | "cut off";
  /** After a failure: the delay before the next probe. */
  readonly delayMs: number;
  /** For how long the service asked for no requests, each time that it asked. */
  readonly pausesMs: readonly number[];
  /** Whether the service asks for fewer requests, or refuses connections. */
  readonly isRefusal: boolean;
  /** The kind of the answer. Answers of one kind take about the same time. Missing when none came. */
  readonly kind?: string;
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

/** Returns when the address becomes hopeless unless an attempt succeeds, in milliseconds from now; 0 or less when it is. */
export function hopelessInMs(health: AddressHealth, { budgetMs }: Limits, nowMs: number): number {
  return budgetMs - timeDownMs(health, nowMs);
}

/** Returns how long the service still asks to pause, in milliseconds. */
export function pauseLeftMs({ pausedUntilMs }: AddressHealth, nowMs: number): number {
  return Math.max(0, pausedUntilMs - nowMs);
}

/** Notes an attempt that waits for its turn. Forgets an outage when there was no attempt for a while. */
export function enqueue(health: AddressHealth, nowMs: number): AddressHealth {
  const idleMs = nowMs - Math.max(health.idleSinceMs, health.pausedUntilMs);
  const hasLapsed = health.openAttempts === 0 && idleMs > LAPSE_MS;
  return {
    ...health,
    ...(hasLapsed && { failingSinceMs: undefined }),
    openAttempts: health.openAttempts + 1,
  };
}

/** Notes that an attempt has ended or has given up waiting. */
export function dequeue(health: AddressHealth, nowMs: number): AddressHealth {
  return { ...health, openAttempts: health.openAttempts - 1, idleSinceMs: nowMs };
}

/** Returns how long an attempt has to wait, as far as is known now. The end of another attempt can shorten it. */
export function timeToWaitMs(health: AddressHealth, limits: Limits, nowMs: number): number {
  if (pauseLeftMs(health, nowMs) > 0) return pauseLeftMs(health, nowMs);
  if (!isProbing(health, limits, nowMs)) return 0;
  const probeInMs = health.probes > 0 ? Infinity : health.nextProbeMs - nowMs;
  return Math.max(0, Math.min(hopelessInMs(health, limits, nowMs), probeInMs));
}

/** Starts an attempt. */
export function startAttempt(health: AddressHealth, limits: Limits, nowMs: number): [AddressHealth, Permit] {
  const isProbe = isProbing(health, limits, nowMs);
  const isHopeless = hopelessInMs(health, limits, nowMs) <= 0;
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
export function endAttempt(
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
  return observation === undefined ? ended : applyObservation(ended, limits, permit, observation, nowMs);
}

function applyObservation(
  health: AddressHealth,
  limits: Limits,
  { startedMs }: Permit,
  { outcome, delayMs, pausesMs }: Observation,
  nowMs: number,
): AddressHealth {
  switch (outcome) {
    case "cut off":
      return health;
    case "answered":
      return pause(
        { ...health, failingSinceMs: undefined, lastAnsweredMs: nowMs, nextProbeMs: nowMs },
        limits,
        pausesMs,
        nowMs,
      );
    case "failed": {
      // An attempt that failed while others were answered shows no outage before the last of those answers.
      const failingSinceMs = health.failingSinceMs ?? Math.max(startedMs, health.lastAnsweredMs);
      const nextProbeMs = nowMs + (canBeObeyed(delayMs, limits) ? delayMs : 0);
      return pause({ ...health, failingSinceMs, nextProbeMs }, limits, pausesMs, nowMs);
    }
  }
}

/** Obeys the pauses that the service asked for. When the address is hopeless, the calls would only fail later. */
function pause(
  health: AddressHealth,
  limits: Limits,
  pausesMs: readonly number[],
  nowMs: number,
): AddressHealth {
  if (hopelessInMs(health, limits, nowMs) <= 0) return health;
  const ends = pausesMs.filter((ms) => canBeObeyed(ms, limits)).map((ms) => nowMs + ms);
  return { ...health, pausedUntilMs: Math.max(health.pausedUntilMs, ...ends) };
}

/** No call can wait for a whole budget. Waiting that long would only delay the same error. */
function canBeObeyed(ms: number, { budgetMs }: Limits): boolean {
  return ms < budgetMs;
}

/** Returns how long nothing has succeeded; 0 when nothing has failed since the last answer. */
function timeDownMs({ failingSinceMs }: AddressHealth, nowMs: number): number {
  return failingSinceMs === undefined ? 0 : nowMs - failingSinceMs;
}

function isProbing(health: AddressHealth, { budgetMs }: Limits, nowMs: number): boolean {
  if (health.failingSinceMs === undefined) return false;
  return timeDownMs(health, nowMs) >= Math.min(PROBING_AFTER_MS, budgetMs * PROBING_AFTER_PART);
}
