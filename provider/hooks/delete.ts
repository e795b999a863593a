import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";
import type { Properties } from "./state/properties.js";
import { stillDeclared } from "./declared-elsewhere.js";
import { reportFailure } from "./report-failure.js";
import { requireSettings } from "./require-settings.js";
import { recordedControlPlane } from "./state/state-codec.js";

/** Deletes the recorded control plane. One that is gone already is a success. */
export function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  return reportFailure(context, {
    purpose: "delete",
    id,
    find: () => recordedControlPlane(id, outputs),
    run: (controlPlane) => deleteUnlessDeclared(context, controlPlane),
  });
}

async function deleteUnlessDeclared(context: HookContext, controlPlane: ControlPlaneRef): Promise<void> {
  const { memory, client, emit, settings } = context;
  if (memory.isDeclared(controlPlane.id)) {
    if (!memory.isHeld(controlPlane)) throw stillDeclared(controlPlane);
    emit({ type: "kept", controlPlane });
    return;
  }
  requireSettings(settings, "delete", controlPlane);
  const { outcome, proof, facts } = await client.deleteControlPlane(controlPlane, context);
  if (outcome === "deleted") emit({ type: "deleted", controlPlane, facts, proof });
  else emit({ type: "already gone", controlPlane, facts });
}
