import { safe, type SafeText } from "../text/safe-text.js";
import { type Caller, type CallOptions, type Ended, resultOf } from "./caller.js";
import { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall } from "./failure/explain-call.js";
import { contradiction, listAll, MAX_PAGES, REPEATED_PAGES } from "./listing.js";
import type { ControlPlaneDocument } from "./operations/control-plane-document.js";
import type { ControlPlaneRef } from "./operations/control-planes.js";
import {
  changeMembers,
  GROUP_TYPE,
  type GroupMember,
  listMembers,
  MAX_CHANGED_MEMBERS,
  type MemberChange,
} from "./operations/members.js";
import { type Gone, requireGone } from "./reading.js";
import { type CallFacts, type CallScope, factsOf, joinFacts, type Unneeded } from "./retry/call.js";

/** The members of a group that the token may see, or the proof that the group is gone. */
export type MemberReading = FoundMembers | Gone;

/** The members of a group that the token may see. */
export interface FoundMembers {
  readonly outcome: "found";
  readonly members: readonly GroupMember[];
  /** Those of the last request. */
  readonly facts: CallFacts;
}

/** Reads the members of a group. @throws ControlPlaneError if they are not known, and the group is not proven to be gone */
export async function readMembers(
  caller: Caller,
  group: ControlPlaneRef,
  scope: CallScope,
  options: CallOptions,
): Promise<MemberReading> {
  const members = new Map<string, GroupMember>();
  let total = 0;
  let after: string | undefined;
  for (let page = 1; ; page += 1) {
    const ended = await caller.call(listMembers(group.id, after), group, scope, options);
    if (ended.end.judgment.verdict === "gone") return requireGone(caller, group, scope, ended);
    const { items, next, total: counted } = resultOf(ended);
    const before = members.size;
    for (const member of items) members.set(member.id, member);
    total = Math.max(total, counted);
    if (next === undefined) {
      if (members.size < total) throw contradiction(ended, MISSING_MEMBERS);
      return { outcome: "found", members: [...members.values()], facts: factsOf(ended.end) };
    }
    const isStuck = members.size === before || next === after || page === MAX_PAGES;
    if (isStuck) throw contradiction(ended, REPEATED_PAGES);
    after = next;
  }
}

const MISSING_MEMBERS = safe`The pages hold fewer members than the total says, so not all of them are known.`;

/** How the members of a group change. */
export interface MembersChange<Found extends Unneeded = never> {
  readonly change: MemberChange;
  readonly ids: readonly string[];
  /** Those of them that were created moments ago, so that the service may not know them yet. Default: none. */
  readonly newIds?: ReadonlySet<string>;
  /** What a failure means for the group. */
  readonly purpose: CallOptions["purpose"];
  /** Replaces what a failure usually means for the group. */
  readonly outcome?: CallOptions["outcome"];
  /** Condition for the start of an attempt. Default: none. */
  readonly precondition?: CallOptions<Found>["precondition"];
  /** Is called with the ids of each request that is proven to have worked. */
  readonly onChanged?: (ids: readonly string[], facts: CallFacts) => void;
  /** Is called with the ids of a request that may have worked or not, before it is an error. */
  readonly onUnclear?: (ids: readonly string[]) => void;
}

/**
 * Adds members to a group or removes them, as many with each request as the service allows.
 *
 * @returns what the precondition found, when that made a request unnecessary. The requests after it are not sent.
 * @throws ControlPlaneError if a request is not proven to have worked. The requests after it are not sent.
 */
export async function changeAllMembers<Found extends Unneeded = never>(
  caller: Caller,
  group: ControlPlaneRef,
  { ids, onChanged, ...change }: MembersChange<Found>,
  scope: CallScope,
): Promise<Found | undefined> {
  for (let start = 0; start < ids.length; start += MAX_CHANGED_MEMBERS) {
    const part = ids.slice(start, start + MAX_CHANGED_MEMBERS);
    const changed = await changePart(caller, group, { ...change, ids: part }, scope);
    if ("outcome" in changed) return changed;
    onChanged?.(part, changed);
  }
  return undefined;
}

async function changePart<Found extends Unneeded>(
  caller: Caller,
  group: ControlPlaneRef,
  { change, ids, newIds = new Set(), onUnclear, ...options }: MembersChange<Found>,
  scope: CallScope,
): Promise<CallFacts | Found> {
  const reason = describeChange(change, ids.length);
  const operation = changeMembers(group.id, change, ids, newIds);
  const ended = await caller.call(operation, group, scope, { ...options, reason });
  if ("outcome" in ended) return ended;
  const { end, failed } = ended;
  switch (end.judgment.verdict) {
    case "done":
      return factsOf(end);
    case "gone":
      throw explainCall({ ...failed, kind: "missing" });
    case "confirm":
    case "stop":
    case "retry": {
      // An attempt without a clear answer may have worked, and the service may refuse to do the same again.
      const facts = end.mayHaveWorked
        ? await provenBy(caller, group, { change, ids }, scope, ended)
        : undefined;
      if (facts !== undefined) return facts;
      if (end.mayHaveWorked) onUnclear?.(ids);
      throw explainCall({ ...failed, next: nextAfter(ended) });
    }
  }
}

