import { safe } from "../text/safe-text.js";
import type { Caller, CallOptions, Ended } from "./caller.js";
import { ControlPlaneError, copyError } from "./failure/control-plane-error.js";
import { explainCall, type FailedCall, kindOf } from "./failure/explain-call.js";
import {
  addRemoved,
  explainHolders,
  explainMembers,
  explainUnproven,
  refuseMembers,
} from "./failure/explain-deletion.js";
import {
  changeAllMembers,
  type GroupIndex,
  type GroupsFound,
  type MemberReading,
  readMembers,
} from "./membership.js";
import { confirmDeletion, type ControlPlaneRef, deleteControlPlane } from "./operations/control-planes.js";
import type { GroupMember } from "./operations/members.js";
import type { Gone } from "./reading.js";
import {
  type CallEnd,
  type CallFacts,
  type CallScope,
  factsOf,
  joinFacts,
  type Precondition,
} from "./retry/call.js";

/** A control plane that is proven to be gone. Everything else is an error. */
export interface Deletion {
  /** `already gone`: it was gone before this run sent anything that could have deleted it. */
  readonly outcome: "deleted" | "already gone";
  /** The status that proves it: 204 to the DELETE, or the service's own 404. */
  readonly proof: 204 | 404;
  readonly facts: CallFacts;
}

/** What decides whether a control plane may be deleted. */
export interface DeletionGuard {
  /** Whether the last check is so recent that a DELETE may start now. */
  readonly isFresh: () => boolean;
  /**
   * Checks whether the control plane may be deleted.
   *
   * @param mayHaveWorked whether a DELETE that was sent before may have worked
   * @param attempts the number of requests of the deletion that were sent before. Default: none
   * @returns the proof that it is gone, where the check met it
   * @throws ControlPlaneError if it must not be deleted, or if that is unknown
   */
  readonly check: (mayHaveWorked: boolean, attempts?: number) => Promise<Gone | undefined>;
}

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
  /**
   * Returns whether the run lets go of the control plane, which groups hold.
   *
   * @param groupIds none when no group was found
   * @param nowMs the present, in monotonic milliseconds
   */
  readonly progressOf: (groupIds: readonly string[], nowMs: number) => HolderProgress;
}

/**
 * What the run does about groups that hold a control plane. `free`: it has removed the control plane from all of them, or
 * has deleted them. `pending`: it may do so yet. `not begun`: the deletion of one has not begun in time. `held`: one of them
 * stays, or if that is unknown.
 */
export type HolderProgress = "free" | "pending" | "not begun" | "held";

/** What a deletion rests on. */
interface Deleting {
  readonly caller: Caller;
  readonly controlPlane: ControlPlaneRef;
  readonly scope: CallScope;
  readonly guard: DeletionGuard | undefined;
}

/** The deletion of a control plane that may have members, or may be a member. */
interface GroupDeleting extends Deleting {
  readonly groups: GroupIndex;
  readonly policy: MemberPolicy;
}

/** Settles a DELETE that the service refuses with 409. Rejects with the error of the deletion when that is not possible. */
type OnConflict = (refused: FailedCall) => Promise<Deletion>;

/** A DELETE that used up the budget is still confirmed, if one GET can do it in this time. */
const SHORTEST_CONFIRMATION_MS = 1_000;

/** A look-up that only explains a failure makes one attempt in this time. */
const LOOK_UP_MS = 10_000;

/** How often the progress of groups is asked for. */
const POLL_MS = 100;

/**
 * Deletes a control plane. With a policy for members, those that may be removed from the group are removed first; any
 * other member forbids the deletion.
 *
 * @param guard is checked before each DELETE that starts when its last check is no longer fresh; default: none
 * @param policy what may become of the members of a group; default: a 409 is an error that names none
 * @throws ControlPlaneError if it is not proven to be gone; after a 409, it names the members or the groups
 */
