/** No control plane is older: the year of Kong's first release. Empty fields are often sent as the year 1, 1900 or 1970. */
export const EARLIEST_MS = Date.UTC(2015, 0, 1);

/** Clocks differ by minutes. A creation that lies further ahead than this is no fact. */
const LARGEST_LEAD_MS = 60 * 60_000;

/** Returns the age of something that was created at a time, in milliseconds; undefined if the time lies far ahead. */
export function ageMsAt(nowMs: number, createdAtMs: number | undefined): number | undefined {
  if (createdAtMs === undefined || createdAtMs - nowMs > LARGEST_LEAD_MS) return undefined;
  return nowMs - createdAtMs;
}

/** RFC 3339 section 5.6, `date-time`. The offset is required: without it, the time zone is unknown. */
const FORM =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))$/i;

/**
 * Parses a time that the service sent, for example `2022-11-04T20:10:06.927Z`.
 *
 * @returns epoch milliseconds; undefined if it is not a time of RFC 3339 with an offset, or too early to be true
 */
export function parseServiceTime(value: unknown): number | undefined {
  const parts = typeof value === "string" ? FORM.exec(value)?.groups : undefined;
  if (parts === undefined) return undefined;
  const number = (part: string) => Number(parts[part] ?? 0);
  const [day, hour, minute, second] = [number("day"), number("hour"), number("minute"), number("second")];
  const month = number("month") - 1;
  // A leap second counts as the second before it.
  const local = new Date(Date.UTC(number("year"), month, day, hour, minute, Math.min(second, 59)));
  // Date.UTC turns 31 February into a day in March, and 8:60 into 9:00. Such times do not exist.
  const exists = local.getUTCMonth() === month && local.getUTCHours() === hour;
  const [offsetHour, offsetMinute] = [number("offsetHour"), number("offsetMinute")];
  if (!exists || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000;
  const fractionMs = Math.floor(Number(`0.${parts.fraction ?? 0}`) * 1_000);
  const ms = local.getTime() + fractionMs + (parts.sign === "-" ? offsetMs : -offsetMs);
  return ms >= EARLIEST_MS ? ms : undefined;
}
