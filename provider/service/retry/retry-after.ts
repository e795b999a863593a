import { parseHttpDate } from "../http/http-date.js";

/**
 * Parses a `Retry-After` header: a whole number of seconds, or one of the three HTTP date forms.
 *
 * @param nowMs epoch milliseconds; a date is measured from here
 * @returns milliseconds to wait, 0 for a date in the past; undefined when the header is missing or malformed
 * @see RFC 9110 sections 10.2.3 and 5.6.7
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}
