import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { type ControlPlaneRef, describeControlPlane } from "../service/operations/control-plane-ref.js";
import { safe } from "../text/safe-text.js";

/** Creates the error of a second resource for one control plane: destroying either would delete it for both. */
export function adoptedTwice(controlPlane: ControlPlaneRef): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  return settingsError(
    safe`Adopted twice: ${subject} was not adopted again
  Another resource has already adopted it. Remove one of the two resources. (With --replace, the old resource still holds it.)`,
    { subject, summary: safe`adopted twice` },
  );
}

/**
 * Creates the error of a resource that is to be deleted while the program still declares its control plane, and no
 * resource of this run holds it. Dropping the old resource would lose the control plane.
 */
export function stillDeclared(controlPlane: ControlPlaneRef): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  return settingsError(
    safe`Still declared: ${subject} was not deleted
  The program still declares it. Either the new resource could not adopt it or names another address, or this resource is being replaced. Pulumi keeps the old resource.`,
    { subject, summary: safe`still declared by the program, not deleted` },
  );
}
