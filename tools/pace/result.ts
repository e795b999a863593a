import { readFileSync } from "node:fs";
import { spreadOf } from "../bench/page/statistics.js";

/** The checkouts that are compared. */
export type Contender = "before" | "after";

/** How many control planes the set has. */
export const PLANES = 100;
/** How many of them always answer 503. */
export const BAD = [0, 1, 2, 4, 6, 8, 10] as const;
/** What each 503 asks for. */
export const RETRY_AFTER_SECONDS = 20;

/** What was measured in one destroy. */
export interface Sample {
  readonly contender: Contender;
  /** How many control planes always answer 503. */
  readonly bad: number;
  /** From the first DELETE until that of the last healthy control plane, in milliseconds. */
  readonly lastHealthyMs: number;
  /** DELETEs until then. */
  readonly requests: number;
}

/** Everything that was measured. */
export interface PaceResult {
  /** The day, as `2026-12-24`. */
  readonly measuredOn: string;
  readonly samples: readonly Sample[];
}

/** Reads a file of results. @throws when it is none */
export function readPaceResult(file: string): PaceResult {
  const result = JSON.parse(readFileSync(file, "utf8")) as PaceResult;
  if (!Array.isArray(result.samples)) throw new Error(`${file} has no samples`);
  return result;
}

/** Returns the medians of a contender, by the number of control planes that always fail. */
export function medians({ samples }: PaceResult, contender: Contender): readonly Omit<Sample, "requests">[] {
  return BAD.flatMap((bad) => {
    const own = samples.filter((sample) => sample.contender === contender && sample.bad === bad);
    if (own.length === 0) return [];
    return [{ contender, bad, lastHealthyMs: spreadOf(own.map((sample) => sample.lastHealthyMs)).median }];
  });
}
