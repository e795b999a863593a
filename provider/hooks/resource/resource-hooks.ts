import { adoptControlPlane } from "../adopted/adopt-control-plane.js";
import { diffAdopted } from "../adopted/diff-adopted.js";
import { readAdopted } from "../adopted/read-adopted.js";
import { updateAdopted } from "../adopted/update-adopted.js";
import { isCreation } from "../arguments/arguments.js";
import type { HookContext } from "../context.js";
import { createNew } from "../created/create-new.js";
import { diffCreated } from "../created/diff-created.js";
import { readCreated } from "../created/read-created.js";
import { updateCreated } from "../created/update-created.js";
import type { Created, DiffResult, ReadResult, Updated } from "../results.js";
import type { Properties } from "../../state/recorded-fields.js";
import { decodeState } from "../../state/state-codec.js";
import { refuseOtherMode } from "./refuse-other-mode.js";

// One resource type has two modes. What the program gives chooses the mode of a new resource, and the state that of an
// old one.

/** Adopts or creates the control plane that the arguments name. */
export function createResource(context: HookContext, inputs: Properties): Promise<Created> {
  return isCreation(inputs) ? createNew(context, inputs) : adoptControlPlane(context, inputs);
}

/**
 * Compares a resource in the state with its arguments.
 *
 * @throws ControlPlaneError when the change is not allowed
 */
export async function diffResource(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<DiffResult> {
  const isCreated = wasCreated(outputs);
  if (isCreated !== isCreation(inputs)) throw refuseOtherMode(id, outputs, inputs);
  return isCreated ? diffCreated(context, id, outputs, inputs) : diffAdopted(context, id, outputs, inputs);
}

/** Reads a control plane of the state, or looks one up by its id. */
export function readResource(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  return wasCreated(properties) ? readCreated(context, id, properties) : readAdopted(context, id, properties);
}

/** Changes a created control plane, or records other guards of an adopted one. */
export async function updateResource(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Updated> {
  return wasCreated(outputs) ? updateCreated(context, id, outputs, inputs) : updateAdopted(outputs, inputs);
}

function wasCreated(properties: Properties): boolean {
  return decodeState(properties).origin === "created";
}
