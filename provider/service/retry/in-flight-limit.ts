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
