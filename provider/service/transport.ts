import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import axios, { type AxiosInstance } from "axios";
import { isLoopback } from "./address.js";
import type { Answer, NoReply, NoReplyCause } from "./answer.js";
import { controlPlaneUrl, type Target } from "./control-plane.js";
import type { Token } from "./token.js";

/** One request as it goes on the wire. */
export interface Request {
  readonly method: "DELETE" | "GET";
  readonly target: Target;
  readonly token: Token;
  /** Time for the whole attempt, from name look-up to the end of the body. */
  readonly timeoutMs: number;
}

/** Sends one request and says what came of it. Never rejects. */
export type Send = (request: Request, signal: AbortSignal) => Promise<Answer>;

/** Bodies are read up to this; a problem document is far smaller. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Makes the HTTP transport: keep-alive, no redirects, proxies from the environment but never for loopback.
 *
 * @param sockets connections kept per address: as many as calls may be in flight
 * @param userAgent value of the `User-Agent` header
 */
export function createTransport(sockets: number, userAgent: string): Send {
  const agentOptions = { keepAlive: true, maxSockets: sockets };
  const client = axios.create({
    httpAgent: new http.Agent(agentOptions),
    httpsAgent: new https.Agent(agentOptions),
    maxRedirects: 0,
    validateStatus: () => true,
    responseType: "stream",
    headers: { Accept: "application/problem+json, application/json", "User-Agent": userAgent },
  });
  return (request, signal) => send(client, request, signal);
}

async function send(client: AxiosInstance, request: Request, stop: AbortSignal): Promise<Answer> {
  const url = controlPlaneUrl(request.target);
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(request.timeoutMs)));
  const signal = AbortSignal.any([timeout, stop]);
  try {
    const response = await client.request<Readable>({
      url,
      method: request.method,
      headers: { Authorization: request.token.authorization },
      signal,
      ...(isLoopback(new URL(url).hostname) && { proxy: false }),
    });
    const { text, complete } = await readBody(response.data);
    const bodyLost = !complete && request.method === "GET" && response.status < 300;
    if (bodyLost) return noReply(timeout.aborted ? "timed out" : "connection reset", "the body broke off");
    const header = (name: string): string | undefined => stringProperty(response.headers, name);
    const retryAfter = header("retry-after");
    const remaining = header("ratelimit-remaining");
    const reset = header("ratelimit-reset");
    return {
      kind: "reply",
      status: response.status,
      body: request.token.redactFrom(text), // some proxies repeat the request
      complete,
      ...(retryAfter !== undefined && { retryAfter: request.token.redactFrom(retryAfter) }),
      ...(remaining !== undefined && reset !== undefined && { rateLimit: { remaining, reset } }),
    };
  } catch (error) {
    if (timeout.aborted) {
      return noReply("timed out", `no answer within ${Math.round(request.timeoutMs / 100) / 10} s`);
    }
    if (stop.aborted) return noReply("interrupted", "the request was cut off");
    return reduceError(error);
  }
}

/** Reads up to the limit; axios ends the stream with an error when the request's signal aborts. */
async function readBody(stream: Readable): Promise<{ text: string; complete: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BODY_BYTES) break; // leaving the loop destroys the stream and its connection
    }
    return { text: decode(chunks), complete: true };
  } catch {
    return { text: decode(chunks), complete: false };
  }
}

function decode(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString("utf8");
}

// By code, never by message text. Source: Node's errors of net, dns and tls, and llhttp's (HPE_…).
const CAUSES: readonly (readonly [RegExp, NoReplyCause])[] = [
  [/^ECONNREFUSED$/, "connection refused"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "name not found"],
  [/^(ETIMEDOUT|ECONNABORTED)$/, "timed out"],
  [/^(ECONNRESET|EPIPE|ENETUNREACH|EHOSTUNREACH|ENETDOWN)$/, "connection reset"],
  [/^(HPE_|EPROTO|ERR_SSL)/, "not an HTTP answer"],
  [/CERT|^UNABLE_TO_|^ERR_TLS_/, "certificate not trusted"],
];

/** Reduces whatever axios throws to two words and the system's line; the error itself holds the token. */
function reduceError(error: unknown): NoReply {
  const code = stringProperty(error, "code") ?? stringProperty(property(error, "cause"), "code") ?? "";
  const cause = CAUSES.find(([pattern]) => pattern.test(code))?.[1] ?? "request failed";
  return noReply(
    cause,
    [stringProperty(error, "message"), code].find((text) => text !== undefined && text !== "") ?? "",
  );
}

function noReply(cause: NoReplyCause, detail: string): NoReply {
  return { kind: "no reply", cause, detail };
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function stringProperty(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === "string" ? found : undefined;
}
