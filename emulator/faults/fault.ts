/** The requests that a fault is meant for. A field that is left out matches every request. */
export interface FaultRoute {
  method?: string;
  /** The id in the path, in upper or lower case. */
  id?: string;
}

/**
 * What happens to a request.
 *
 * With `status`, `body`, `drip`, `hang`, `raw` or `reset: "before"`, the service does not do the work of the
 * request. Without them it does the work, and the rest of the fault changes the real answer.
 */
export interface Fault {
  /** 200 to 599. Default 200 if there is a body or a drip. */
  status?: number;
  /** Headers to add to the answer. They replace headers of the same name. */
  headers?: Record<string, string>;
  /** An object is sent as JSON. Default the documented problem document of the status, if there is one. */
  body?: string | Buffer | object;
  /** Milliseconds to wait before the answer, the reset or the raw bytes. */
  delayMs?: number;
  /** Resets the connection: before the work, after the work in place of the answer, or within the body. */
  reset?: "before" | "after" | "body";
  /** Never answers. */
  hang?: true;
  /** Sends this many bytes of the body at a time, again and again, without end. */
  drip?: { bytes: number; everyMs: number };
  /** Bytes to write to the socket in place of an HTTP answer. The connection is closed after them. */
  raw?: string | Buffer;
  /** The number of requests that meet the fault. Default 1. Infinity is allowed. */
  times?: number;
}

/** Returns whether the service does the work of a request that meets the fault. */
export function doesRealWork(fault: Fault): boolean {
  if (fault.reset === "after") return true;
  const { status, body, drip, hang, raw } = fault;
  return [status, body, drip, hang, raw].every((part) => part === undefined) && fault.reset !== "before";
}
