import type { IncomingMessage } from "node:http";
import type { OperationId } from "../service/operation-id.js";
import type { TokenBook } from "../service/token-book.js";
import type { IncomingRequest } from "./incoming-request.js";

/** A request and its outcome. It never holds a token. */
export interface LoggedRequest {
  /** The time of arrival, in milliseconds since the emulator started, by a monotonic clock. */
  readonly atMs: number;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The path segment in the place of the control plane's id, valid or not. */
  readonly id: string | undefined;
  /** The operation of the request. Undefined if the emulator serves none with this method and path. */
  readonly operation: OperationId | undefined;
  /** The status of the answer. Undefined before the answer, and if the emulator sends no HTTP answer. */
  readonly status: number | undefined;
  /** The name of the token's role. Undefined if the token is not accepted. */
  readonly role: string | undefined;
  /** The headers without credentials. Names are in lower case. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body of the request. Undefined before it has arrived, and if there is none. */
  readonly requestBody: string | undefined;
  /** The ordinal of the TCP connection, from 1. */
  readonly connection: number;
  /** The digits at the end of `instance` if the answer is a problem document. */
  readonly traceId: string | undefined;
  /** Whether the request met a scripted fault. */
  readonly fault: boolean;
}

/** A log entry whose outcome is not known yet. */
export type OpenEntry = { -readonly [Field in keyof LoggedRequest]: LoggedRequest[Field] };

const CREDENTIAL_HEADERS = new Set(["authorization", "proxy-authorization", "cookie"]);

/** The requests since the start or since the last call of `clear`, in the order of their arrival. */
export class RequestLog {
  #entries: OpenEntry[] = [];

  constructor(private readonly tokens: TokenBook) {}

  /** A live view of all entries. */
  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Adds the entry of a request that just arrived. Removes tokens from everything that the entry keeps. */
  open(
    request: IncomingMessage,
    incoming: IncomingRequest,
    facts: Pick<LoggedRequest, "atMs" | "connection">,
  ): OpenEntry {
    const { method, id, operationId, authorization } = incoming;
    const redact = (text: string): string => this.tokens.redact(text, authorization);
    const headers = Object.entries(request.headers)
      .filter(([name]) => !CREDENTIAL_HEADERS.has(name))
      .map(([name, value = ""]) => [name, redact(Array.isArray(value) ? value.join(", ") : value)] as const);
    const entry: OpenEntry = {
      ...facts,
      fault: false,
      method,
      path: redact(request.url ?? "/"),
      id: id === undefined ? undefined : redact(id),
      operation: operationId,
      status: undefined,
      role: this.tokens.roleOf(authorization)?.name,
      requestHeaders: Object.fromEntries(headers),
      requestBody: undefined,
      traceId: undefined,
    };
    this.#entries.push(entry);
    return entry;
  }

  /** Adds the body of a request to its entry. Removes tokens from it. */
  keepBody(entry: OpenEntry, body: Buffer | undefined, authorization: string | undefined): void {
    entry.requestBody = body && this.tokens.redact(body.toString(), authorization);
  }

  /** Returns the requests with this id and, if a method is given, with this method. Case does not matter. */
  requestsFor(id: string, method?: string): readonly LoggedRequest[] {
    return this.#entries.filter(
      (entry) =>
        entry.id?.toLowerCase() === id.toLowerCase() &&
        (method === undefined || entry.method === method.toUpperCase()),
    );
  }

  /** Forgets all entries. An array that `entries` returned earlier keeps them. */
  clear(): void {
    this.#entries = [];
  }
}
