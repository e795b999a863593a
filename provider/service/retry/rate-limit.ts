import type { Reply } from "../http/answer.js";

/**
 * Parses the rate-limit headers of an answer.
 *
 * @returns milliseconds until requests are allowed again; undefined when some are left, or the headers are malformed
 * @see Kong's rate-limiting plugin: `RateLimit-Remaining`, and `RateLimit-Reset` in seconds
 */
export function parseRateLimit(rateLimit: Reply["rateLimit"]): number | undefined {
  if (rateLimit === undefined || !/^0+$/.test(rateLimit.remaining)) return undefined;
  return /^\d+$/.test(rateLimit.reset) ? Number(rateLimit.reset) * 1000 : undefined;
}
