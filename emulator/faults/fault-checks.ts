import { validateHeaderName, validateHeaderValue } from "node:http";
import { keepsRealAnswer, type Fault } from "./fault.js";

/** The longest wait that a timer of Node.js supports. */
const MAX_WAIT_MS = 2 ** 31 - 1;
const WAIT = `a number of milliseconds from 0 to ${MAX_WAIT_MS}`;

/**
 * Throws if a fault contradicts itself or holds a value that is not allowed.
 *
 * @param place where the fault stands, for the message, such as "fault 2"
 */
export function checkFault(fault: Fault, place: string): void {
  checkNumbers(fault, place);
  checkHeaders(fault, place);
  const contradiction = contradictionIn(fault);
  if (contradiction !== undefined) throw new TypeError(`${place}: ${contradiction}`);
}

function contradictionIn(fault: Fault): string | undefined {
  const { status, body, headers, hang, raw, drip, reset, work } = fault;
  const ends = [
    ...(hang === undefined ? [] : ["hang"]),
    ...(raw === undefined ? [] : ["raw"]),
    ...(drip === undefined ? [] : ["drip"]),
    ...(reset === undefined ? [] : [`reset "${reset}"`]),
  ];
  if (ends.length > 1) return `${ends.join(" and ")} exclude each other`;
  const sendsNoAnswer = ends.length === 1 && drip === undefined && reset !== "body";
  if (sendsNoAnswer && [status, body, headers].some((part) => part !== undefined)) {
    return `${ends.join()} sends no HTTP answer, so it allows no status, body or headers`;
  }
  if ((status === 204 || status === 304) && (body !== undefined || drip !== undefined)) {
    return `status ${status} allows no body; to send one all the same, use raw`;
  }
  if (work !== undefined && (reset === "before" || reset === "after")) {
    return `reset "${reset}" says when the work is done, so it allows no work`;
  }
  if (typeof work === "object" && keepsRealAnswer(fault)) {
    return "work cannot be put off while the real answer is sent; add status, body, drip, hang or raw";
  }
  return undefined;
}

function checkNumbers({ status, times, delayMs, drip, work }: Fault, place: string): void {
  const check = (name: string, value: number | undefined, isAllowed: boolean, allowed: string): void => {
    if (value === undefined || isAllowed) return;
    throw new RangeError(`${place}: ${name} must be ${allowed}, not ${value}`);
  };
  check("status", status, isWholeFrom(200, status) && status <= 599, "a whole number from 200 to 599");
  check("times", times, times === Infinity || isWholeFrom(1, times), "a whole number from 1, or Infinity");
  check("delayMs", delayMs, isWait(delayMs), WAIT);
  check("drip.bytes", drip?.bytes, isWholeFrom(1, drip?.bytes), "a whole number from 1");
  check("drip.everyMs", drip?.everyMs, isWait(drip?.everyMs), WAIT);
  if (typeof work !== "object") return;
  if ("afterMs" in work) check("work.afterMs", work.afterMs, isWait(work.afterMs), WAIT);
  else check("work.afterGets", work.afterGets, isWholeFrom(1, work.afterGets), "a whole number from 1");
}

function checkHeaders({ headers = {} }: Fault, place: string): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TypeError(`${place}: headers: ${reason}`, { cause: error });
    }
  }
}

function isWholeFrom(minimum: number, value: number | undefined): value is number {
  return Number.isInteger(value) && (value ?? NaN) >= minimum;
}

function isWait(value: number | undefined): boolean {
  return value !== undefined && value >= 0 && value <= MAX_WAIT_MS;
}
