import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { joinSafe, safe, type SafeText } from "../../text/safe-text.js";
import { parseArguments } from "../arguments/arguments.js";
import { guardDeletion } from "../check-guards.js";
import { emitOnce, type HookContext } from "../context.js";
import { declaredTwice } from "../custody.js";
import { describeLoss } from "../describe-loss.js";
import type { DiffResult } from "../results.js";
import { type Properties, recordedGuards } from "../../state/recorded-fields.js";
import { decodeState, recordedControlPlane } from "../../state/state-codec.js";
import { type ChangePlan, planChange } from "./change-plan.js";

/**
 * Compares a created control plane with the program. Sends nothing, unless a change would delete it: then it is read, so
 * that the preview shows what will be lost, and its guards are asked.
 *
 * @throws ControlPlaneError when a guard forbids the deletion
 */
export async function diffCreated(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<DiffResult> {
  const { ledger, refreshes, settings, emit, urn } = context;
  const recorded = recordedControlPlane(id, outputs);
  // A refresh compares what it has just read. It shows nothing of the program.
  const hasChanged = refreshes.take(urn, recorded.id);
  if (hasChanged !== undefined) return { changes: hasChanged };
  const wanted = parseArguments(inputs, settings);
  const plan = planChange(recorded, outputs, inputs, wanted);
  if (!wanted.hasAddress && wanted.address !== recorded.address && ledger.isDeclared(urn)) {
    emit({
      type: "recorded address differs",
      controlPlane: recorded,
      isCreated: true,
      inSettings: wanted.address,
    });
  }
  const [rival] = ledger.rivals(urn, [recorded.id]);
  if (rival !== undefined) throw declaredTwice(recorded, urn, rival.by);
  if (plan.replacements.length > 0) {
    const name = wanted.creation?.wanted.name ?? recorded.name;
    return replace(context, recorded, outputs, {
      plan,
      takesName: takesName(recorded, name, wanted.address),
    });
  }
  ledger.hold(urn, recorded.address, [recorded.id], "diff");
  const sent = [...Object.keys(plan.changes), ...(plan.members?.isChanged === true ? ["members"] : [])];
  if (sent.length > 0) noticeLastProblem(context, recorded, outputs, sent);
  const changes = sent.length > 0 || plan.changesState;
  return plan.isOpen && !changes ? {} : { changes };
}

/** Pulumi shows no reason for a change that only goes on where the last run stopped. */
function noticeLastProblem(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  outputs: Properties,
  changes: readonly string[],
): void {
  const { lastProblem: problem } = decodeState(outputs);
  if (problem === undefined) return;
  const event = { type: "changes after a problem", controlPlane, changes, problem } as const;
  emitOnce(context, event, `last problem ${controlPlane.id}`);
}

/** Whether the new control plane needs the name of the old one. Whether case matters is not documented. */
function takesName(old: ControlPlaneRef, name: string | undefined, address = old.address): boolean {
  return address === old.address && name?.toLowerCase() === old.name?.toLowerCase();
}

async function replace(
  context: HookContext,
  recorded: ControlPlaneRef,
  outputs: Properties,
  { plan, takesName }: { readonly plan: ChangePlan; readonly takesName: boolean },
): Promise<DiffResult> {
  const loss = await describeLoss(context, recorded);
  const unchecked = await checkGuards(context, recorded, outputs);
  const changed = joinSafe(
    plan.replacements.map(({ text }) => text),
    ", ",
  );
  const event = {
    type: "will be replaced",
    controlPlane: recorded,
    loss: [...loss, ...unchecked, safe`Changed: ${changed}. This cannot be changed in place.`],
  } as const;
  emitOnce(context, event, `replace ${recorded.id}`);
  return {
    changes: true,
    replaces: plan.replacements.map(({ argument }) => argument),
    deleteBeforeReplace: takesName,
  };
}

/** Asks the guards before anything is deleted. A check that fails is no reason to fail a preview; the deletion asks again. */
async function checkGuards(
  context: HookContext,
  recorded: ControlPlaneRef,
  outputs: Properties,
): Promise<readonly SafeText[]> {
  try {
    await guardDeletion(context, recorded, recordedGuards(outputs, recorded))?.check(false);
    return [];
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || ["guarded", "settings"].includes(error.kind)) throw error;
    return [safe`Its guards could not be checked yet: ${error.summary}.`];
  }
}
