import type { Answer } from "../http/answer.js";
import { type Judgment, parseRateLimit } from "./judge.js";

/**
 * The pace of the attempts at one address: how many may be under way, and how far apart they start. The level grows by one
 * for each round of good answers, and is halved when the service has too much to do: additive increase, multiplicative
 * decrease.
 *
 * Source: RFC 5681, section 3.1. Figures and reasons: docs/decisions/concurrency.md.
 */
export interface Pace {
  /** Attempts at a time. A fraction counts towards the next whole one. */
  readonly level: number;
  /** The level at which the service last refused requests. Infinity when it has taken more since. */
  readonly refusedLevel: number;
  /** Time between the starts of two attempts. 0 unless the service limits the rate of requests. */
  readonly spacingMs: number;
  /** When the pace last slowed down. Attempts that started before do not count. */
  readonly slowedMs: number;
  /** How long answers take, by their kind. */
  readonly latencies: ReadonlyMap<string, Latency>;
}

/** An attempt that ended. */
export interface PaceSample {
  readonly startedMs: number;
  readonly endedMs: number;
  /**
   * - `limited`: the service refused the request, because there are too many.
   * - `refused`: the connection was refused.
   * - `failed`: another temporary failure.
   * - `answered`: anything else that the service said.
   */
  readonly load: "limited" | "refused" | "failed" | "answered";
  /** Answers of one kind take about the same time. Undefined if the time cannot be compared. */
  readonly kind: string | undefined;
  /** The part of the time in which this process was idle. */
  readonly idleMs: number;
  /** Whether as many attempts were under way as the level allows. */
  readonly isFull: boolean;
}

/** What an attempt showed of its address. */
export interface Observation {
  /**
   * - `answered`: the address works, whatever the answer.
   * - `limited`: the service refused the request, because there are too many.
   * - `refused`: the connection was refused.
   * - `failed`: another temporary failure.
   * - `cut off`: this run ended the attempt, so it does not count.
   */
  readonly outcome: PaceSample["load"] | "cut off";
  /** After a failure: the delay before the next attempt of the call. */
  readonly delayMs: number;
  /** For how long the address gets no request at all, each time that something asks for it. */
  readonly pausesMs: readonly number[];
  /** When the call `failed` for the first time, if that was in an earlier attempt. */
  readonly failedBeforeMs?: number | undefined;
  /** The kind of the answer. Answers of one kind take about the same time. Missing if none came. */
  readonly kind?: string;
}

const TOO_MANY_REQUESTS = 429;

/**
 * Returns what an attempt showed of the address. Only a 429 and a limit that is used up pause it: a 503 may be the control
 * plane's own.
 *
 * @param operation the name of the operation
 */
