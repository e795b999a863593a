import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../http/http-answer.js";
import { answerOfFault } from "./fault-answer.js";
import type { Fault } from "./fault.js";
import type { OpenEntry } from "../http/request-log.js";

/** One request on its way to an answer. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Aborted when the client is gone or the emulator closes. */
  readonly signal: AbortSignal;
  readonly entry: OpenEntry;
}

// A reset may overtake bytes that the client has not read yet; on loopback this is ample.
const settleMs = 25;

/** Sends an answer; the log entry has its status before the first byte leaves. */
export function deliverAnswer(exchange: Exchange, answer: Answer): void {
  beginAnswer(exchange, answer, contentLength(answer));
  exchange.response.end(answer.body);
}

/** Does to a request what the fault says; `real` is the real answer when the work was done. */
export async function deliverFault(
  exchange: Exchange,
  fault: Fault,
  real: Answer | undefined,
): Promise<void> {
  const { socket } = exchange;
  if (fault.hang) return;
  if (fault.raw !== undefined) {
    socket.end(fault.raw, () => socket.destroy());
  } else if (fault.reset === "before" || fault.reset === "after") {
    socket.resetAndDestroy();
  } else {
    const answer = answerOfFault(fault, real);
    if (fault.reset === "body") await cutShort(exchange, answer);
    else if (fault.drip) drip(exchange, answer, fault.drip);
    else deliverAnswer(exchange, answer);
  }
}

function beginAnswer({ response, entry }: Exchange, answer: Answer, framing: Record<string, string>): void {
  entry.status = answer.status;
  entry.traceId = answer.traceId;
  response.writeHead(answer.status, { ...framing, ...answer.headers });
}

function contentLength({ status, body }: Answer): Record<string, string> {
  return status === 204 || status === 304 ? {} : { "content-length": String(body.length) };
}

async function cutShort(exchange: Exchange, answer: Answer): Promise<void> {
  const { response, socket, entry, signal } = exchange;
  if (answer.body.length > 0) {
    beginAnswer(exchange, answer, contentLength(answer));
    response.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2)));
  } else {
    // Without a body the head is cut: the status line arrives, the end of the head does not.
    entry.status = answer.status;
    socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\ndate: `);
  }
  await sleep(settleMs, undefined, { signal });
  socket.resetAndDestroy();
}

function drip(
  exchange: Exchange,
  answer: Answer,
  { bytes, everyMs }: { bytes: number; everyMs: number },
): void {
  const { response, signal } = exchange;
  const text = answer.body.length > 0 ? answer.body : Buffer.from(" ");
  let at = 0;
  beginAnswer(exchange, answer, {});
  response.flushHeaders();
  const timer = setInterval(() => {
    // A client that does not read would otherwise fill this process's memory.
    if (response.writableNeedDrain) return;
    const turned = Buffer.concat([text.subarray(at), text.subarray(0, at)]);
    at = (at + bytes) % text.length;
    response.write(Buffer.alloc(bytes, turned));
  }, everyMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}
