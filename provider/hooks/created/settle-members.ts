import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { safe } from "../../text/safe-text.js";
import type { HookContext } from "../context.js";
import type { LaterStep } from "./later-steps.js";

/**
 * Makes the members of a group those that the program gives. Adds none that is there. Removes only what the state records:
 * what somebody else added is removed after a refresh has shown it. Removals come first, because a group has a largest
 * size.
 */
export const settleMembers: LaterStep = async (context, { controlPlane, members }, note) => {
  if (members?.isChanged !== true) return;
  const { before, wanted } = members;
  const reason = safe`Its members could not be read.`;
  const reading = await context.client.readMembers(controlPlane, context, { purpose: "update", reason });
  // A group that is gone answers the changes below with its 404.
  const present = new Set(reading.outcome === "gone" ? [] : reading.members.map(({ id }) => id));
  const known = new Set([...before.ids, ...wanted].filter((id) => present.has(id)));
  const isForeign = (id: string) => before.foreign.includes(id) && !wanted.includes(id);
  const noteKnown = () => note({ members: { ids: [...known], foreign: [...known].filter(isForeign) } });
  noteKnown();
  const removed = before.ids.filter((id) => present.has(id) && !wanted.includes(id));
  const added = wanted.filter((id) => !present.has(id));
  for (const [change, ids] of [["remove", removed] as const, ["add", added] as const]) {
    const newIds = new Set(ids.filter((id) => context.memory.createdAtMs(id) !== undefined));
    await context.client.changeMembers(
      asNewAs(context, controlPlane, newIds),
      {
        ...{ change, ids, newIds, purpose: "update" },
        onChanged(part, facts) {
          for (const id of part) {
            if (change === "add") known.add(id);
            else known.delete(id);
          }
          note({ facts });
          noteKnown();
        },
      },
      context,
    );
  }
  note({ members: { ids: wanted, foreign: [] } });
};

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
