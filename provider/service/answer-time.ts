import { parseHttpDate } from "./http/http-date.js";
import type { CallEnd } from "./retry/call.js";

/**
 * When an answer was given, in epoch milliseconds: by the clock of this machine, and by the `Date` of the answer. Each
 * clock can be wrong. Whoever measures an age takes the time that deletes less.
 */
export interface AnswerTime {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Returns when the last answer of a call was given. An answer without a `Date` counts by the clock of this machine. */
export function timeOf({ answer, startedAtMs, durationMs }: CallEnd<unknown>): AnswerTime {
  const localMs = startedAtMs + durationMs;
  const date = answer.kind === "reply" ? answer.date : undefined;
  const serviceMs = date === undefined ? undefined : parseHttpDate(date, localMs);
  const atMs = serviceMs ?? localMs;
  return { earliestMs: Math.min(localMs, atMs), latestMs: Math.max(localMs, atMs) };
}

/** Returns the time that spans those of two answers. */
export function joinTimes(a: AnswerTime, b: AnswerTime): AnswerTime {
  return {
    earliestMs: Math.min(a.earliestMs, b.earliestMs),
    latestMs: Math.max(a.latestMs, b.latestMs),
  };
}
