import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { joinSafe, safe, type SafeText } from "../../text/safe-text.js";
import { parseArguments } from "../arguments/arguments.js";
import { guardDeletion } from "../check-guards.js";
import type { HookContext } from "../context.js";
import { adoptedTwice } from "../declared-elsewhere.js";
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
  const { memory, settings, emit } = context;
  const recorded = recordedControlPlane(id, outputs);
  // A refresh compares what it has just read.
  const refresh = memory.takeRefresh(recorded.id);
  if (refresh !== undefined) return { changes: refresh.hasChanged };
  const wanted = parseArguments(inputs, settings);
  const plan = planChange(recorded, outputs, inputs, wanted);
  if (!wanted.hasAddress && wanted.address !== recorded.address && memory.programRuns) {
    emit({
      type: "recorded address differs",
      controlPlane: recorded,
      isCreated: true,
      inSettings: wanted.address,
    });
  }
  if (memory.isDeclared(recorded.id) && !memory.claim(recorded, "diff")) throw adoptedTwice(recorded);
  if (plan.replacements.length > 0) {
    const name = wanted.creation?.wanted.name ?? recorded.name;
    return replace(context, recorded, outputs, {
      plan,
      takesName: takesName(recorded, name, wanted.address),
    });
  }
  const sent = [...Object.keys(plan.changes), ...(plan.members?.isChanged === true ? ["members"] : [])];
  if (sent.length > 0) noticeLastProblem(context, recorded, outputs, sent);
  const changes = sent.length > 0 || plan.changesState;
  return plan.isOpen && !changes ? {} : { changes };
}

/** Pulumi shows no reason for a change that only goes on where the last run stopped. */
function noticeLastProblem(
  { memory, emit }: HookContext,
  controlPlane: ControlPlaneRef,
  outputs: Properties,
  changes: readonly string[],
): void {
  const { lastProblem: problem } = decodeState(outputs);
  if (problem === undefined || !memory.noteNotice(`last problem ${controlPlane.id}`)) return;
  emit({ type: "changes after a problem", controlPlane, changes, problem });
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
  const { memory, emit } = context;
  memory.noteReplaced(recorded.id);
  const loss = await describeLoss(context, recorded);
  const unchecked = await checkGuards(context, recorded, outputs);
  const changed = joinSafe(
    plan.replacements.map(({ text }) => text),
    ", ",
  );
  if (memory.noteNotice(`replace ${recorded.id}`)) {
    emit({
      type: "will be replaced",
      controlPlane: recorded,
      loss: [...loss, ...unchecked, safe`Changed: ${changed}. This cannot be changed in place.`],
    });
  }
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