export function observe(
  operation: string,
  answer: Answer,
  { verdict, row }: Judgment<unknown>,
  delayMs: number,
  isAsked: boolean,
): Observation {
  const hasFailed = row.verdict === "retry" && row.addressWorks !== true;
  if (answer.kind === "no reply") {
    const failure = answer.cause === "connection refused" ? "refused" : "failed";
    const outcome = answer.cause === "interrupted" ? "cut off" : hasFailed ? failure : "answered";
    return { outcome, delayMs, pausesMs: [] };
  }
  const isLimited = answer.status === TOO_MANY_REQUESTS;
  const resetMs = verdict === "stop" ? undefined : parseRateLimit(answer.rateLimit);
  const pausesMs = [isLimited && isAsked ? delayMs : undefined, resetMs].filter((ms) => ms !== undefined);
  const outcome = isLimited ? "limited" : hasFailed ? "failed" : "answered";
  return { outcome, delayMs, pausesMs, kind: `${operation} ${answer.status}` };
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

/** A failure takes back the growth of this many answers. One call in ten that always fails must not stop the growth. */
const ANSWERS_FOR_FAILURE = 5;

/** The first spacing is short, because a limit can be high. Each refusal in a row doubles it. */
const FIRST_SPACING_MS = 10;
const LONGEST_SPACING_MS = 30_000;
/** The longest spacing after an answer: a limit by the minute has let requests through again. */
const LONGEST_ANSWERED_SPACING_MS = 1_000;
/** What is left of the spacing after an answer. About one request in ten is then refused. */
const SPACING_DECAY = 0.93;
const SHORTEST_SPACING_MS = 1;
/** A service that counts its requests by the second lets some through at once after this many spacings. */
const PAUSE_SPACINGS = 10;

/** A single answer can be slow by chance. The mean of this many shows it. */
const WINDOW_ANSWERS = 16;
/** When latency has doubled, half as many attempts in flight get just as many answers. */
const SLOW_TIMES = 2;
/** Shorter differences are chance, in milliseconds. */
const CHANCE_MS = 20;

const UNKNOWN_LATENCY: Latency = { answers: 0, sumMs: 0, sumIdleMs: 0, bestMeanMs: Infinity };

/** Returns the pace at a new address. @param ceiling attempts at a time, at most */
export function firstPace(ceiling: number): Pace {
  const level = Math.min(FIRST_LEVEL, ceiling);
  return { level, refusedLevel: Infinity, spacingMs: 0, slowedMs: -Infinity, latencies: new Map() };
}

/** Returns how many attempts may be under way. */
export function attemptsAtATime({ level }: Pace): number {
  return Math.floor(level);
}

/** Returns the longest pause after a request that the service refused without saying for how long, in milliseconds. */
export function limitedPauseMs({ spacingMs }: Pace): number {
  return PAUSE_SPACINGS * spacingMs;
}

/** Returns the pace after an attempt. @param ceiling attempts at a time, at most */
export function nextPace(pace: Pace, ceiling: number, sample: PaceSample): Pace {
  // Attempts that were under way together meet the same overload, and slow the pace down once.
  if (sample.startedMs <= pace.slowedMs) return pace;
  switch (sample.load) {
    case "limited":
    case "refused": {
      const halved = halve({ ...pace, refusedLevel: attemptsAtATime(pace) }, LEAST_LEVEL, sample.endedMs);
      return sample.load === "limited" ? { ...halved, spacingMs: longerSpacing(pace) } : halved;
    }
    case "failed":
      return { ...pace, level: lower(pace, pace.level - ANSWERS_FOR_FAILURE / pace.level, FIRST_LEVEL) };
    case "answered": {
      const { latencies, isSlow } = noteLatency(pace.latencies, sample);
      const noted = { ...pace, latencies, spacingMs: shorterSpacing(pace) };
      if (isSlow) return halve(noted, FIRST_LEVEL, sample.endedMs);
      return sample.isFull ? grow(noted, ceiling) : noted;
    }
  }
}

function halve(pace: Pace, least: number, nowMs: number): Pace {
  return { ...pace, level: lower(pace, pace.level / 2, least), slowedMs: nowMs };
}

function lower({ level }: Pace, wanted: number, least: number): number {
  return Math.min(level, Math.max(least, wanted));
}

function longerSpacing({ spacingMs }: Pace): number {
  return Math.min(LONGEST_SPACING_MS, Math.max(FIRST_SPACING_MS, 2 * spacingMs));
}

function shorterSpacing({ spacingMs }: Pace): number {
  const shorter = Math.min(LONGEST_ANSWERED_SPACING_MS, spacingMs * SPACING_DECAY);
  return shorter < SHORTEST_SPACING_MS ? 0 : shorter;
}

function grow(pace: Pace, ceiling: number): Pace {
  const isCareful = attemptsAtATime(pace) + 1 >= pace.refusedLevel;
  const step = 1 / (pace.level * (isCareful ? CAREFUL_TIMES : 1));
  const grown = { ...pace, level: Math.min(ceiling, pace.level + step) };
  return attemptsAtATime(grown) > pace.refusedLevel ? { ...grown, refusedLevel: Infinity } : grown;
}

/**
 * Compares the mean of each window with the lowest one so far. When this process is busy, an answer can wait for it, so
 * only the idle part of the time has certainly passed in the service.
 */
function noteLatency(
  latencies: Pace["latencies"],
  { kind, startedMs, endedMs, idleMs }: PaceSample,
): { readonly latencies: Pace["latencies"]; readonly isSlow: boolean } {
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
