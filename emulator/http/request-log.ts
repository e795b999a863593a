import type { IncomingMessage } from "node:http";
import type { Incoming } from "./incoming-request.js";
import type { TokenBook } from "../service/token-book.js";

/** One request as it came in, and what became of it; it never holds a token. */
export interface LoggedRequest {
  /** When it came in, in milliseconds since the emulator started, by a monotonic clock. */
  readonly atMs: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** What stood in the place of the control plane's id, valid or not. */
  readonly id: string | undefined;
  /** Undefined when there was no answer, or none yet. */
  readonly status: number | undefined;
  /** The name of the token's role; undefined when the token is not accepted. */
  readonly role: string | undefined;
  /** Names in lower case; authorization removed. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The ordinal of the TCP connection, from 1. */
  readonly connection: number;
  /** The digits at the end of `instance`, when a problem document was sent. */
  readonly traceId: string | undefined;
  /** Whether a scripted fault was applied. */
  readonly fault: boolean;
}

/** A log entry that is still being written. */
export type OpenEntry = { -readonly [Field in keyof LoggedRequest]: LoggedRequest[Field] };

/** What the log needs to know of a request beside the request itself. */
export interface EntryFacts {
  atMs: number;
  connection: number;
  fault: boolean;
}

const credentials = new Set(["authorization", "proxy-authorization", "cookie"]);

/** Begins the log entry of a request; tokens are taken out of everything that is kept. */
export function openEntry(
  request: IncomingMessage,
  incoming: Incoming,
  tokens: TokenBook,
  facts: EntryFacts,
): OpenEntry {
  const redact = (text: string): string => tokens.redact(text, incoming.authorization);
  const headers = Object.entries(request.headers)
    .filter(([name]) => !credentials.has(name))
    .map(([name, value = ""]) => [name, redact(Array.isArray(value) ? value.join(", ") : value)] as const);
  return {
    ...facts,
    method: incoming.method,
    path: redact(request.url ?? "/"),
    id: incoming.id === undefined ? undefined : redact(incoming.id),
    status: undefined,
    role: tokens.roleOf(incoming.authorization)?.name,
    requestHeaders: Object.fromEntries(headers),
    traceId: undefined,
  };
}
