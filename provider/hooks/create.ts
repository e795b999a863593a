import type { Target } from "../service/control-plane.js";
import { ForbiddenError } from "../service/errors.js";
import { requireTarget } from "./arguments.js";
import { adoptedTwice } from "./adopted-twice.js";
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
  const target = requireTarget(inputs, context.settings, "adopt");
  requireSettings(context, "adopt", target);
  if (!context.memory.claim(target.id, "create")) throw adoptedTwice(target);
  try {
    const reading = await context.client.getControlPlane(target, { doing: "adopt" });
    if (reading.outcome === "gone") throw new Error("the client lets nothing be adopted that is gone");
    return { id: target.id, outs: outputsOf(target, reading.controlPlane) };
  } catch (error) {
    if (error instanceof ForbiddenError) return adoptUnread(context, target, error);
    context.memory.release(target.id);
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
