import { safe } from "../text/safe-text.js";
import type { Caller, CallOptions } from "./caller.js";
import { deleteAndProve, type Deletion, type DeletionGuard, FoundGone, preconditionOf } from "./deletion.js";
import { factsOf, joinFacts } from "./failure/call-facts.js";
import { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall, type FailedCall } from "./failure/explain-call.js";
import { addRemoved, explainHolders, explainMembers, refuseMembers } from "./failure/explain-members.js";
import type { GroupIndex } from "./group-index.js";
import { changeAllMembers, type MemberReading, readMembers } from "./membership.js";
import type { ControlPlaneRef } from "./operations/control-plane-ref.js";
import type { GroupMember } from "./operations/lists/list-members.js";
import type { CallScope } from "./retry/call.js";

/** Which members may be removed from a group, so that it can be deleted. */
export interface MemberTerms {
  /** Whether each member may be removed from the group. */
  readonly detachesAll: boolean;
  /** The ids that may be removed from the group in any case. */
  readonly detachable: ReadonlySet<string>;
}

/** Returns the members that must not be removed from a group. While there is one, the group is not deleted. */
export function membersThatStay(
  { detachesAll, detachable }: MemberTerms,
  members: readonly GroupMember[],
): readonly GroupMember[] {
  return detachesAll ? [] : members.filter(({ id }) => !detachable.has(id));
}

/** What may become of the members of a control plane that turns out to be a group. */
export interface MemberPolicy extends MemberTerms {
  /** Whether the state says that it is a group. Its members are then read before a DELETE is sent. */
  readonly isKnownGroup: boolean;
  /** Is called with members that have been removed from the group, before it is deleted. */
  readonly onDetached: (members: readonly GroupMember[]) => void;
}

/** What the deletion of a control plane rests on. */
export interface GroupDeletion {
  readonly caller: Caller;
  readonly groups: GroupIndex;
  readonly controlPlane: ControlPlaneRef;
  readonly scope: CallScope;
  readonly guard: DeletionGuard | undefined;
  readonly policy: MemberPolicy;
}

/** A look-up that only explains a failure makes one attempt in this time. */
const LOOK_UP_MS = 10_000;

/**
 * Deletes a control plane that may be a group, or a member of one. Members that may be removed from the group are removed
 * first; any other member forbids the deletion.
 *
 * @throws ControlPlaneError when it is not proven to be gone; after a 409, it names the members or the groups
 */
export async function deleteWithMembers(deletion: GroupDeletion): Promise<Deletion> {
  const { policy } = deletion;
  const removed: GroupMember[] = [];
  const onDetached: MemberPolicy["onDetached"] = (members) => {
    removed.push(...members);
    policy.onDetached(members);
  };
  try {
    return await deleteInOrder({ ...deletion, policy: { ...policy, onDetached } });
  } catch (error) {
    if (error instanceof FoundGone) return error.deletion;
    if (!(error instanceof ControlPlaneError) || removed.length === 0) throw error;
    const isManaged = policy.isKnownGroup && removed.every(({ id }) => policy.detachable.has(id));
    throw addRemoved(error, removed.length, isManaged);
  }
}

async function deleteInOrder(deletion: GroupDeletion): Promise<Deletion> {
  const { caller, controlPlane, scope, guard, policy } = deletion;
  if (policy.isKnownGroup) {
    const gone = (await guard?.check(false)) ?? (await detachKnown(deletion));
    if (gone !== undefined) return { outcome: "already gone", proof: 404, facts: gone.facts };
  }
  return deleteAndProve(caller, controlPlane, scope, guard, (refused) => afterConflict(deletion, refused));
}

/** Removes the members of a group that the state knows. @throws ControlPlaneError when one must not be removed, or nobody knows */
async function detachKnown(
  deletion: GroupDeletion,
): Promise<Extract<MemberReading, { outcome: "gone" }> | undefined> {
  const { caller, controlPlane, scope, policy } = deletion;
  const reason = safe`Its members could not be read, so it is unknown whether it has members that must stay.`;
  let reading: MemberReading;
  try {
    reading = await readMembers(caller, controlPlane, scope, { purpose: "check", reason });
  } catch (error) {
    // When all members may go, the service decides: it answers 409 while there is one.
    const isRefused = error instanceof ControlPlaneError && ["forbidden", "invalid"].includes(error.kind);
    if (isRefused && policy.detachesAll) return undefined;
    throw error;
  }
  if (reading.outcome === "gone") return reading;
  const { members, facts } = reading;
  const [first, ...more] = membersThatStay(policy, members);
  if (first !== undefined) throw refuseMembers(controlPlane, [first, ...more], facts);
  await detach(deletion, members);
  return undefined;
}

/** Settles a 409: removes the members of the group and deletes it, or finds out what is in the way. */
async function afterConflict(
  deletion: GroupDeletion,
  refused: FailedCall,
  hasDetached = false,
): Promise<Deletion> {
  const { caller, groups, controlPlane, scope, guard, policy } = deletion;
  const members = await membersOf(deletion, refused);
  const [first, ...more] = members ?? [];
  if (members === undefined || first === undefined) {
    const found = await groups.find(controlPlane, scope);
    throw explainHolders(refused, { ...found, knowsMembers: members !== undefined });
  }
  const [kept, ...others] = membersThatStay(policy, members);
  if (kept !== undefined) throw explainMembers(refused, [kept, ...others]);
  if (hasDetached) throw explainMembers(refused, [first, ...more]);
  await detach(deletion, members, refused.end.mayHaveWorked);
  const { facts, ...rest } = await deleteAndProve(caller, controlPlane, scope, guard, (again) =>
    afterConflict(deletion, again, true),
  );
  return { ...rest, facts: joinFacts(factsOf(refused.end), facts) };
}

/**
 * Returns the members of a control plane, or undefined when they cannot be read. One that is no group has none: the service
 * answers the request with 400.
 */
async function membersOf(
  { caller, controlPlane, scope, policy }: GroupDeletion,
  refused: FailedCall,
): Promise<readonly GroupMember[] | undefined> {
  const read = (within: CallScope, limits?: CallOptions["limits"]) =>
    readMembers(caller, controlPlane, within, {
      purpose: "check",
      token: refused.end.token,
      ...(limits !== undefined && { limits }),
    });
  try {
    const mayHelp = policy.detachesAll || policy.detachable.size > 0;
    const reading = await (mayHelp ? read(scope) : caller.within(LOOK_UP_MS, scope, read));
    return reading.outcome === "gone" ? [] : reading.members;
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    // A run that is being stopped must not go on to other look-ups.
    if (scope.signal.aborted) throw explainCall(refused);
    return error.kind === "invalid" ? [] : undefined;
  }
}

/**
 * Removes members from the group. Every request that is sent follows a check of the guard that is fresh.
 *
 * @param mayBeDeleted whether a DELETE that was sent before may have worked
 */
async function detach(
  { caller, controlPlane, scope, guard, policy }: GroupDeletion,
  members: readonly GroupMember[],
  mayBeDeleted = false,
): Promise<void> {
  const precondition = guard && preconditionOf(guard, () => mayBeDeleted);
  const onChanged = (ids: readonly string[]) =>
    policy.onDetached(members.filter(({ id }) => ids.includes(id)));
  const ids = members.map(({ id }) => id);
  try {
    await changeAllMembers(
      caller,
      controlPlane,
      { change: "remove", ids, purpose: "check", precondition, onChanged },
      scope,
    );
  } catch (error) {
    // The DELETE that follows proves whether the group is gone.
    if (!(error instanceof ControlPlaneError) || error.kind !== "missing") throw error;
  }
}
