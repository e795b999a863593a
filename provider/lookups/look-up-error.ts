import * as pulumi from "@pulumi/pulumi";
import { renderParameter } from "../hooks/arguments/arguments.js";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import type { InvalidParameter } from "../service/problem/problem.js";
import { debug } from "../session/debug.js";
import { renderMessage } from "../text/message.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";

/** Creates the error of arguments that a look-up refuses before it sends a request. */
export function wrongArguments(lookUp: SafeText, invalid: readonly InvalidParameter[]): ControlPlaneError {
  const [first = safe`unusable arguments`, ...more] = invalid.map(renderParameter);
  return settingsError(
    renderMessage({
      headline: safe`${lookUp}: ${first}`,
      explanation: more,
      rows: [[safe`next`, safe`correct that, then run again; nothing was sent`]],
    }),
  );
}

/**
 * Runs a look-up of a program. Its failure becomes an error that the CLI prints as it is, without a stack trace.
 *
 * @throws pulumi.RunError
 */
export async function asLookUp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    debug("a look-up failed", error);
    if (error instanceof ControlPlaneError) throw withoutFrames(error.message);
    const what = safeText(error instanceof Error ? error.message : String(error), 300);
    throw withoutFrames(
      safe`Internal error: ${what}
  This is a defect of pulumi-konnect-control-planes. KONNECT_DEBUG=1 shows where it happened: please report it.`,
    );
  }
}

/**
 * Creates an error without stack frames. Some releases of Node.js take half a minute to inspect the frames of an error that
 * leaves a Pulumi program, as Pulumi does: docs/internals/pulumi-host.md.
 */
function withoutFrames(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = `${error.name}: ${message}`;
  return error;
}
