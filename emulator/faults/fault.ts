import type { OperationId } from "../service/operation-id.js";

/** The requests that a fault is meant for. A field that is left out matches every request. */
export interface FaultRoute {
  method?: string;
  /** The id in the path, in upper or lower case. */
  id?: string;
  /** The name of the control plane that the path names, or that the body of a creation gives to a new one. */
  name?: string;
  /** The path without the query, which may leave out the base path, in upper or lower case. */
  path?: string;
  /** The operation identifier in openapi.yaml, such as "list-control-planes". */
  operation?: OperationId;
}

/** Work that the service does after its request: some time later, or after further GETs of the same path. */
export type LaterWork = { readonly afterMs: number } | { readonly afterGets: number };

/** What happens to a request that meets the fault. An empty fault leaves the real answer as it is. */
export interface Fault {
  /** The status of the answer, 200 to 599. Default 200 if there is a body or a drip. */
  status?: number;
  /** Headers to add to the answer. They replace headers of the same name. */
  headers?: Record<string, string>;
  /** An object is sent as JSON. Default the documented problem document of the status, if there is one. */
  body?: string | Buffer | object;
  /** Milliseconds to wait before the answer, the reset or the raw bytes. */
  delayMs?: number;
  /** Resets the connection: before the work, after the work in place of the answer, or within the answer. */
  reset?: "before" | "after" | "body";
  /** Never answers. */
  hang?: true;
  /** Sends this many bytes of the body at a time, again and again, without end. */
  drip?: { bytes: number; everyMs: number };
  /** Bytes to write to the socket in place of an HTTP answer. The connection is closed after them. */
  raw?: string | Buffer;
  /**
   * When the service does the work of the request.
   * Default "now" with the real answer and with `reset: "after"`. Default never with everything else.
   */
  work?: "now" | LaterWork;
  /** The number of requests that meet the fault. Default 1. Infinity is allowed. */
  times?: number;
}

/** Returns whether a fault leaves the real answer in place, perhaps with other headers, late or cut short. */
export function keepsRealAnswer({ status, body, drip, hang, raw, reset }: Fault): boolean {
  const replacesAnswer = [status, body, drip, hang, raw].some((part) => part !== undefined);
  return !replacesAnswer && reset !== "before" && reset !== "after";
}

/** Returns when the service does the work of a request that meets the fault. */
export function workOf(fault: Fault): "now" | "never" | LaterWork {
  return fault.work ?? (keepsRealAnswer(fault) || fault.reset === "after" ? "now" : "never");
}
