import { gatewayAnswer, type Answer } from "./http-answer.js";

const WINDOW_MS = 60_000;

/** What the gateway decides about a request: headers for its answer, and a refusal if a limit is exceeded. */
export interface Admission {
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Answer | undefined;
}

/** Limits requests per window of 60 seconds. A window begins with its first request. */
export class RequestLimit {
  #windowEndsAtMs = -Infinity;
  #used = 0;

  /** @param requestsPerMinute undefined for no limit */
  constructor(private readonly requestsPerMinute: number | undefined) {}

  /** Counts a request. Refuses it with a 429 if the window is used up. */
  count(nowMs: number): Admission {
    const limit = this.requestsPerMinute;
    if (limit === undefined) return { headers: {}, refusal: undefined };
    if (nowMs >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = nowMs + WINDOW_MS;
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
    return { headers, refusal: gatewayAnswer(429, "API rate limit exceeded", { "retry-after": seconds }) };
  }
}
