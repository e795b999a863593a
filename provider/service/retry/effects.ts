import type { Send } from "../http/transport.js";
import type { AttemptGate } from "./attempt-gate.js";
import type { Clock } from "./clock.js";

/** Everything outside itself that a call uses. Tests replace it. */
export interface Effects {
  readonly clock: Clock;
  readonly gate: AttemptGate;
  readonly send: Send;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Epoch milliseconds, for dates in headers and reports. */
  readonly epochMs: () => number;
}
