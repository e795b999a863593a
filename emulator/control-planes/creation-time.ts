import type { SeedControlPlane } from "./seed.js";

const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** The form of an age: a whole number of at most five digits, and a unit. */
export const AGE = /^(\d{1,5})([hdw])$/;

// RFC 3339, section 5.6. The time zone is required.
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * Returns the time of creation of a seed in UTC with milliseconds.
 * Throws a RangeError if its `createdAt` or `age` is malformed, or if it has both.
 */
export function creationTimeOf({ createdAt, age }: Pick<SeedControlPlane, "createdAt" | "age">): string {
  if (createdAt !== undefined && age !== undefined) {
    throw new RangeError("A control plane has either createdAt or age, not both.");
  }
  if (createdAt !== undefined) return parseCreatedAt(createdAt).toISOString();
  return new Date(Date.now() - (age === undefined ? 0 : parseAgeMs(age))).toISOString();
}

function parseCreatedAt(text: string): Date {
  const date = new Date(DATE_TIME.test(text) ? text : NaN);
  if (!Number.isNaN(date.getTime())) return date;
  throw new RangeError(
    `The createdAt of a control plane must be a time such as 2026-01-05T10:00:00Z, not "${text}".`,
  );
}

function parseAgeMs(text: string): number {
  const [, number, unit] = AGE.exec(text) ?? [];
  const unitMs = UNIT_MS[unit ?? ""];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw new RangeError(
    `The age of a control plane must be hours, days or weeks, such as 36h, 7d or 2w, not "${text}".`,
  );
}
