import type { CallFacts } from "../../service/failure/call-facts.js";
import type { ControlPlaneDocument } from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import type { NewControlPlane } from "../../service/operations/control-plane-request.js";
import type { HookContext } from "../context.js";
import type { RecordedMembers } from "../../state/recorded-fields.js";
import type { MembersPlan } from "./members-plan.js";
import { settleLabels } from "./settle-labels.js";
import { settleMembers } from "./settle-members.js";

/** A control plane that exists and whose id is known, and what the program wants it to be. */
export interface Made {
  readonly controlPlane: ControlPlaneRef;
  readonly wanted: Partial<NewControlPlane>;
  /** Undefined when the resource does not manage the members of a group. */
  readonly members: MembersPlan | undefined;
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
}

/** What the steps have reached, also when one of them fails. */
export interface Reached {
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
  /** The known members of the group. Undefined when the resource does not manage them. */
  readonly members?: RecordedMembers;
  /** The last request of a step that changed something. */
  readonly facts?: CallFacts;
}

/**
 * A step after the request that created or changed a control plane. Notes what it reaches as soon as it is proven. It must
 * be able to run again after it has failed.
 *
 * @throws ControlPlaneError when it fails
 */
export type LaterStep = (
  context: HookContext,
  made: Made,
  note: (reached: Partial<Reached>) => void,
) => Promise<void>;

/** The steps after a creation and after a change, in their order. */
const LATER_STEPS: readonly LaterStep[] = [settleLabels, settleMembers];

/** How the steps ended. */
export interface Finished extends Reached {
  /** Why a step failed. The steps after it did not run. */
  readonly unfinished?: Error;
}

/** Runs the steps after a creation or a change. The first one that fails is the last one. */
export async function finish(
  context: HookContext,
  made: Made,
  steps: readonly LaterStep[] = LATER_STEPS,
): Promise<Finished> {
  const { document, members } = made;
  let reached: Reached = { document, ...(members !== undefined && { members: members.before }) };
  const note = (more: Partial<Reached>) => void (reached = { ...reached, ...more });
  for (const step of steps) {
    try {
      await step(context, { ...made, document: reached.document }, note);
    } catch (error) {
      // After a defect, too, the control plane has to be recorded.
      return { ...reached, unfinished: error instanceof Error ? error : new Error(String(error)) };
    }
  }
  return reached;
}
