import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneDocument } from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import type { NewControlPlane } from "../../service/operations/control-plane-request.js";
import type { HookContext } from "../context.js";
import { settleLabels } from "./settle-labels.js";

/** A control plane that exists and whose id is known, and what the program wants it to be. */
export interface Made {
  readonly controlPlane: ControlPlaneRef;
  readonly wanted: Partial<NewControlPlane>;
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
}

/**
 * A step after the request that created or changed a control plane. Returns the control plane as the service describes it
 * afterwards. It must be able to run again after it has failed.
 *
 * @throws ControlPlaneError when it fails
 */
export type LaterStep = (context: HookContext, made: Made) => Promise<ControlPlaneDocument>;

/** The steps after a creation and after a change, in their order. */
const LATER_STEPS: readonly LaterStep[] = [settleLabels];

/** How the steps ended. */
export interface Finished {
  readonly document: ControlPlaneDocument;
  /** Why a step failed. The steps after it did not run. */
  readonly unfinished?: ControlPlaneError;
}

/** Runs the steps after a creation or a change. The first one that fails is the last one. */
export async function finish(
  context: HookContext,
  made: Made,
  steps: readonly LaterStep[] = LATER_STEPS,
): Promise<Finished> {
  let { document } = made;
  for (const step of steps) {
    try {
      document = await step(context, { ...made, document });
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      return { document, unfinished: error };
    }
  }
  return { document };
}