/** A change that used up the budget is still confirmed, if one request can do it in this time. */
const SHORTEST_PROOF_MS = 1_000;

/** Returns the facts of a change that the members of the group prove. Returns undefined if they do not prove it. */
async function provenBy(
  caller: Caller,
  group: ControlPlaneRef,
  { change, ids }: Pick<MembersChange, "change" | "ids">,
  scope: CallScope,
  { end, failed }: Ended<unknown>,
): Promise<CallFacts | undefined> {
  if (end.stop === "interrupted") return undefined;
  const { purpose, limits } = failed;
  const budgetMs = Math.max(SHORTEST_PROOF_MS, limits.budgetMs - end.spentMs);
  try {
    const reading = await readMembers(caller, group, scope, { purpose, limits: { ...limits, budgetMs } });
    if (reading.outcome === "gone") return undefined;
    const present = new Set(reading.members.map(({ id }) => id));
    const isDone = ids.every((id) => present.has(id) === (change === "add"));
    return isDone ? joinFacts(factsOf(end), reading.facts) : undefined;
  } catch (error) {
    // The failure of the change says more than that of the look-up.
    if (error instanceof ControlPlaneError) return undefined;
    throw error;
  }
}

function describeChange(change: MemberChange, count: number): SafeText {
  const members = count === 1 ? safe`1 member` : safe`${count} members`;
  return change === "add"
    ? safe`The request adds ${members} to the group.`
    : safe`The request removes ${members} from the group.`;
}

/** The usual next step after a conflict speaks of a name. */
function nextAfter({ end }: Ended<unknown>): SafeText | undefined {
  return end.judgment.row.failure === "conflict"
    ? safe`remove what the service names as the obstacle, then run again`
    : undefined;
}

/** The groups that hold a control plane, as far as the token may see them. */
export interface GroupsFound {
  readonly groups: readonly ControlPlaneDocument[];
  /** Whether all groups could be asked for their members. */
  readonly isComplete: boolean;
}

/** Reads the members of at most this many groups. */
const MOST_GROUPS = 50;

/** A look-up that only explains a failure must not hold it up for long. */
const LOOK_UP_MS = 10_000;

/** Many members of one group fail at about the same time, and one look-up serves them all. */
const KEPT_MS = 10_000;

/** What the groups at one address hold. */
interface Look {
  readonly startedMs: number;
  readonly memberships: Promise<Memberships>;
}

interface Memberships {
  readonly groupsOf: ReadonlyMap<string, readonly ControlPlaneDocument[]>;
  readonly isComplete: boolean;
}

const UNKNOWN: Memberships = { groupsOf: new Map(), isComplete: false };

/** Finds the groups that hold a control plane. The service has no operation for that, so all groups are read. */
export class GroupIndex {
  readonly #looks = new Map<string, Look>();

  constructor(private readonly caller: Caller) {}

  /** Finds the groups of a control plane. Makes one attempt of each call. Never rejects because a call fails. */
  async find({ id, address }: ControlPlaneRef, scope: CallScope): Promise<GroupsFound> {
    const { groupsOf, isComplete } = await this.#look(address, scope).memberships;
    return { groups: groupsOf.get(id) ?? [], isComplete };
  }

  #look(address: string, scope: CallScope): Look {
    const before = this.#looks.get(address);
    const nowMs = this.caller.nowMs();
    if (before !== undefined && nowMs - before.startedMs <= KEPT_MS) return before;
    const look = { startedMs: nowMs, memberships: readGroups(this.caller, address, scope) };
    this.#looks.set(address, look);
    return look;
  }
}

function readGroups(caller: Caller, address: string, scope: CallScope): Promise<Memberships> {
  const work = caller.within(LOOK_UP_MS, scope, async (once, limits) => {
    const filter = { clusterType: GROUP_TYPE };
    const listed = await listAll(caller, address, filter, once, { purpose: "list", limits });
    // A service that ignores the filter lists others, too.
    const groups = listed.controlPlanes.filter(({ clusterType = GROUP_TYPE }) => clusterType === GROUP_TYPE);
    const groupsOf = new Map<string, readonly ControlPlaneDocument[]>();
    const read = groups.slice(0, MOST_GROUPS).map(async (group) => {
      const ref = { id: group.id, address, name: group.name };
      const reading = await readMembers(caller, ref, once, { purpose: "read", limits });
      if (reading.outcome === "gone") return;
      for (const { id } of reading.members) groupsOf.set(id, [...(groupsOf.get(id) ?? []), group]);
    });
    const ends = await Promise.all(read.map(isSettled));
    return { groupsOf, isComplete: groups.length <= MOST_GROUPS && ends.every(Boolean) };
  });
  return work.catch((error: unknown) => {
    if (error instanceof ControlPlaneError) return UNKNOWN;
    throw error;
  });
}

/** Returns whether work succeeds. A failure of the service is no defect. */
async function isSettled(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ControlPlaneError) return false;
    throw error;
  }
}
