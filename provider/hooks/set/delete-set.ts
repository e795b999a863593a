import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { guardDeletion } from "../check-guards.js";
import type { HookContext } from "../context.js";
import { deleteUnderGuard, keepDeclared, memberPolicy } from "../delete.js";
import { requireSettings } from "../require-settings.js";
import {
  type Guards,
  isUnguarded,
  type Properties,
  requireKnownGuards,
} from "../../state/recorded-fields.js";
import { listLabels } from "./label-lists.js";
import { decodeSet, memberRef, requireUsableSet } from "../../state/set-codec.js";
import { explainSet, type FailedMember } from "./set-failure.js";
import { requireForMembers, withSet } from "./with-set.js";
import { withWorkers } from "./with-workers.js";

/**
 * Deletes every member of a set, each with its own proof. Fails when one is left, and the state then keeps the whole set:
 * those that are gone answer the next run with their own 404.
 */
export async function deleteSet(context: HookContext, outputs: Properties): Promise<void> {
  const recorded = requireUsableSet(decodeSet(outputs));
  const { address, members } = recorded;
  const refs = members.map((member) => memberRef(member, address));
  const guards = requireForMembers(context, "delete", refs, () => {
    requireSettings(context.settings, "delete", { address });
    return requireKnownGuards(recorded, { address });
  });
  const ids = refs.map(({ id }) => id);
  const { memory, client } = context;
  const deletion: SetDeletion = {
    context,
    refs,
    guards,
    labelsOf: guards.onlyIfLabels === undefined ? undefined : listLabels(context, refs),
    // Without guards, all members may wait for their turn at once. A check must not wait long for its DELETE.
    atATime: () => (isUnguarded(guards) ? refs.length : client.callsAtATime(address)),
    detachable: new Set(
      isUnguarded(guards) ? ids.filter((id) => !memory.isDeclared(id) && !memory.isReferredTo(id)) : [],
    ),
  };
  const failures = await withSet(context, "delete", ids, () => deleteMembers(deletion));
  const [first, ...more] = failures;
  if (first !== undefined) throw explainSet(refs.length, [first, ...more], "not deleted");
}

/** The deletion of the members of a set. */
interface SetDeletion {
  readonly context: HookContext;
  readonly refs: readonly ControlPlaneRef[];
  readonly guards: Guards;
  /** Returns how many members may be worked on now. */
  readonly atATime: () => number;
  readonly labelsOf: ReturnType<typeof listLabels> | undefined;
  /**
   * Members that may be removed from a group of this set, because the set deletes them, too. Empty when the set has guards,
   * because a guard may keep any of them.
   */
  readonly detachable: ReadonlySet<string>;
}

/** Deletes all members. Returns those that are left. */
async function deleteMembers(deletion: SetDeletion): Promise<readonly FailedMember[]> {
  const { context, refs, atATime } = deletion;
  const failures: FailedMember[] = [];
  const blocked: FailedMember[] = [];
  const fail = (failed: FailedMember) => {
    context.emit({ type: "failed", purpose: "delete", ...failed });
    failures.push(failed);
  };
  await withWorkers(refs, atATime, async (controlPlane, index) => {
    const failed = await deleteMember(deletion, controlPlane, index);
    if (failed === undefined) return;
    if (failed.error.kind === "conflict") blocked.push(failed);
    else fail(failed);
  });
  // A group that is deleted sets its members free. When nothing is deleted, nothing has changed for them.
  const hasProgress = blocked.length + failures.length < refs.length;
  await withWorkers(blocked, atATime, async (before) => {
    const failed = hasProgress ? await deleteMember(deletion, before.controlPlane) : before;
    if (failed !== undefined) fail(failed);
  });
  return failures;
}

/**
 * Deletes one member. Returns why it is left.
 *
 * @param index where it stands in the list of labels. Default: its labels are read
 */
async function deleteMember(
  { context, guards, detachable, labelsOf }: SetDeletion,
  controlPlane: ControlPlaneRef,
  index?: number,
): Promise<FailedMember | undefined> {
  try {
    if (keepDeclared(context, controlPlane)) return undefined;
    const listed = index === undefined ? undefined : await labelsOf?.(index);
    await deleteUnderGuard(context, controlPlane, {
      guard: guardDeletion(context, controlPlane, guards, { listed }),
      members: memberPolicy(context, controlPlane, {
        detachesAll: guards.detachMembers === true,
        detachable,
      }),
    });
    return undefined;
  } catch (error) {
    if (error instanceof ControlPlaneError) return { controlPlane, error };
    throw error;
  }
}
