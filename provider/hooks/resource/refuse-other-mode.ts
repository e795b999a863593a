import { type ControlPlaneError, settingsError } from "../../service/failure/control-plane-error.js";
import { describeControlPlane } from "../../service/operations/control-plane-ref.js";
import { renderMessage } from "../../text/message.js";
import { safe, safeText } from "../../text/safe-text.js";
import type { Properties } from "../../state/recorded-fields.js";
import { decodeState } from "../../state/state-codec.js";

/** Creates the error of a created resource that would become an adopted one, or the other way round. */
export function refuseOtherMode(id: string, outputs: Properties, inputs: Properties): ControlPlaneError {
  const { name, origin } = decodeState(outputs);
  const subject = describeControlPlane({ id, name });
  const isCreated = origin === "created";
  const wantsItself = inputs.controlPlaneId === id;
  const message = renderMessage({
    headline: isCreated
      ? safe`Refused: ${subject} was created by this resource, which cannot switch to adopting`
      : safe`Refused: ${subject} was adopted by this resource, which cannot switch to creating`,
    explanation: [
      isCreated
        ? safe`A resource that has created its control plane manages it: its name, labels and other arguments.`
        : safe`A resource that has adopted a control plane never changes it, and the change would delete it.`,
    ],
    rows: [
      [
        safe`keep`,
        isCreated
          ? safe`give name again instead of controlPlaneId${wantsItself ? safe`: it is this control plane already` : safe``}`
          : safe`give controlPlaneId: "${safeText(id, 60)}" again instead of name`,
      ],
      [safe`add`, safe`declare the other control plane under a new resource name`],
      [safe`let go`, safe`pulumi state delete, then run again; nothing is deleted`],
    ],
  });
  return settingsError(message, {
    subject,
    summary: safe`refused, ${isCreated ? safe`created` : safe`adopted`} before`,
  });
}
