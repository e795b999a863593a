import { BODY_FORMS } from "./bodies.js";
import { CONNECTION_CASES } from "./connections.js";
import type { FaultCase } from "./fault-case.js";
import { REDIRECT_CASES } from "./redirects.js";
import { STATUS_CASES } from "./statuses.js";
import { WAIT_CASES } from "./waits.js";

export { EPOCH_MS } from "./fault-case.js";
export type { FaultCase, Outcome, Place } from "./fault-case.js";

/** Everything that can happen to a delete. The unit tier runs all of it, the e2e tier a third. */
export const FAULT_CASES: readonly FaultCase[] = [
  ...STATUS_CASES,
  ...CONNECTION_CASES,
  ...REDIRECT_CASES,
  ...WAIT_CASES,
];

/** A third of them, for the real CLI: another third of the bodies for each status. */
export const E2E_FAULT_CASES: readonly FaultCase[] = FAULT_CASES.filter(
  ({ place, virtual, maxAttempts }, index) =>
    [place, virtual, maxAttempts].every((limit) => limit === undefined) &&
    (index + Math.floor(index / BODY_FORMS.length)) % 3 === 0,
);
