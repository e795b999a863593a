import type { HookContext } from "../context.js";
import { requireSettings } from "../require-settings.js";
import { type Properties, withoutGuards } from "../../state/recorded-fields.js";
import type { Updated } from "../results.js";
import { adoptMembers } from "./adopt-members.js";
import { requireSet } from "./set-arguments.js";
import { requireForMembers, withSet } from "./with-set.js";
import { decodeSet, encodeSet, memberRef, requireUsableSet } from "../../state/set-codec.js";

/** Adopts what is new in the list, lets go what has left it, and records the guards. Nothing is deleted. */
export async function updateSet(
  context: HookContext,
  outputs: Properties,
  inputs: Properties,
): Promise<Updated> {
  const { address: before, members } = requireUsableSet(decodeSet(outputs));
  const wanted = requireSet(inputs, context.settings, "adopt");
  const { ids, guards } = wanted;
  // A set without members can move, because nothing would be deleted.
  const address = members.length === 0 ? wanted.address : before;
  const recorded = new Map(members.map((member) => [member.id, member]));
  const newIds = ids.filter((id) => !recorded.has(id));
  const refs = newIds.map((id) => ({ id, address }));
  requireForMembers(context, "adopt", refs, () => requireSettings(context.settings, "adopt", { address }));
  return withSet(context, "adopt", [...recorded.keys(), ...newIds], async () => {
    const added = await adoptMembers(context, address, newIds);
    context.ledger.hold(context.urn, address, newIds, "diff");
    const listed = new Set(ids);
    for (const member of members.filter(({ id }) => !listed.has(id))) {
      context.emit({ type: "let go", controlPlane: memberRef(member, address) });
    }
    if (ids.length === 0) context.emit({ type: "set is empty" });
    const all = new Map([...recorded, ...added.map((member) => [member.id, member] as const)]);
    const kept = ids.flatMap((id) => all.get(id) ?? []);
    return { outs: encodeSet({ address, members: kept, guards }, withoutGuards(outputs)) };
  });
}
