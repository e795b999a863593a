import type { SafeText } from "../../text/safe-text.js";

/** The result of one request: a reply, or the reason why none arrived. */
export type Answer = Reply | NoReply;

/**
 * Whether the service got the request. A request was sent as soon as it was written to an established connection; a
 * request that was sent and not answered has an unknown delivery.
 */
export type Delivery = "not sent" | "unknown" | "answered";

/** An HTTP answer. */
export interface Reply {
  readonly kind: "reply";
  readonly delivery: "answered";
  readonly status: number;
  /** `Date`, as it was sent. */
  readonly date?: string;
  /** `Retry-After`, as it was sent. */
  readonly retryAfter?: string;
  /** `RateLimit-Remaining` and `RateLimit-Reset`, as they were sent. */
  readonly rateLimit?: { readonly remaining: string; readonly reset: string };
  /** The text of the body, as far as it was read. Empty if it is withheld. */
  readonly body: string;
  readonly bodyEnd: BodyEnd;
}

/**
 * How the reading of a body ended: at its end; at the limit for its size; before its end, because the connection failed
 * or the time was up; or withheld, because the body repeats the token.
 */
export type BodyEnd = "complete" | "too large" | "broken off" | "withheld";

/** No HTTP answer arrived. */
export interface NoReply {
  readonly kind: "no reply";
  readonly delivery: "not sent" | "unknown";
  readonly cause: NoReplyCause;
  /** The system's words, for example `connect ECONNREFUSED 127.0.0.1:8787`. */
  readonly detail: SafeText;
}

/** Why no answer arrived. */
export type NoReplyCause =
  | "connection refused"
  | "host unreachable"
  | "DNS lookup failed"
  | "TLS handshake failed"
  | "connection reset"
  | "connection failed"
  | "timed out"
  | "not an HTTP answer"
  | "certificate not trusted"
  | "certificate of another host"
  | "certificate expired"
  | "certificate not yet valid"
  | "proxy failed"
  | "proxy unusable"
  | "interrupted";
