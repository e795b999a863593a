import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { guardDeletion } from "../check-guards.js";
import type { HookContext } from "../context.js";
import { describeResource, refuseToEndSet } from "../custody.js";
import { deleteUnderGuard, isKept, memberPolicy } from "../delete.js";
import type { Place, SetFate } from "../ledger.js";
import { requireSettings } from "../require-settings.js";
import {
  detachableBySet,
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
 * Deletes every member of a set, each with its own proof. Succeeds only when each member is proven to be gone, or was
 * released: another resource holds it, or the set has moved without it. Otherwise the state keeps the whole set, and those
 * that are gone answer the next run with their own 404.
 */
export async function deleteSet(context: HookContext, outputs: Properties): Promise<void> {
  const recorded = requireUsableSet(decodeSet(outputs));
  const { address, members } = recorded;
  const refs = members.map((member) => memberRef(member, address));
  const { ledger, client, urn } = context;
  const ids = refs.map(({ id }) => id);
  const { guards, fate } = requireForMembers(context, "delete", refs, () => {
    requireSettings(context.settings, "delete", { address });
    const found = ledger.fateOfSet(urn, address, ids);
    if (found.outcome === "refused") throw refuseToEndSet(refs, urn, found);
    return { guards: requireKnownGuards(recorded, { address }), fate: found };
  });
  const isDeleted = (member: Place) =>
    fate.outcome === "delete" && ledger.fateOf(urn, member).outcome === "delete";
  const deletion: SetDeletion = {
    context,
    refs,
    guards,
    fate,
    labelsOf: guards.onlyIfLabels === undefined ? undefined : listLabels(context, refs),
    // Without guards, all members may wait for their turn at once. A check must not wait long for its DELETE.
    atATime: () => (isUnguarded(guards) ? refs.length : client.callsAtATime(address)),
    detachable: detachableBySet(
      ids.filter((id) => isDeleted({ id, address })),
      guards,
    ),
  };
  await withSet(context, "delete", ids, async () => {
    const ends = await deleteMembers(deletion);
    const [first, ...more] = ends.flatMap((end) => (end.outcome === "left" ? [end] : []));
    if (first !== undefined) throw explainSet(refs.length, [first, ...more], "not deleted");
    if (ends.length !== refs.length) {
      throw new Error(`${ends.length} of ${refs.length} members came to an end`);
    }
  });
}

/** The deletion of the members of a set. */
interface SetDeletion {
  readonly context: HookContext;
  readonly refs: readonly ControlPlaneRef[];
  readonly guards: Guards;
  /** What becomes of the members that no other resource holds. */
  readonly fate: Exclude<SetFate, { outcome: "refused" }>;
  /** Returns how many members may be worked on now. */
  readonly atATime: () => number;
  readonly labelsOf: ReturnType<typeof listLabels> | undefined;
  /**
   * Members that may be removed from a group of this set, because the set deletes them, too. Empty when the set has guards,
   * because a guard may keep any of them.
   */
  readonly detachable: ReadonlySet<string>;
}

/** What became of a member: it is proven to be gone, the set has released it, or it is left. */
type MemberEnd =
  | { readonly outcome: "gone" }
  | { readonly outcome: "released" }
  | (FailedMember & { readonly outcome: "left" });

/** Deletes all members. Returns what became of each. */
async function deleteMembers(deletion: SetDeletion): Promise<readonly MemberEnd[]> {
  const { context, refs, atATime } = deletion;
  const ends: MemberEnd[] = [];
  const blocked: (FailedMember & { readonly outcome: "left" })[] = [];
  const conclude = (end: MemberEnd) => {
    ends.push(end);
    if (end.outcome !== "left") return;
    const { controlPlane, error } = end;
    context.emit({ type: "failed", purpose: "delete", controlPlane, error });
  };
  await withWorkers(refs, atATime, async (controlPlane, index) => {
    const end = await deleteMember(deletion, controlPlane, index);
    if (end.outcome === "left" && end.error.kind === "conflict") blocked.push(end);
    else conclude(end);
  });
  // A group that is deleted sets its members free. When nothing is deleted, nothing has changed for them.
  const hasProgress = ends.some(({ outcome }) => outcome === "gone");
  await withWorkers(blocked, atATime, async (before) => {
    conclude(hasProgress ? await deleteMember(deletion, before.controlPlane) : before);
  });
  return ends;
}

/**
 * Deletes one member, unless the set releases it.
 *
 * @param index where it stands in the list of labels. Default: its labels are read
 */
async function deleteMember(
  { context, guards, fate, detachable, labelsOf }: SetDeletion,
  controlPlane: ControlPlaneRef,
  index?: number,
): Promise<MemberEnd> {
  try {
    if (isKept(context, controlPlane)) return { outcome: "released" };
    if (fate.outcome === "moved") {
      context.emit({ type: "let go", controlPlane, movedTo: describeResource(fate.to) });
      return { outcome: "released" };
    }
    const listed = index === undefined ? undefined : await labelsOf?.(index);
    await deleteUnderGuard(context, controlPlane, {
      guard: guardDeletion(context, controlPlane, guards, { listed }),
      members: memberPolicy(context, controlPlane, {
        detachesAll: guards.detachMembers === true,
        detachable,
      }),
    });
    return { outcome: "gone" };
  } catch (error) {
    if (error instanceof ControlPlaneError) return { outcome: "left", controlPlane, error };
    throw error;
  }
}
