import type { Target } from "../service/control-plane.js";
import { ForbiddenError, SettingsError } from "../service/errors.js";
import { renderInvalidParameters } from "../service/invalid-parameter.js";
import { parseArguments } from "./arguments.js";
import type { HookContext, Outputs, Properties } from "./context.js";
import { requireSettings } from "./require-settings.js";
import { outputsOf, storedProblem } from "./outputs.js";

/** The identifier under which a control plane is recorded, and what is recorded. */
export interface Created {
  readonly id: string;
  readonly outs: Outputs;
}

/**
 * Adopts an existing control plane: makes sure that it exists, so that a mistyped id is found now and not taken for
 * "already gone" at destroy. Writes nothing to the service.
 */
export async function create(context: HookContext, inputs: Properties): Promise<Created> {
  const target = requireTarget(context, inputs);
  requireSettings(context, "adopt", target);
  if (!context.memory.claim(target)) throw adoptedTwice(target);
  try {
    const reading = await context.client.getControlPlane(target, { doing: "adopt" });
    if (reading.outcome === "gone") throw new Error("a missing control plane cannot be adopted");
    return { id: target.id, outs: outputsOf(target, reading.controlPlane) };
  } catch (error) {
    if (error instanceof ForbiddenError) return adoptUnread(context, target, error);
    context.memory.release(target);
    throw error;
  }
}

// A token may be allowed to delete and not to read: that is no reason to refuse the teardown.
function adoptUnread({ log }: HookContext, target: Target, error: ForbiddenError): Created {
  log(
    `${error.summary}: adopted unread: control plane ${target.id} may not be read with this token, so nobody checked that it exists`,
  );
  return { id: target.id, outs: { baseUrl: target.address, lastProblem: storedProblem(error) } };
}

function requireTarget({ settings }: HookContext, inputs: Properties): Target {
  const { id, address, invalid } = parseArguments(inputs, settings);
  if (id !== undefined && address !== undefined) return { id, address };
  // `check` has said all this already; it is said again for a caller that has not asked it.
  const lines = renderInvalidParameters(invalid);
  throw new SettingsError(["Unusable arguments: no control plane was adopted", ...lines].join("\n  "));
}

function adoptedTwice({ id }: Target): SettingsError {
  return new SettingsError(
    `Adopted twice: control plane ${id} was not adopted again\n` +
      "  Another resource of this program holds it (or this one does, and is being replaced): its destroy would " +
      "delete it for both. Keep one.",
    `control plane ${id}`,
  );
}
