import { adoptControlPlane, diffAdopted, updateAdopted } from "./adopted.js";
import { isCreation } from "./arguments/arguments.js";
import type { Created, DiffResult, HookContext, Updated } from "./context.js";
import { createNew, updateCreated } from "./created/create-and-update.js";
import { diffCreated } from "./created/diff.js";
import { diffImported, updateImported } from "./created/import.js";
import type { Properties } from "../state/recorded-fields.js";
import { decodeControlPlane, isCreated, type RecordedControlPlane } from "../state/state-codec.js";
import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { describeControlPlane } from "../service/operations/control-planes.js";
import { renderMessage } from "../text/message.js";
import { safe, safeText } from "../text/safe-text.js";

// One resource type has two modes. What the program gives chooses the mode of a new resource, and the state that of an
// old one.

/** Adopts or creates the control plane that the arguments name. */
export function createResource(context: HookContext, inputs: Properties): Promise<Created> {
  return isCreation(inputs) ? createNew(context, inputs) : adoptControlPlane(context, inputs);
}

/**
 * Compares a resource in the state with its arguments.
 *
 * @throws ControlPlaneError if the change is not allowed
 */
export async function diffResource(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<DiffResult> {
  const recorded = decodeControlPlane(id, outputs);
  if (recorded.origin === "external") return diffImported(context, recorded, inputs);
  if (isCreated(recorded) !== isCreation(inputs)) throw refuseOtherMode(recorded, inputs);
  return isCreated(recorded)
    ? diffCreated(context, recorded, inputs)
    : diffAdopted(context, recorded, inputs);
}

/** Changes a created control plane, records other guards of an adopted one, or what an imported one is. */
export async function updateResource(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Updated> {
  const recorded = decodeControlPlane(id, outputs);
  if (recorded.origin === "external") return updateImported(context, recorded, inputs);
  return isCreated(recorded) ? updateCreated(context, recorded, inputs) : updateAdopted(recorded, inputs);
}

/** Creates the error of a created resource that would become an adopted one, or the other way round. */
function refuseOtherMode(recorded: RecordedControlPlane, inputs: Properties): ControlPlaneError {
  const { idAsRecorded: id, name } = recorded;
  const subject = describeControlPlane({ id, name });
  const wantsItself = inputs.controlPlaneId === id;
  const message = renderMessage({
    headline: isCreated(recorded)
      ? safe`Refused: ${subject} was created by this resource, which cannot switch to adopting`
      : safe`Refused: ${subject} was adopted by this resource, which cannot switch to creating`,
    explanation: [
      isCreated(recorded)
        ? safe`A resource that has created its control plane manages it: its name, labels and other arguments.`
        : safe`A resource that has adopted a control plane never changes it, and the change would delete it.`,
    ],
    rows: [
      [
        safe`keep`,
        isCreated(recorded)
          ? safe`set name again instead of controlPlaneId${wantsItself ? safe`: it is this control plane already` : safe``}`
          : safe`set controlPlaneId: "${safeText(id, 60)}" again instead of name`,
      ],
      [safe`add`, safe`declare the other control plane under a new resource name`],
      [safe`let go`, safe`pulumi state delete, then run again; nothing is deleted`],
    ],
  });
  return settingsError(message, {
    subject,
    summary: safe`refused, ${isCreated(recorded) ? safe`created` : safe`adopted`} before`,
  });
}
