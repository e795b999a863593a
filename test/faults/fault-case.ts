import type { Fault } from "../../emulator/index.js";

/** How a case must end: "deleted" and "already gone" succeed, "kept" is an error that leaves the resource in the state. */
export type Outcome = "deleted" | "already gone" | "kept";

/** Where a request goes; everywhere but "service" is for the tiers that need no CLI. */
export type Place = "service" | "IPv6" | "refused" | "no such name" | "plain" | "untrusted";

/** One thing that can happen to a delete, and how it must end. */
export interface FaultCase {
  readonly title: string;
  /** The row of the policy that judges the first answer. */
  readonly row: string;
  /** What happens to the first requests; the service answers those after them as ever. */
  readonly faults: readonly Fault[];
  readonly outcome: Outcome;
  readonly requests: number;
  /** The waits between the requests, in milliseconds; the jitter draws 0.5 each time. */
  readonly waitsMs: readonly number[];
  /** What the error, or the line that tells of a control plane that is gone, must contain. */
  readonly says: readonly string[];
  /** Default "service". */
  readonly place?: Place;
  /** An attempt that only its time limit ends. */
  readonly slow?: true;
  /** Attempts allowed; default 10. */
  readonly maxAttempts?: number;
  /** Cannot be told from a real answer's dates or is judged in virtual time: not for a real CLI. */
  readonly virtual?: true;
}

/** When a case begins, for dates in headers: Thu, 01 Jan 2026 00:00:00 GMT. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);
