import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import axios, { type AxiosInstance } from "axios";
import type { Answer, NoReply, NoReplyCause } from "./answer.js";
import { controlPlaneUrl, type Target } from "./control-plane.js";
import { findProxy, ProxyError } from "./proxy.js";
import type { Token } from "./token.js";
import { TunnelAgent } from "./tunnel.js";

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
    proxy: false, // a proxy is for TunnelAgent, which says why
    maxRedirects: 0,
    validateStatus: () => true,
    responseType: "stream",
    headers: { Accept: "application/problem+json, application/json", "User-Agent": userAgent },
  });
  const tunnels = new Map<string, TunnelAgent>();
  const tunnelThrough = (proxy: URL): TunnelAgent => {
    const tunnel = tunnels.get(proxy.href) ?? new TunnelAgent(proxy, agentOptions);
    tunnels.set(proxy.href, tunnel);
    return tunnel;
  };

  return async (request, signal) => {
    try {
      const proxy = findProxy(new URL(request.target.address), process.env);
      if (proxy === undefined) return await send(client, request, signal);
      return nameProxy(proxy, await send(client, request, signal, tunnelThrough(proxy)));
    } catch (error) {
      return reduceError(error);
    }
  };
}

async function send(
  client: AxiosInstance,
  request: Request,
  stop: AbortSignal,
  tunnel?: TunnelAgent,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(request.timeoutMs)));
  const signal = AbortSignal.any([timeout, stop]);
  try {
    const response = await client.request<Readable>({
      url: controlPlaneUrl(request.target),
      method: request.method,
      headers: { Authorization: request.token.authorization },
      signal,
      ...(tunnel !== undefined && { httpsAgent: tunnel }),
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
  [/^ERR_TLS_CERT_ALTNAME/, "certificate of another host"],
  [/^CERT_HAS_EXPIRED$/, "certificate expired"],
  [/^CERT_NOT_YET_VALID$/, "certificate not yet valid"],
  [/CERT|^UNABLE_TO_|^ERR_TLS_/, "certificate not trusted"],
];

/** Reduces whatever axios throws to two words and the system's line; the error itself holds the token. */
function reduceError(error: unknown): NoReply {
  const failure = error instanceof ProxyError ? error : property(error, "cause");
  if (failure instanceof ProxyError) return reduceProxyError(failure);
  const message = stringProperty(error, "message") ?? "";
  return noReply(causeOf(error), message === "" ? codeOf(error) : message);
}

function reduceProxyError(error: ProxyError): NoReply {
  const cause = causeOf(error.cause);
  if (cause.startsWith("certificate")) return noReply(cause, error.message);
  return noReply(error.temporary ? "proxy failed" : "proxy unusable", error.message);
}

function causeOf(error: unknown): NoReplyCause {
  return CAUSES.find(([pattern]) => pattern.test(codeOf(error)))?.[1] ?? "request failed";
}

function codeOf(error: unknown): string {
  return stringProperty(error, "code") ?? "";
}

/** Says of a failure behind a proxy that there is one: it may be what hangs, or what shows its own certificate. */
function nameProxy(proxy: URL, answer: Answer): Answer {
  if (answer.kind === "reply" || answer.detail.includes(proxy.origin)) return answer;
  return { ...answer, detail: `${answer.detail} (through the proxy ${proxy.origin})` };
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
