import type { HookContext, Properties } from "./context.js";
import { recordedTarget } from "./outputs.js";
import { requireSettings } from "./require-settings.js";
import { harmless } from "../service/foreign-text.js";

/** Deletes the recorded control plane; one that is gone already is a success that is told in one line. */
export async function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  const target = recordedTarget(id, outputs);
  if (context.memory.isDeclared(target)) {
    context.log(
      `kept: control plane ${target.id} is declared by another resource; only the old one leaves the state`,
    );
    return;
  }
  requireSettings(context, "delete", target);
  const { outcome, problem, token } = await context.client.deleteControlPlane(target);
  if (outcome === "already gone") {
    const trace = problem.instance === undefined ? "" : `, ${harmless(problem.instance, 80)}`;
    context.log(`already gone: control plane ${target.id} (404 from ${target.address}${trace}, ${token})`);
  }
}
