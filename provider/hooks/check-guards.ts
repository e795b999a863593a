import type { Gone } from "../service/contents.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";
import { checkLabels, compareLabels, type Labels } from "./guards/check-labels.js";
import { checkEntities, checkNodes } from "./guards/check-policy.js";
import { type Finding, type GuardName, refusal } from "./guards/obstacle.js";
import type { Guards } from "./state/recorded-guards.js";

/** One guard of a control plane, and how it is checked. */
interface Check {
  readonly guard: GuardName;
  readonly find: () => Promise<Finding>;
}

/**
 * Checks the guards of a control plane right before its deletion. With KONNECT_FORCE_DELETE an event says what is
 * overridden.
 *
 * @param member set for a member of a set, with the labels that a list has just shown; default: they are read
 * @returns the proof that the control plane is gone, where a check met it
 * @throws ControlPlaneError when a guard forbids the deletion, or when a check fails
 */
export async function requireDeletable(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  guards: Guards,
  member?: { readonly labels: Labels | undefined },
): Promise<Gone | undefined> {
  const { forceDelete } = context.settings;
  for (const { guard, find } of checksOf(context, controlPlane, guards, member?.labels)) {
    try {
      const finding = await find();
      if (finding.outcome === "gone") return finding;
      if (finding.outcome === "obstacle") {
        throw refusal(controlPlane, guard, finding, member !== undefined);
      }
    } catch (error) {
      if (!forceDelete || !(error instanceof ControlPlaneError) || error.kind === "interrupted") throw error;
      context.emit({ type: "guard overridden", controlPlane, guard, because: error.summary });
    }
  }
  return undefined;
}

function checksOf(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { onlyIfLabels, deletionPolicy = "always" }: Guards,
  listed: Labels | undefined,
): readonly Check[] {
  const checks: Check[] = [];
  if (onlyIfLabels !== undefined) {
    const find = () =>
      listed === undefined
        ? checkLabels(context, controlPlane, onlyIfLabels)
        : Promise.resolve(compareLabels(onlyIfLabels, listed, 0));
    checks.push({ guard: "onlyIfLabels", find });
  }
  switch (deletionPolicy) {
    case "always":
      break;
    case "no-connected-nodes":
      checks.push({ guard: "deletionPolicy", find: () => checkNodes(context, controlPlane) });
      break;
    case "empty":
      checks.push({ guard: "deletionPolicy", find: () => checkEntities(context, controlPlane) });
      break;
  }
  return checks;
}
