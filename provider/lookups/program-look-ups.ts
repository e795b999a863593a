import * as pulumi from "@pulumi/pulumi";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { debug } from "../session/debug.js";
import { isObject } from "../text/json.js";
import { describeDefect } from "../text/message.js";
import { safe, type SafeText } from "../text/safe-text.js";
import type { FoundControlPlane } from "./found-control-plane.js";
import type { LookUpSource } from "./look-up-source.js";
import { tokenOf } from "./mocked-call.js";
import { type GetControlPlaneArgs, lookUpControlPlane } from "./one-control-plane.js";
import type { LookUpArguments } from "./plain-arguments.js";
import { programSession } from "./program-session.js";
import { lookUpControlPlanes } from "./select-control-planes.js";
import type { SelectControlPlanesArgs } from "./selection-arguments.js";

/** Looks up one control plane for a program, as `provider/loading-lookups.ts` describes it. */
export function getControlPlane(args: GetControlPlaneArgs): Promise<FoundControlPlane> {
  return asLookUp(() => lookUpControlPlane(args, ofProgram()));
}

/** Selects control planes for a program, as `provider/loading-lookups.ts` describes it. */
export function selectControlPlanes(args: SelectControlPlanesArgs): Promise<readonly FoundControlPlane[]> {
  return asLookUp(() => lookUpControlPlanes(args, ofProgram()));
}

function ofProgram(): LookUpSource {
  return { session: programSession, mock: hasMocks() ? callMock : undefined };
}

/** Whether the program runs in a unit test with `pulumi.runtime.setMocks`. Its look-ups then send no request. */
function hasMocks(): boolean {
  // The class of the monitor is not compared: the test may have loaded another copy of the SDK.
  const monitor: unknown = pulumi.runtime.getMonitor();
  return isObject(monitor) && isObject(monitor.mocks) && typeof monitor.mocks.call === "function";
}

/** Asks the `call` of the mocks. Its token is `konnect:index:<name of the look-up>`. */
async function callMock(lookUp: SafeText, args: LookUpArguments): Promise<unknown> {
  try {
    const answer: unknown = await pulumi.runtime.invoke(tokenOf(lookUp), { ...args });
    return answer;
  } catch {
    // Pulumi drops the message of what the mock threw.
    throw settingsError(safe`${lookUp}: the mock's call threw an error for ${tokenOf(lookUp)}`);
  }
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
    throw withoutFrames(describeDefect(error, safe`pulumi-konnect-control-planes`).message);
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
