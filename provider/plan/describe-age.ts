import { safe, type SafeText } from "../text/safe-text.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Describes an age in one unit, rounded down: `45m`, `36h` up to two days, then `7d`. A negative age counts as 0. */
export function describeAge(ageMs: number): SafeText {
  const ms = Math.max(0, ageMs);
  if (ms < HOUR_MS) return safe`${Math.floor(ms / MINUTE_MS)}m`;
  return ms < 2 * DAY_MS ? safe`${Math.floor(ms / HOUR_MS)}h` : safe`${Math.floor(ms / DAY_MS)}d`;
}
