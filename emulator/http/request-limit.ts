import { gatewayMessage, type Answer } from "./http-answer.js";

/** Counts requests in windows of 60 seconds, each of which begins with its first request. */
export class RateLimit {
  #windowEndsAtMs = -Infinity;
  #used = 0;

  /** @param requestsPerMinute undefined for no limit */
  constructor(private readonly requestsPerMinute: number | undefined) {}

  /** Counts one request. Gives the headers that its answer carries, and the 429 when it is one too many. */
  count(nowMs: number): { headers: Record<string, string>; refusal: Answer | undefined } {
    const limit = this.requestsPerMinute;
    if (limit === undefined) return { headers: {}, refusal: undefined };
    if (nowMs >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = nowMs + 60_000;
      this.#used = 0;
    }
    this.#used += 1;
    const seconds = String(Math.ceil((this.#windowEndsAtMs - nowMs) / 1000));
    const remaining = String(Math.max(0, limit - this.#used));
    const headers = {
      "ratelimit-limit": String(limit),
      "ratelimit-remaining": remaining,
      "ratelimit-reset": seconds,
      "x-ratelimit-limit-minute": String(limit),
      "x-ratelimit-remaining-minute": remaining,
    };
    if (this.#used <= limit) return { headers, refusal: undefined };
    return { headers, refusal: gatewayMessage(429, "API rate limit exceeded", { "retry-after": seconds }) };
  }
}
