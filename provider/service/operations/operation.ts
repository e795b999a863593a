import type { Reply } from "../http/answer.js";
import type { HttpRequest } from "../http/transport.js";

/** One operation of the service's API on one resource: everything that sending it and reading its answer takes. */
export interface Operation<Result> {
  /** Operation identifier, for example `delete-control-plane`. Source: specification part 4. */
  readonly name: string;
  readonly method: HttpRequest["method"];
  /** Path below the base address, for example `/control-planes/9524ec7d-…`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** The answer is read up to this size. Default: 64 KiB. */
  readonly maxAnswerBytes?: number;
  /** Whether it may be sent again although an earlier attempt may have worked (RFC 9110 section 9.2.2). */
  readonly idempotent: boolean;
  /** Parses an answer of the class 2xx. */
  readonly parse: (reply: Reply) => Parsed<Result>;
}

/**
 * What an answer of the class 2xx says: the operation's result; that the work is not finished yet; that it may have
 * worked, but proves nothing; or nothing that the service would say.
 */
export type Parsed<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "not yet"; readonly awaits: Awaited }
  | { readonly kind: "unproven" }
  | { readonly kind: "foreign" };

/** What the service may not have carried out, or may not show, yet. */
export type Awaited = "deletion" | "creation";

/** Returns the URL that an operation is sent to. */
export function urlOf({ path, query }: Operation<unknown>, address: string): string {
  const text = new URLSearchParams(query).toString();
  return `${address}${path}${text === "" ? "" : `?${text}`}`;
}
