import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../http/http-answer.js";
import { contentLengthOf, sendAnswer, sendHead, type Exchange } from "../http/send-answer.js";
import { answerOfFault } from "./fault-answer.js";
import type { Fault } from "./fault.js";

// A reset discards bytes that the client has not read yet. On loopback, the client reads them within this time.
const BEFORE_RESET_MS = 25;

/** Does to a request what its fault describes. `real` is the real answer if there is one. */
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
    const answer = answerOfFault(fault, real, exchange.entry.operation);
    if (fault.reset === "body") await cutShort(exchange, answer);
    else if (fault.drip) drip(exchange, answer, fault.drip);
    else sendAnswer(exchange, answer);
  }
}

async function cutShort(exchange: Exchange, answer: Answer): Promise<void> {
  const { response, socket, entry, signal } = exchange;
  if (answer.body.length > 0) {
    sendHead(exchange, answer, contentLengthOf(answer));
    response.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2)));
  } else {
    // An answer without a body is cut within its head, after the status line.
    entry.status = answer.status;
    socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\ndate: `);
  }
  await sleep(BEFORE_RESET_MS, undefined, { signal });
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
  sendHead(exchange, answer, {});
  response.flushHeaders();
  const timer = setInterval(() => {
    // Without this check, a client that does not read would fill the memory of this process.
    if (response.writableNeedDrain) return;
    const turned = Buffer.concat([text.subarray(at), text.subarray(0, at)]);
    at = (at + bytes) % text.length;
    response.write(Buffer.alloc(bytes, turned));
  }, everyMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}
