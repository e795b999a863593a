import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "./http-answer.js";
import type { OpenEntry } from "./request-log.js";

/** A request that waits for its answer. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Aborts when the exchange ends: the answer is sent, the client goes away, or the emulator closes. */
  readonly signal: AbortSignal;
  readonly entry: OpenEntry;
}

/** Sends an answer with its Content-Length. */
export function sendAnswer(exchange: Exchange, answer: Answer): void {
  sendHead(exchange, answer, contentLengthOf(answer));
  exchange.response.end(answer.body);
}

/** Records the status and the trace in the log, then sends the head. The answer's own headers win over `framing`. */
export function sendHead(
  { response, entry }: Exchange,
  answer: Answer,
  framing: Readonly<Record<string, string>>,
): void {
  entry.status = answer.status;
  entry.traceId = answer.traceId;
  response.writeHead(answer.status, { ...framing, ...answer.headers });
}

/** Returns the Content-Length header, or no header for a status that allows no body. Source: RFC 9110, section 8.6. */
export function contentLengthOf({ status, body }: Answer): Record<string, string> {
  return status === 204 || status === 304 ? {} : { "content-length": String(body.length) };
}
