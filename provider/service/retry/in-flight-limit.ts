/**
 * How many attempts may be under way at one address. It grows by one for each round of good answers, and is halved when
 * the service shows that it has too much to do: additive increase, multiplicative decrease. Source: RFC 5681, section 3.1.
 */
export interface InFlightLimit {
  /** Attempts at a time. A fraction counts towards the next whole one. */
  readonly level: number;
  /** The level at which the service last had too much to do. From there on, the limit grows slowly. */
  readonly refusedLevel: number;
  /** When the limit last shrank. Attempts that started before say nothing of the present level. */
  readonly shrunkMs: number;
  /** Shortest time that an answer took of late. */
  readonly bestLatencyMs: number;
}

/** What an attempt that ended says of the level. */
export interface LoadSample {
  readonly startedMs: number;
  readonly endedMs: number;
  /**
   * - `good`: an answer that asks for nothing.
   * - `overload`: 429, `Retry-After`, no requests left of a rate limit, or a connection that was refused.
   * - `unclear`: anything else.
   */
  readonly load: "good" | "overload" | "unclear";
  /** Whether the address used its whole level, so that a higher one would have been used, too. */
  readonly isFull: boolean;
}

/** A level that any service can take, and that is as fast as a slow start would be. */
const FIRST_LEVEL = 8;

/** With fewer, the calls of a long outage would take turns for longer than they may. */
const LEAST_LEVEL = 2;

/** Answers that take this many times longer than the best one show a service, or a run, that has enough to do. */
const SLOW_TIMES = 2;
const TOO_SLOW_TIMES = 4;
/** Differences that are shorter than this are chance, in milliseconds. */
const CHANCE_MS = 20;
/** The best time is forgotten by this part with each answer, so that it follows a service that becomes slower. */
const FORGET_PART = 1 / 100;

/** Growth beyond a level that was refused is this many times slower: one refused request in a hundred, at most. */
const CAREFUL_TIMES = 10;

/** Returns the limit of an address of which nothing is known. @param ceiling attempts at a time, at most */
export function firstLimit(ceiling: number): InFlightLimit {
  return {
    level: Math.min(FIRST_LEVEL, ceiling),
    refusedLevel: Infinity,
    shrunkMs: -Infinity,
    bestLatencyMs: Infinity,
  };
}

/** Returns the limit after an attempt. @param ceiling attempts at a time, at most */
export function nextLimit(limit: InFlightLimit, ceiling: number, sample: LoadSample): InFlightLimit {
  const latencyMs = sample.endedMs - sample.startedMs;
  switch (sample.load) {
    case "unclear":
      return limit;
    case "overload":
      return shrink({ ...limit, refusedLevel: Math.min(limit.refusedLevel, limit.level) }, 1 / 2, sample);
    case "good": {
      const bestLatencyMs = Math.min(latencyMs, limit.bestLatencyMs * (1 + FORGET_PART));
      const observed = { ...limit, bestLatencyMs };
      const extraMs = latencyMs - bestLatencyMs - CHANCE_MS;
      if (extraMs > bestLatencyMs * (TOO_SLOW_TIMES - 1)) return shrink(observed, 3 / 4, sample);
      if (!sample.isFull || extraMs > bestLatencyMs * (SLOW_TIMES - 1)) return observed;
      return grow(observed, ceiling);
    }
  }
}

function grow(limit: InFlightLimit, ceiling: number): InFlightLimit {
  const step = 1 / limit.level;
  const isCareful = Math.floor(limit.level) + 1 >= Math.floor(limit.refusedLevel);
  return { ...limit, level: Math.min(ceiling, limit.level + (isCareful ? step / CAREFUL_TIMES : step)) };
}

/** Attempts that were under way together meet the same overload, and shrink the limit once. */
function shrink(limit: InFlightLimit, part: number, { startedMs, endedMs }: LoadSample): InFlightLimit {
  if (startedMs < limit.shrunkMs) return limit;
  return { ...limit, level: Math.max(Math.min(LEAST_LEVEL, limit.level), limit.level * part), shrunkMs: endedMs };
}
