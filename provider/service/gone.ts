import { safe } from "../text/safe-text.js";
import type { Caller, Ended } from "./caller.js";
import { type CallFacts, factsOf, joinFacts } from "./failure/call-facts.js";
import { explainCall } from "./failure/explain-call.js";
import type { ControlPlaneRef } from "./operations/control-plane-ref.js";
import { getControlPlane } from "./operations/get-control-plane.js";
import type { CallScope } from "./retry/call.js";

/** The service's own 404 to a GET of the control plane. */
export interface Gone {
  readonly outcome: "gone";
  readonly facts: CallFacts;
}

/**
 * Settles a 404 to a part of a control plane with a GET of the control plane. By itself, that 404 can also mean that the
 * service does not know the path of the part.
 *
 * @throws ControlPlaneError unless the GET proves that the control plane is gone
 */
export async function requireGone(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  missing: Ended<unknown>,
): Promise<Gone> {
  const { reason = safe``, purpose } = missing.failed;
  const operation = getControlPlane(controlPlane.id);
  const { end, failed } = await caller.call(operation, controlPlane, scope, { purpose, reason });
  switch (end.judgement.verdict) {
    case "gone":
      return { outcome: "gone", facts: joinFacts(factsOf(missing.end), factsOf(end)) };
    case "done":
      throw explainCall({
        ...missing.failed,
        reason: safe`${reason} A GET still finds the control plane, so this 404 proves nothing.`,
      });
    case "retry":
    case "stop":
    case "settle":
      throw explainCall(failed);
  }
}
