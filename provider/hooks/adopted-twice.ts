import type { Target } from "../service/control-plane.js";
import { SettingsError } from "../service/errors.js";

/** Builds the error of a second resource for one control plane: the destroy of either would delete it for both. */
export function adoptedTwice({ id }: Target): SettingsError {
  return new SettingsError(
    `Adopted twice: control plane ${id} was not adopted again\n` +
      "  Another resource of this program holds it (or this one does, and is being replaced): its destroy would " +
      "delete it for both. Keep one.",
    { subject: `control plane ${id}`, summary: "adopted twice" },
  );
}
