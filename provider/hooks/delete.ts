import type { HookContext, Properties } from "./context.js";
import { requireSettings } from "./arguments.js";
import { stillDeclared } from "./declared-elsewhere.js";
import { reportFailure } from "./report-failure.js";
import { recordedControlPlane } from "./state-codec.js";

/** Deletes the recorded control plane. One that is gone already is a success. */
export async function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  const { memory, client, emit, settings } = context;
  const controlPlane = recordedControlPlane(id, outputs);
  await reportFailure(context, "delete", controlPlane, async () => {
    if (memory.isDeclared(controlPlane.id)) {
      if (!memory.isHeld(controlPlane.id)) throw stillDeclared(controlPlane);
      emit({ type: "kept", controlPlane });
      return;
    }
    requireSettings(settings, "delete", controlPlane);
    const { outcome, proof, facts } = await client.deleteControlPlane(controlPlane, context);
    if (outcome === "deleted") emit({ type: "deleted", controlPlane, facts, proof });
    else emit({ type: "already gone", controlPlane, facts });
  });
}