export async function deleteAndProve(
  caller: Caller,
  groups: GroupIndex,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  guard?: DeletionGuard,
  policy?: MemberPolicy,
): Promise<Deletion> {
  const deleting = { caller, controlPlane, scope, guard };
  if (policy === undefined) return sendDelete(deleting);
  const removed: GroupMember[] = [];
  const onDetached: MemberPolicy["onDetached"] = (members) => {
    removed.push(...members);
    policy.onDetached(members);
  };
  try {
    return await deleteWithMembers({ ...deleting, groups, policy: { ...policy, onDetached } });
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || removed.length === 0) throw error;
    const isManaged = policy.isKnownGroup && removed.every(({ id }) => policy.detachable.has(id));
    throw addRemoved(error, removed.length, isManaged);
  }
}

async function deleteWithMembers(deleting: GroupDeleting): Promise<Deletion> {
  if (deleting.policy.isKnownGroup) {
    const gone = await deleting.guard?.check(false);
    const deletion = gone === undefined ? await detachKnown(deleting) : foundGone(gone.facts, false);
    if (deletion !== undefined) return deletion;
  }
  return sendDelete(deleting, (refused) => afterConflict(deleting, refused));
}

/**
 * Sends the DELETE. Every one that is sent follows a check of the guard that is fresh.
 *
 * @param onConflict default: a 409 is an error
 */
async function sendDelete(deleting: Deleting, onConflict?: OnConflict): Promise<Deletion> {
  const { caller, controlPlane, scope, guard } = deleting;
  const operation = deleteControlPlane(controlPlane.id);
  const precondition = guard && preconditionOf(guard);
  const ended = await caller.call(operation, controlPlane, scope, { purpose: "delete", precondition });
  return "outcome" in ended ? ended : conclude(deleting, ended, onConflict);
}

async function conclude(
  deleting: Deleting,
  { end, failed }: Ended<"deleted">,
  onConflict: OnConflict | undefined,
): Promise<Deletion> {
  switch (end.judgment.verdict) {
    case "done":
      return { outcome: "deleted", proof: 204, facts: factsOf(end) };
    case "gone":
      return foundGone(factsOf(end), end.mayHaveWorked);
    case "confirm":
      return confirm(deleting, failed);
    case "retry":
    case "stop":
      if (onConflict !== undefined && kindOf(end) === "conflict") return onConflict(failed);
      throw explainCall(failed);
  }
}

/** Settles a DELETE that was answered with a 2xx other than 204. */
async function confirm({ caller, controlPlane, scope }: Deleting, deletion: FailedCall): Promise<Deletion> {
  const { end, limits } = deletion;
  const isPending = end.answer.kind === "reply" && end.answer.status === 202;
  const budgetMs = Math.max(SHORTEST_CONFIRMATION_MS, limits.budgetMs - end.spentMs);
  const operation = confirmDeletion(controlPlane.id, isPending);
  const confirmation = await caller.call(operation, controlPlane, scope, {
    purpose: "delete",
    token: end.token,
    limits: { ...limits, budgetMs },
  });
  if (confirmation.end.judgment.verdict !== "gone") throw explainUnproven(deletion, confirmation.end);
  return { outcome: "deleted", proof: 404, facts: joinFacts(factsOf(end), factsOf(confirmation.end)) };
}

/** Describes a control plane that the service's own 404 proves to be gone. */
function foundGone(facts: CallFacts, mayHaveWorked: boolean): Deletion {
  return { outcome: mayHaveWorked ? "deleted" : "already gone", proof: 404, facts };
}

/**
 * Creates the precondition of the requests of a deletion: a fresh check. A check that finds the control plane gone ends the
 * call with that deletion.
 *
 * @param mayHaveWorkedAfter whether the control plane may be deleted after a request that ended like this
 */
function preconditionOf(
  { isFresh, check }: DeletionGuard,
  mayHaveWorkedAfter = (last: CallEnd<unknown> | undefined) => last?.mayHaveWorked === true,
): Precondition<Deletion> {
  return {
    isFresh,
    async check(last) {
      const mayHaveWorked = mayHaveWorkedAfter(last);
      let gone: Gone | undefined;
      try {
        gone = await check(mayHaveWorked, last?.attempts);
      } catch (error) {
        throw last === undefined || !(error instanceof ControlPlaneError) ? error : addFacts(error, last);
      }
      if (gone === undefined) return undefined;
      return foundGone(last === undefined ? gone.facts : joinFacts(factsOf(last), gone.facts), mayHaveWorked);
    },
  };
}

