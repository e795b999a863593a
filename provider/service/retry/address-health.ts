import { type Limits, LONGEST_DELAY_MS } from "./judge.js";

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

/**
 * How many attempts may be under way at one address. The level grows by one for each round of good answers, and is
 * halved when the service has too much to do: additive increase, multiplicative decrease.
 *
 * Source: RFC 5681, section 3.1. Figures and reasons: docs/decisions/concurrency.md.
 */
export interface InFlightLimit {
  /** Attempts at a time. A fraction counts towards the next whole one. */
  readonly level: number;
  /** The level at which the service last refused requests. Infinity when it has taken more since. */
  readonly refusedLevel: number;
  /** When the level last shrank. Attempts that started before say nothing of the present level. */
  readonly shrunkMs: number;
  /** How long answers take, by their kind. */
  readonly latencies: ReadonlyMap<string, Latency>;
}

/** An attempt that ended. */
export interface LoadSample {
  readonly startedMs: number;
  readonly endedMs: number;
  /**
   * - `refused`: the service asked for fewer requests, or refused the connection.
   * - `failed`: another temporary failure.
   * - `answered`: anything else that the service said.
   */
  readonly load: "refused" | "failed" | "answered";
  /** Answers of one kind take about the same time. Undefined when the time says nothing. */
  readonly kind: string | undefined;
  /** The part of the time in which this process had nothing else to do. */
  readonly idleMs: number;
  /** Whether the address used its whole level, so that it would have used a higher one, too. */
  readonly isFull: boolean;
}

/** How long the answers of one kind take. */
interface Latency {
  /** Answers in the present window. */
  readonly answers: number;
  readonly sumMs: number;
  readonly sumIdleMs: number;
  /** The lowest mean of a window so far. */
  readonly bestMeanMs: number;
}

/** A level that any service can take. Only a refusal leads to a lower one. */
const FIRST_LEVEL = 8;

/** With fewer, the calls of a long outage would take turns for longer than they may. */
const LEAST_LEVEL = 2;

/** Growth to a level that was refused before is this many times slower, so that about one request in a hundred is refused. */
const CAREFUL_TIMES = 20;

/** A single answer can be slow by chance. The mean of this many shows it. */
const WINDOW_ANSWERS = 16;
/** When latency has doubled, half as many attempts in flight get just as many answers. */
const SLOW_TIMES = 2;
/** Shorter differences are chance, in milliseconds. */
const CHANCE_MS = 20;

const UNKNOWN_LATENCY: Latency = { answers: 0, sumMs: 0, sumIdleMs: 0, bestMeanMs: Infinity };

/** Returns the limit of an address of which nothing is known. @param ceiling attempts at a time, at most */
export function firstLimit(ceiling: number): InFlightLimit {
  const level = Math.min(FIRST_LEVEL, ceiling);
  return { level, refusedLevel: Infinity, shrunkMs: -Infinity, latencies: new Map() };
}

/** Returns how many attempts may be under way. */
export function attemptsAtATime({ level }: InFlightLimit): number {
  return Math.floor(level);
}

/** Returns the limit after an attempt. @param ceiling attempts at a time, at most */
export function nextLimit(limit: InFlightLimit, ceiling: number, sample: LoadSample): InFlightLimit {
  // Attempts that were under way together meet the same overload, and halve the level once.
  if (sample.startedMs <= limit.shrunkMs) return limit;
  switch (sample.load) {
    case "refused":
      return halve({ ...limit, refusedLevel: attemptsAtATime(limit) }, LEAST_LEVEL, sample.endedMs);
    case "failed":
      return halve(limit, FIRST_LEVEL, sample.endedMs);
    case "answered": {
      const { latencies, isSlow } = noteLatency(limit.latencies, sample);
      const noted = { ...limit, latencies };
      if (isSlow) return halve(noted, FIRST_LEVEL, sample.endedMs);
      return sample.isFull ? grow(noted, ceiling) : noted;
    }
  }
}

function halve(limit: InFlightLimit, least: number, nowMs: number): InFlightLimit {
  if (limit.level <= least) return limit;
  return { ...limit, level: Math.max(least, limit.level / 2), shrunkMs: nowMs };
}

function grow(limit: InFlightLimit, ceiling: number): InFlightLimit {
  const isCareful = attemptsAtATime(limit) + 1 >= limit.refusedLevel;
  const step = 1 / (limit.level * (isCareful ? CAREFUL_TIMES : 1));
  const grown = { ...limit, level: Math.min(ceiling, limit.level + step) };
  return attemptsAtATime(grown) > limit.refusedLevel ? { ...grown, refusedLevel: Infinity } : grown;
}

/**
 * Compares the mean of each window with the lowest one so far. When this process is busy, an answer can wait for it, so
 * only the idle part of the time has certainly passed in the service.
 */
function noteLatency(
  latencies: InFlightLimit["latencies"],
  { kind, startedMs, endedMs, idleMs }: LoadSample,
): { readonly latencies: InFlightLimit["latencies"]; readonly isSlow: boolean } {
  if (kind === undefined) return { latencies, isSlow: false };
  const before = latencies.get(kind) ?? UNKNOWN_LATENCY;
  const put = (latency: Latency) => new Map(latencies).set(kind, latency);
  const window = {
    ...before,
    answers: before.answers + 1,
    sumMs: before.sumMs + (endedMs - startedMs),
    sumIdleMs: before.sumIdleMs + idleMs,
  };
  if (window.answers < WINDOW_ANSWERS) return { latencies: put(window), isSlow: false };
  const { answers, sumMs, sumIdleMs, bestMeanMs } = window;
  return {
    latencies: put({ ...UNKNOWN_LATENCY, bestMeanMs: Math.min(sumMs / answers, bestMeanMs) }),
    isSlow: sumIdleMs / answers > bestMeanMs * SLOW_TIMES + CHANCE_MS,
  };
}
