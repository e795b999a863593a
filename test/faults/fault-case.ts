import type { Fault } from "../../emulator/index.js";

/** The end of a case. "deleted" and "already gone" succeed; "kept" is an error that leaves the resource in the state. */
export type Outcome = "deleted" | "already gone" | "kept";

/** Where a request goes. Everything but "service" is for the tests that need no CLI. */
export type Place = "service" | "IPv6" | "refused" | "no such name" | "plain" | "untrusted";

/** One thing that can happen to a delete, and how it must end. */
export interface FaultCase {
  readonly title: string;
  /** The row of the policy that judges the first answer to the DELETE. */
  readonly row: string;
  /** What happens to the first DELETE requests. The service answers the later ones as usual. */
  readonly faults: readonly Fault[];
  /** The control plane is gone when the delete starts. */
  readonly isGone?: true;
  readonly outcome: Outcome;
  /** The error says that the control plane may be deleted, instead of that it was not. */
  readonly mayBeDeleted?: true;
  /** Whether the control plane exists in the service afterwards. */
  readonly exists: boolean;
  /** DELETE requests. */
  readonly requests: number;
  /** The waits between the requests, in milliseconds. The jitter is always 0.5. */
  readonly waitsMs: readonly number[];
  /** The beginning of the error. */
  readonly begins?: string;
  /** What the error contains, or the line about a control plane that is gone. */
  readonly says: readonly string[];
  /** The GET requests that settle a 2xx other than 204. */
  readonly confirmation?: Confirmation;
  /** Default "service". */
  readonly place?: Place;
  /** Only the time limit ends an attempt. */
  readonly slow?: true;
  /** Attempts allowed; default 10. */
  readonly maxAttempts?: number;
  /** Takes too long for a real CLI, or needs a certain date. */
  readonly virtual?: true;
}

/** GET requests that settle a DELETE. */
export interface Confirmation {
  /** The row of the policy that judges the first answer. */
  readonly row: string;
  /** What happens to the first requests. The service answers the later ones as usual. */
  readonly faults?: readonly Fault[];
  readonly requests: number;
}

/** When a case starts, for dates in headers: Thu, 01 Jan 2026 00:00:00 GMT. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);
