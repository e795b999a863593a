import { BODY_FORMS } from "./bodies.js";
import { CONNECTION_CASES } from "./connection-faults.js";
import type { FaultCase } from "./fault-case.js";
import { REDIRECT_CASES } from "./redirects.js";
import { STATUS_CASES } from "./statuses.js";
import { SUCCESS_CASES } from "./successes.js";
import { WAIT_CASES } from "./waits.js";

export { EPOCH_MS } from "./fault-case.js";
export type { FaultCase, Confirmation, Outcome, Place } from "./fault-case.js";

/** Everything that can happen to a delete. The tests over sockets run all of it. */
export const FAULT_CASES: readonly FaultCase[] = [
  ...STATUS_CASES,
  ...SUCCESS_CASES,
  ...CONNECTION_CASES,
  ...REDIRECT_CASES,
  ...WAIT_CASES,
];

/** One of this many cases runs with the real CLI. */
const SAMPLED = 3;

/** The cases for the real CLI. */
export const E2E_FAULT_CASES: readonly FaultCase[] = FAULT_CASES.filter((fault, index) => {
  const { place, virtual, maxAttempts, confirmation } = fault;
  if ([place, virtual, maxAttempts, confirmation?.faults].some((limit) => limit !== undefined)) return false;
  // Other bodies for each status.
  const shifted = index + Math.floor(index / BODY_FORMS.length);
  return shifted % SAMPLED === 0;
});
