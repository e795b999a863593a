import type { AxiosInstance, AxiosResponse } from "axios";
import { setMaxListeners } from "node:events";
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isObject } from "../../text/json.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { Answer, NoReply, Reply } from "./answer.js";
import { isNetworkFailure, nameProxy, noReply, ProxyError, reduceNetworkFailure } from "./network-failure.js";
import { findProxy, TunnelAgent } from "./proxy.js";
import type { Token } from "./token.js";

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
 * @param stop aborts when the run is being stopped: the request may still end by itself for some seconds
 */
export type Send = (request: HttpRequest, stop: AbortSignal) => Promise<Answer>;

/**
 * Time that a request under way gets to end when the run is being stopped, in milliseconds. Its answer shows whether the
 * control plane still exists. Work that only reads needs none.
 */
export const IN_FLIGHT_GRACE_MS = 5_000;

/**
 * Creates the HTTP transport: connections are kept alive, redirects are not followed, proxies come from the environment
 * and are never used for loopback.
 *
 * @param sockets connections kept for each address: as many as calls may be in flight
 * @param userAgent value of the `User-Agent` header
 * @param graceMs time that a request under way gets to end when the run is being stopped
 */
export function createTransport(sockets: number, userAgent: string, graceMs = IN_FLIGHT_GRACE_MS): Send {
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
      if (proxy === undefined) return await send(client, request, stop, graceMs);
      const answer = await send(client, request, stop, graceMs, tunnelThrough(proxy));
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
  graceMs: number,
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
    { ms: graceMs, reason: () => new CutOff() },
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

/** A problem document and a control plane are far smaller. */
const DEFAULT_MAX_BYTES = 64 * 1024;

/** The text of a body, and how the reading ended. */
interface Body {
  readonly text: string;
  readonly end: "complete" | "too large" | "broken off";
}

/** Reads a body up to the limit. Never rejects: axios ends the stream with an error when the request's signal aborts. */
export async function readBody(stream: Readable, maxBytes = DEFAULT_MAX_BYTES): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) return { text: decode(chunks, maxBytes), end: "too large" }; // ends the connection, too
    }
    return { text: decode(chunks, maxBytes), end: "complete" };
  } catch {
    return { text: decode(chunks, maxBytes), end: "broken off" };
  }
}

function decode(chunks: readonly Buffer[], maxBytes: number): string {
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
}

/** What is known of a request while it is under way, and after it failed. */
export interface WatchedRequest {
  /** Sends the request, as axios asks for it. */
  readonly transport: { request(options: RequestOptions, onResponse: OnResponse): ClientRequest };
  /** Whether the request was written to an established connection, encrypted where that is asked for. */
  readonly wasSent: boolean;
  /** Why the network failed. Undefined as long as it has not, whatever else went wrong. */
  readonly failure: Error | undefined;
}

/**
 * Connections that were established for an earlier request. `ClientRequest.reusedSocket` does not tell: it is false for
 * a request that had to wait for a connection.
 */
const established = new WeakSet<Socket>();

type OnResponse = (response: IncomingMessage) => void;

/** Watches one request. axios tells neither whether it was sent, nor a failed connection from an error of its own. */
export function watchRequest(): WatchedRequest {
  let wasSent = false;
  let failure: Error | undefined;
  const request = (options: RequestOptions, onResponse: OnResponse): ClientRequest => {
    const isSecure = options.protocol === "https:";
    let defect: unknown;
    const sent = (isSecure ? https : http).request(options, (response) => {
      try {
        onResponse(response);
      } catch (error) {
        // No other code catches it, and the request would never end.
        defect = error;
        sent.destroy(error as Error);
      }
    });
    onceSent(sent, isSecure, () => (wasSent = true));
    sent.once("error", (error) => {
      if (error !== defect && isNetworkFailure(error)) failure = error;
    });
    return sent;
  };
  return {
    transport: { request },
    get wasSent() {
      return wasSent;
    },
    get failure() {
      return failure;
    },
  };
}

/** Calls back as soon as a request is written to an established connection. */
function onceSent(request: ClientRequest, isSecure: boolean, onSent: () => void): void {
  request.once("socket", (socket) => {
    const note = () => {
      established.add(socket);
      onSent();
    };
    if (established.has(socket)) note();
    else socket.once(isSecure ? "secureConnect" : "connect", note);
  });
}

/** What happens after a stop. */
interface Grace {
  /** Time that the work gets to end, in milliseconds. Work that starts after the stop gets none. */
  readonly ms: number;
  /** Returns the reason with which the work is aborted. */
  readonly reason: () => Error;
}

/**
 * Runs work under a signal that aborts when another signal does, or when a time limit is over.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` are not used: the first holds the second only weakly, so the limit
 * disappears when the garbage collector runs (nodejs/node#57736, nodejs/node#65995).
 *
 * @param stop aborts the work with its own reason, or as `grace` says
 * @param limitMs aborts the work with `onLimit()` as the reason
 * @param grace delays the abort after a stop, and gives its reason; default: the work is aborted at once
 */
export async function withTimeLimit<T>(
  stop: AbortSignal,
  limitMs: number,
  onLimit: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
  grace?: Grace,
): Promise<T> {
  const limited = new AbortController();
  // Hundreds of calls can wait under one signal.
  setMaxListeners(0, limited.signal);
  const abort = () => limited.abort(grace === undefined ? stop.reason : grace.reason());
  let graceTimer: NodeJS.Timeout | undefined;
  const onStop = grace === undefined ? abort : () => (graceTimer = setTimeout(abort, grace.ms));
  if (stop.aborted) abort();
  stop.addEventListener("abort", onStop);
  const timer = setTimeout(() => limited.abort(onLimit()), Math.min(limitMs, LONGEST_TIMER_MS));
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    clearTimeout(graceTimer);
    stop.removeEventListener("abort", onStop);
  }
}

/** The longest delay of a timer, in milliseconds. Node runs a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
