import { validateHeaderName, validateHeaderValue } from "node:http";

/** The requests that a fault is meant for; a field that is left out matches any. */
export interface FaultRoute {
  method?: string;
  /** The id in the path, in either case. */
  id?: string;
}

/**
 * What happens to a request instead of, or in addition to, the real answer.
 *
 * With `status`, `body`, `drip`, `hang`, `raw` or `reset: "before"` no work is done. Without any of them the
 * real work is done first, and the rest of the fault is applied to the real answer.
 */
export interface Fault {
  /** Default 200 when there is a body or a drip. */
  status?: number;
  /** Added to the answer's; they win. */
  headers?: Record<string, string>;
  /** An object is sent as JSON. Default, with a status: the documented problem document, if it has one. */
  body?: string | Buffer | object;
  /** Milliseconds before the answer, the reset or the raw bytes. */
  delayMs?: number;
  /** Connection reset before the work, after it with the answer lost, or in the middle of the answer's body. */
  reset?: "before" | "after" | "body";
  /** Never answers. */
  hang?: true;
  /** The body is sent piece by piece, over and over, for ever. */
  drip?: { bytes: number; everyMs: number };
  /** Written to the socket instead of an HTTP answer, then closed. */
  raw?: string | Buffer;
  /** How many requests it is for; default 1, Infinity allowed. */
  times?: number;
}

/** Whether the fault leaves the real work, and the real answer, in place. */
export function doesRealWork(fault: Fault): boolean {
  if (fault.reset === "after") return true;
  const { status, body, drip, hang, raw } = fault;
  return [status, body, drip, hang, raw].every((part) => part === undefined) && fault.reset !== "before";
}

/** Throws when a fault cannot be done as it is written, so that a wrong script fails where it stands. */
export function checkFault(fault: Fault): void {
  const scripted = fault.status !== undefined || fault.body !== undefined;
  const ends = [
    ["hang", fault.hang !== undefined],
    ["raw", fault.raw !== undefined],
    ["drip", fault.drip !== undefined],
    [`reset "${fault.reset ?? ""}"`, fault.reset !== undefined],
  ] as const;
  const chosen = ends.filter(([, isChosen]) => isChosen).map(([name]) => name);
  if (chosen.length > 1) throw new TypeError(`A fault cannot have both ${chosen.join(" and ")}.`);
  const noAnswer = chosen[0] !== undefined && fault.drip === undefined && fault.reset !== "body";
  if (noAnswer && (scripted || fault.headers !== undefined)) {
    throw new TypeError(
      `A fault with ${chosen[0] ?? ""} sends no answer: leave out status, body and headers.`,
    );
  }
  if ((fault.status === 204 || fault.status === 304) && (fault.body !== undefined || fault.drip)) {
    throw new TypeError(`An answer ${fault.status} has no body: for one that breaks this rule, use raw.`);
  }
  checkNumbers(fault);
  for (const [name, value] of Object.entries(fault.headers ?? {})) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
}

function checkNumbers({ status, times, delayMs, drip }: Fault): void {
  const is = (ok: boolean, message: string): void => {
    if (!ok) throw new RangeError(message);
  };
  is(
    status === undefined || (Number.isInteger(status) && status >= 200 && status <= 599),
    "status: 200 to 599",
  );
  is(times === undefined || times === Infinity || (Number.isInteger(times) && times > 0), "times: 1 or more");
  is(delayMs === undefined || (Number.isFinite(delayMs) && delayMs >= 0), "delayMs: 0 or more");
  is(drip === undefined || (drip.bytes >= 1 && drip.everyMs >= 0), "drip: 1 byte or more, 0 ms or more");
}
