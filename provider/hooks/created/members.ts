import type { CallFacts } from "../../service/retry/call.js";
import type { MemberChange } from "../../service/operations/members.js";
import type { ControlPlaneRef } from "../../service/operations/control-planes.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import type { CreationArguments } from "../arguments/creation-arguments.js";
import type { HookContext } from "../context.js";
import type { RecordedCreation } from "../../state/created-codec.js";
import {
  haveSameMembers,
  NO_MEMBERS,
  ownMembers,
  type RecordedMembers,
} from "../../state/recorded-fields.js";

/** The members of a group as the state records them, and as they shall be. */
export interface MembersPlan {
  readonly before: RecordedMembers;
  readonly wanted: readonly string[];
  /** Whether there is something to do. */
  readonly isChanged: boolean;
  /** What was sent before the members change. Default: no request. */
  readonly follows?: "creation" | "change";
}

/**
 * Compares the members that the state records with those of the program. Returns undefined if the resource does not
 * manage them, or when they are not known yet. When the program no longer gives members, those that the resource added are
 * removed.
 *
 * @param given names of the arguments that the program gives
 */
export function planMembers(
  state: Pick<RecordedCreation, "members" | "given">,
  creation: CreationArguments | undefined,
  given: readonly string[],
): MembersPlan | undefined {
  const isGiven = given.includes("members");
  const wasGiven = state.given.includes("members");
  const { members: before = NO_MEMBERS } = state;
  if (!isGiven) {
    if (!wasGiven) return undefined;
    return { before: { ...before, ids: ownMembers(before), foreign: [] }, wanted: [], isChanged: true };
  }
  if (creation?.members === undefined) return undefined;
  const { members: wanted } = creation;
  const isSettled = wasGiven && before.attempted.length === 0;
  return { before, wanted, isChanged: !isSettled || !haveSameMembers(before.ids, wanted) };
}

/** Returns the plan for the members of a group that was created just now. */
export function planFirstMembers(wanted: readonly string[] | undefined): MembersPlan | undefined {
  return wanted === undefined
    ? undefined
    : { before: NO_MEMBERS, wanted, isChanged: true, follows: "creation" };
}

/** What a change of the members has reached, also when it fails later. */
export interface MembersReached {
  /** The known members of the group. */
  readonly members: RecordedMembers;
  /** The last request that changed something. */
  readonly facts?: CallFacts;
}

type Member = Pick<ControlPlaneRef, "id" | "name">;

/**
 * Makes the members of a group those that the program gives. Adds none that is there. Removes only what the state records:
 * what another person or program added is removed after a refresh has shown it. Removals come first, because a group has a largest
 * size.
 *
 * @param note is called with what is reached as soon as it is proven
 * @throws ControlPlaneError if a change fails
 */
export async function finishMembers(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  plan: MembersPlan,
  note: (reached: MembersReached) => void,
): Promise<void> {
  if (!plan.isChanged) return;
  const { wanted, follows } = plan;
  const outcome = follows && ((mayHaveWorked: boolean) => outcomeAfter(follows, mayHaveWorked));
  const about = { purpose: "update", outcome } as const;
  const reason = safe`Its members could not be read.`;
  const reading = await context.client.readMembers(controlPlane, context, { ...about, reason });
  // A group that is gone answers the changes below with its 404.
  const found: readonly Member[] = reading.outcome === "gone" ? [] : reading.members;
  const present = new Set(found.map(({ id }) => id));
  const progress = new Progress(plan, present);
  const noteProgress = () => note({ members: progress.members });
  noteProgress();
  const removed = progress.members.ids.filter((id) => !wanted.includes(id));
  const added = wanted.filter((id) => !present.has(id));
  for (const [change, ids] of [["remove", removed] as const, ["add", added] as const]) {
    const newIds = new Set(ids.filter((id) => context.ledger.createdAtMs(id) !== undefined));
    await context.client.changeMembers(
      asNewAs(context, controlPlane, newIds),
      {
        ...about,
        change,
        ids,
        newIds,
        onChanged(part, facts) {
          progress.noteChanged(change, part);
          note({ members: progress.members, facts });
          if (change === "remove") sayRemoved(context, controlPlane, part, found);
        },
        onUnclear(part) {
          progress.noteUnclear(change, part);
          noteProgress();
        },
      },
      context,
    );
  }
  note({ members: { ...progress.members, ids: wanted, attempted: [] } });
}

/** The members of a group that are known while they change. */
class Progress {
  readonly #ids: Set<string>;
  readonly #attempted: Set<string>;
  readonly #foreign: readonly string[];

  constructor({ before, wanted }: MembersPlan, present: ReadonlySet<string>) {
    const recorded = [...before.ids, ...before.attempted, ...wanted];
    this.#ids = new Set(recorded.filter((id) => present.has(id)));
    this.#attempted = new Set(before.attempted.filter((id) => !present.has(id)));
    // The program may give a foreign member only because ignoreChanges repeats what a refresh has shown.
    this.#foreign = before.foreign.filter((id) => present.has(id));
  }

  get members(): RecordedMembers {
    const foreign = this.#foreign.filter((id) => this.#ids.has(id));
    return { ids: [...this.#ids], foreign, attempted: [...this.#attempted] };
  }

  noteChanged(change: MemberChange, ids: readonly string[]): void {
    for (const id of ids) {
      if (change === "add") this.#ids.add(id);
      else this.#ids.delete(id);
    }
  }

  /** A removal without a clear answer leaves what is recorded. */
  noteUnclear(change: MemberChange, ids: readonly string[]): void {
    if (change === "add") for (const id of ids) this.#attempted.add(id);
  }
}

function sayRemoved(
  { emit }: HookContext,
  controlPlane: ControlPlaneRef,
  ids: readonly string[],
  found: readonly Member[],
): void {
  const members = found.filter(({ id }) => ids.includes(id));
  emit({ type: "members detached", controlPlane, members, purpose: "update" });
}

/** Returns what a failure means for the group, when a request before it has worked. */
function outcomeAfter(follows: NonNullable<MembersPlan["follows"]>, mayHaveWorked: boolean): SafeText {
  switch (follows) {
    case "creation":
      return mayHaveWorked
        ? safe`was created, but its members may or may not have been added`
        : safe`was created, but its members were not added`;
    case "change":
      return mayHaveWorked
        ? safe`was changed, but its members may or may not have been changed`
        : safe`was changed, but its members were not`;
  }
}

/** Returns the group as new as its newest new member: the service may not know that one everywhere yet. */
function asNewAs(
  { ledger }: HookContext,
  group: ControlPlaneRef,
  newIds: ReadonlySet<string>,
): ControlPlaneRef {
  if (newIds.size === 0) return group;
  const times = [...newIds].map((id) => ledger.createdAtMs(id) ?? 0);
  return { ...group, createdAtMs: Math.max(group.createdAtMs ?? 0, ...times) };
}
