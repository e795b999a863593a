import type { Target } from "../service/control-plane.js";
import { SettingsError } from "../service/errors.js";
import type { HookContext, Properties } from "./context.js";
import { describeGone, recordedTarget } from "./outputs.js";
import { requireSettings } from "./require-settings.js";

/** Deletes the recorded control plane; one that is gone already is a success that is told in one line. */
export async function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  const { memory, client, log } = context;
  const target = recordedTarget(id, outputs);
  if (memory.isDeclared(target.id)) {
    if (!memory.isHeld(target.id)) throw stillDeclared(target);
    log(
      `kept: control plane ${target.id} is declared by another resource; only the old one leaves the state`,
    );
    return;
  }
  requireSettings(context, "delete", target);
  const { outcome, problem, token } = await client.deleteControlPlane(target);
  if (outcome === "already gone") log(`already gone: ${describeGone(target, problem, token)}`);
}

// A renamed resource whose new one could not be adopted: dropping the old one would lose the control plane.
function stillDeclared({ id }: Target): SettingsError {
  return new SettingsError(
    `Still declared: control plane ${id} was not deleted\n` +
      "  The program declares it under another name, which could not be adopted; Pulumi keeps the old resource.",
    { subject: `control plane ${id}`, summary: "still declared under another name, not deleted" },
  );
}
