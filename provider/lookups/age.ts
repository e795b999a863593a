import { safe, type SafeText } from "../text/safe-text.js";

/** The form of an age, for messages. */
export const AGE_RULE = safe`must be a whole number from 1 to 99999 with m, h, d or w, for example 90m, 36h, 7d or 2w`;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/** Parses an age such as `36h`, `7d`, `2w` or `90m`. Returns milliseconds, or undefined if it is malformed. */
export function parseAgeMs(text: string): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit ?? ""];
  return unitMs === undefined ? undefined : Number(number) * unitMs;
}

/** Describes an age in its largest unit that fits twice: `90 min old`, `36 h old`, `8 d old`. */
export function describeAge(ms: number): SafeText {
  const age = Math.max(0, ms);
  if (age < 2 * HOUR_MS) return safe`${Math.floor(age / MINUTE_MS)} min old`;
  if (age < 2 * DAY_MS) return safe`${Math.floor(age / HOUR_MS)} h old`;
  return safe`${Math.floor(age / DAY_MS)} d old`;
}