/** Adds the attempts that were made before a check failed. */
function addFacts(error: ControlPlaneError, last: CallEnd<unknown>): ControlPlaneError {
  const facts = error.facts === undefined ? factsOf(last) : joinFacts(factsOf(last), error.facts);
  return copyError(error, { facts });
}

/**
 * Removes the members of a group that the state knows.
 *
 * @returns the deletion, when the group is found gone
 * @throws ControlPlaneError if one must not be removed, or if that is unknown
 */
async function detachKnown(deleting: GroupDeleting): Promise<Deletion | undefined> {
  const { caller, controlPlane, scope, policy } = deleting;
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
  if (reading.outcome === "gone") return foundGone(reading.facts, false);
  const { members, facts } = reading;
  const [first, ...more] = membersThatStay(policy, members);
  if (first !== undefined) throw refuseMembers(controlPlane, [first, ...more], facts);
  return detach(deleting, members, false);
}

/**
 * Settles a 409: removes the members of the group, or waits until the groups that hold the control plane let it go, and
 * deletes it. Otherwise finds out what is in the way.
 *
 * @param isSecond whether the DELETE was sent again after a 409
 */
async function afterConflict(
  deleting: GroupDeleting,
  refused: FailedCall,
  isSecond = false,
): Promise<Deletion> {
  const { groups, controlPlane, scope, policy } = deleting;
  const members = await membersOf(deleting, refused);
  const [first, ...more] = members ?? [];
  if (members === undefined || first === undefined) {
    const found = await groups.find(controlPlane, scope);
    const progress = isSecond ? "held" : await awaitRelease(deleting, found);
    if (progress !== "free") {
      const isAwaited = progress === "not begun";
      throw explainHolders(refused, { ...found, knowsMembers: members !== undefined, isAwaited });
    }
  } else {
    const [kept, ...others] = membersThatStay(policy, members);
    if (kept !== undefined) throw explainMembers(refused, [kept, ...others]);
    if (isSecond) throw explainMembers(refused, [first, ...more]);
    const gone = await detach(deleting, members, refused.end.mayHaveWorked);
    if (gone !== undefined) return gone;
  }
  const { facts, ...rest } = await sendDelete(deleting, (again) => afterConflict(deleting, again, true));
  return { ...rest, facts: joinFacts(factsOf(refused.end), facts) };
}

/** Waits until the groups that hold the control plane let it go, as long as the run may do something about them. */
async function awaitRelease(
  { caller, scope, policy }: GroupDeleting,
  { groups }: GroupsFound,
): Promise<Exclude<HolderProgress, "pending">> {
  const ids = groups.map(({ id }) => id);
  for (;;) {
    const progress = policy.progressOf(ids, caller.nowMs());
    if (progress !== "pending") return progress;
    try {
      await caller.sleep(POLL_MS, scope.signal);
    } catch (error) {
      // The end of the run is not about the control plane. The 409 is.
      if (scope.signal.aborted) return "held";
      throw error;
    }
  }
}

/**
 * Returns the members of a control plane, or undefined if they cannot be read. One that is no group has none: the service
 * answers the request with 400.
 */
async function membersOf(
  { caller, controlPlane, scope, policy }: GroupDeleting,
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
 * @returns the deletion, when a check finds the group gone
 */
async function detach(
  { caller, controlPlane, scope, guard, policy }: GroupDeleting,
  members: readonly GroupMember[],
  mayBeDeleted: boolean,
): Promise<Deletion | undefined> {
  const precondition = guard && preconditionOf(guard, () => mayBeDeleted);
  const onChanged = (ids: readonly string[]) =>
    policy.onDetached(members.filter(({ id }) => ids.includes(id)));
  const ids = members.map(({ id }) => id);
  const change = { change: "remove", ids, purpose: "check", precondition, onChanged } as const;
  try {
    return await changeAllMembers(caller, controlPlane, change, scope);
  } catch (error) {
    // The DELETE that follows proves whether the group is gone.
    if (!(error instanceof ControlPlaneError) || error.kind !== "missing") throw error;
    return undefined;
  }
}
