import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { safeText } from "../text/safe-text.js";
import { PartialFailure } from "./partial-failure.js";
import { debug } from "../session/debug.js";

/**
 * Returns the error that a hook throws to the dynamic-provider host.
 *
 * The host prints `${error}: ${error.stack}` besides its message. That becomes one short line that names the control
 * plane, because under --diff the CLI names no resource.
 */
export function toHostError(error: unknown): Error {
  debug("a hook failed", error);
  if (error instanceof PartialFailure) {
    const { cause, id, properties } = error;
    const made = toHostError(cause);
    return Object.assign(made, { id, properties, reasons: [made.message] });
  }
  if (error instanceof ControlPlaneError) return hostError(error.message, error.subject, error.summary);
  const what = safeText(error instanceof Error ? error.message : String(error), 300);
  return hostError(
    `Internal error: ${what}\n  This is a defect of pulumi-konnect-control-planes; the state is kept. ` +
      "KONNECT_DEBUG=1 shows where it happened: please report it.",
    "pulumi-konnect-control-planes",
    `internal error: ${what}`,
  );
}

function hostError(message: string, subject: string, summary: string): Error {
  const error = new Error(message);
  error.stack = summary;
  error.toString = () => subject;
  return error;
}
