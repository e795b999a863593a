import http from "node:http";
import type { Readable } from "node:stream";
import type { AxiosInstance, AxiosResponse } from "axios";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import { isObject } from "../../text/json.js";
import type { Answer, NoReply, Reply } from "./answer.js";
import { type Body, readBody } from "./body.js";
import { nameProxy, noReply, reduceNetworkFailure } from "./network-failure.js";
import { findProxy, ProxyError } from "./proxy.js";
import { withTimeLimit } from "./time-limit.js";
import type { Token } from "./token.js";
import { TunnelAgent } from "./tunnel.js";
import { watchRequest } from "./watched-request.js";

/** One request as it is sent. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /** The answer is read up to this size. Default: 64 KiB. */
  readonly maxAnswerBytes?: number | undefined;
  readonly token: Token;
  /** Time for the whole attempt, from the name look-up to the end of the body. */
  readonly timeLimitMs: number;
}

/**
 * Sends one request. Every failure of the network is an answer of kind "no reply"; only an error of this package
 * rejects.
 *
 * @param stop aborts when the run is being stopped: the request may end by itself for {@link IN_FLIGHT_GRACE_MS}
 */
export type Send = (request: HttpRequest, stop: AbortSignal) => Promise<Answer>;

/**
 * Time that a request under way gets to end when the run is being stopped, in milliseconds. Its answer shows whether the
 * control plane still exists.
 */
export const IN_FLIGHT_GRACE_MS = 5_000;

/**
 * Creates the HTTP transport: connections are kept alive, redirects are not followed, proxies come from the environment
 * and are never used for loopback.
 *
 * @param sockets connections kept for each address: as many as calls may be in flight
 * @param userAgent value of the `User-Agent` header
 */
export function createTransport(sockets: number, userAgent: string): Send {
  const agentOptions = { keepAlive: true, maxSockets: sockets };
  let loading: Promise<AxiosInstance> | undefined;
  // Loaded when it is needed: many runs send no request, and axios takes longer to load than all of this package.
  const load = async () => {
    try {
      return (await import("./axios-client.js")).createAxiosClient(agentOptions, userAgent);
    } catch (error) {
      // A file that could not be read for a moment must not fail every later request.
      loading = undefined;
      throw error;
    }
  };
  const tunnels = new Map<string, TunnelAgent>();
  const tunnelThrough = (proxy: URL): TunnelAgent => {
    const tunnel = tunnels.get(proxy.href) ?? new TunnelAgent(proxy, agentOptions);
    tunnels.set(proxy.href, tunnel);
    return tunnel;
  };

  return async (request, stop) => {
    try {
      const proxy = findProxy(new URL(request.url), process.env);
      const client = await (loading ??= load());
      if (proxy === undefined) return await send(client, request, stop);
      const answer = await send(client, request, stop, tunnelThrough(proxy));
      return answer.kind === "reply" ? answer : nameProxy(answer, proxy);
    } catch (error) {
      if (error instanceof ProxyError) return reduceNetworkFailure(error, "not sent");
      throw internalError(error, request.token);
    }
  };
}

class TimedOut extends Error {}
class CutOff extends Error {}

async function send(
  client: AxiosInstance,
  request: HttpRequest,
  stop: AbortSignal,
  tunnel?: TunnelAgent,
): Promise<Answer> {
  const watched = watchRequest();
  const limitMs = Math.max(1, Math.ceil(request.timeLimitMs));
  return withTimeLimit(
    stop,
    limitMs,
    () => new TimedOut(),
    async (signal) => {
      let response: AxiosResponse<Readable>;
      try {
        // axios would drop the characters that a header must not have, and send another token.
        http.validateHeaderValue("Authorization", request.token.authorization);
        response = await client.request<Readable>({
          url: request.url,
          method: request.method,
          headers: { Authorization: request.token.authorization },
          signal,
          transport: watched.transport,
          ...(request.body !== undefined && { data: request.body }),
          ...(tunnel !== undefined && { httpsAgent: tunnel }),
        });
      } catch (error) {
        const delivery = watched.wasSent ? "unknown" : "not sent";
        const stopped = signal.aborted ? stoppedAnswer(signal.reason, delivery, limitMs) : undefined;
        if (stopped !== undefined) return stopped;
        if (watched.failure === undefined) throw error;
        return withoutEcho(reduceNetworkFailure(watched.failure, delivery), request.token);
      }
      return reply(response, await readBody(response.data, request.maxAnswerBytes), request.token);
    },
    { ms: IN_FLIGHT_GRACE_MS, reason: () => new CutOff() },
  );
}

/** The error text of a connection can contain text from the other side, for example the names of a certificate. */
function withoutEcho(failure: NoReply, token: Token): NoReply {
  if (!token.isRepeatedIn(failure.detail)) return failure;
  return { ...failure, detail: safe`the error text is withheld, because it repeats the token` };
}

function stoppedAnswer(reason: unknown, delivery: NoReply["delivery"], limitMs: number): NoReply | undefined {
  if (reason instanceof CutOff) return noReply("interrupted", delivery, safe`the request was cut off`);
  if (!(reason instanceof TimedOut)) return undefined;
  const seconds = Math.round(limitMs / 100) / 10;
  const what = delivery === "not sent" ? safe`no connection` : safe`no answer`;
  return noReply("timed out", delivery, safe`${what} within ${seconds} s`);
}

function reply({ status, headers }: AxiosResponse<Readable>, { text, end }: Body, token: Token): Reply {
  const header = (name: string): string | undefined => {
    const value = headerOf(headers, name);
    return value === undefined || token.isRepeatedIn(value) ? undefined : value;
  };
  const date = header("date");
  const retryAfter = header("retry-after");
  const remaining = header("ratelimit-remaining");
  const reset = header("ratelimit-reset");
  const isWithheld = token.isRepeatedIn(text); // some proxies and error pages repeat the request
  return {
    kind: "reply",
    delivery: "answered",
    status,
    body: isWithheld ? "" : text,
    bodyEnd: isWithheld ? "withheld" : end,
    ...(date !== undefined && { date }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(remaining !== undefined && reset !== undefined && { rateLimit: { remaining, reset } }),
  };
}

function headerOf(headers: unknown, name: string): string | undefined {
  const value = isObject(headers) ? headers[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Any other failure is a defect. Errors of axios contain the token, so only their message is passed on. */
function internalError(error: unknown, token: Token): Error {
  return new Error(`the request could not be made: ${wordsOfDefect(error, token)}`);
}

function wordsOfDefect(error: unknown, token: Token): SafeText {
  const words = error instanceof Error ? error.message : String(error);
  try {
    if (!token.isRepeatedIn(words)) return safeText(words, 300);
  } catch {
    // The search for the token can be the defect.
  }
  return safe`the error is withheld, because it may repeat the token`;
}
