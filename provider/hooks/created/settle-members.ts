import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import type { HookContext } from "../context.js";
import type { LaterStep } from "./later-steps.js";
import type { MembersPlan } from "./members-plan.js";

type Member = Pick<ControlPlaneRef, "id" | "name">;

/**
 * Makes the members of a group those that the program gives. Adds none that is there. Removes only what the state records:
 * what somebody else added is removed after a refresh has shown it. Removals come first, because a group has a largest
 * size.
 */
export const settleMembers: LaterStep = async (context, { controlPlane, members }, note) => {
  if (members?.isChanged !== true) return;
  const { before, wanted, follows } = members;
  const outcome = follows && ((mayHaveWorked: boolean) => outcomeAfter(follows, mayHaveWorked));
  const about = { purpose: "update", outcome } as const;
  const reason = safe`Its members could not be read.`;
  const reading = await context.client.readMembers(controlPlane, context, { ...about, reason });
  // A group that is gone answers the changes below with its 404.
  const found: readonly Member[] = reading.outcome === "gone" ? [] : reading.members;
  const present = new Set(found.map(({ id }) => id));
  const recorded = [...before.ids, ...before.attempted];
  const known = new Set([...recorded, ...wanted].filter((id) => present.has(id)));
  const attempted = new Set(before.attempted.filter((id) => !present.has(id)));
  // The program may give a foreign member only because ignoreChanges repeats what a refresh has shown.
  const foreign = before.foreign.filter((id) => present.has(id));
  const noteKnown = () =>
    note({
      members: {
        ids: [...known],
        foreign: foreign.filter((id) => known.has(id)),
        attempted: [...attempted],
      },
    });
  noteKnown();
  const removed = [...new Set(recorded)].filter((id) => present.has(id) && !wanted.includes(id));
  const added = wanted.filter((id) => !present.has(id));
  for (const [change, ids] of [["remove", removed] as const, ["add", added] as const]) {
    const newIds = new Set(ids.filter((id) => context.memory.createdAtMs(id) !== undefined));
    await context.client.changeMembers(
      asNewAs(context, controlPlane, newIds),
      {
        ...{ ...about, change, ids, newIds },
        onChanged(part, facts) {
          for (const id of part) {
            if (change === "add") known.add(id);
            else known.delete(id);
          }
          note({ facts });
          noteKnown();
          if (change === "remove") sayRemoved(context, controlPlane, part, found);
        },
        onUnclear(part) {
          if (change === "add") for (const id of part) attempted.add(id);
          noteKnown();
        },
      },
      context,
    );
  }
  note({ members: { ids: wanted, foreign: foreign.filter((id) => known.has(id)), attempted: [] } });
};

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
        ? safe`was created, but its members may be added or not`
        : safe`was created, but its members were not added`;
    case "change":
      return mayHaveWorked
        ? safe`was changed, but its members may be changed or not`
        : safe`was changed, but its members were not`;
  }
}

/** Returns the group as new as its newest new member: the service may not know that one everywhere yet. */
function asNewAs(
  { memory }: HookContext,
  group: ControlPlaneRef,
  newIds: ReadonlySet<string>,
): ControlPlaneRef {
  if (newIds.size === 0) return group;
  const times = [...newIds].map((id) => memory.createdAtMs(id) ?? 0);
  return { ...group, createdAtMs: Math.max(group.createdAtMs ?? 0, ...times) };
}
