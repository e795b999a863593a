/** What one request came to: an answer, or the lack of one. */
export type Answer = Reply | NoReply;

/** An HTTP answer. */
export interface Reply {
  readonly kind: "reply";
  readonly status: number;
  /** `Retry-After`, as it came. */
  readonly retryAfter?: string;
  /** `RateLimit-Remaining` and `RateLimit-Reset`, as they came. */
  readonly rateLimit?: { readonly remaining: string; readonly reset: string };
  /** At most 64 KiB; what follows was not read. */
  readonly body: string;
  /** False when the body broke off: the connection failed, or the time was up, after the status had come. */
  readonly complete: boolean;
}

/** Why no answer came. */
export type NoReplyCause =
  | "connection refused"
  | "name not found"
  | "connection reset"
  | "timed out"
  | "not an HTTP answer"
  | "certificate not trusted"
  | "certificate of another host"
  | "certificate expired"
  | "certificate not yet valid"
  | "proxy failed"
  | "proxy unusable"
  | "interrupted"
  | "request failed";

/** No HTTP answer came. */
export interface NoReply {
  readonly kind: "no reply";
  readonly cause: NoReplyCause;
  /** The system's words, for example `connect ECONNREFUSED 127.0.0.1:8787`. */
  readonly detail: string;
}
