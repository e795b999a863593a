import type { Caller } from "./caller.js";
import { ControlPlaneError } from "./failure/control-plane-error.js";
import { listAll } from "./listing.js";
import { readMembers } from "./membership.js";
import type { ControlPlaneDocument } from "./operations/control-plane-document.js";
import type { ControlPlaneRef } from "./operations/control-plane-ref.js";
import { GROUP_TYPE } from "./operations/change-members.js";
import type { CallScope } from "./retry/call.js";

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
