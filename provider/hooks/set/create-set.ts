import type { Created } from "../results.js";
import type { HookContext } from "../context.js";
import { requireSettings } from "../require-settings.js";
import type { Properties } from "../../state/recorded-fields.js";
import { adoptMembers } from "./adopt-members.js";
import { requireSet } from "./set-arguments.js";
import { requireForMembers, withSet } from "./with-set.js";
import { encodeSet } from "../../state/set-codec.js";

/** A set has no id in the service, and Pulumi needs one. Its address may be a secret, and ids are never encrypted. */
const ID = "control-plane-set";

/** Adopts the control planes of a new set. Nothing is written to the service. */
export async function createSet(context: HookContext, inputs: Properties): Promise<Created> {
  const { ids, address, guards } = requireSet(inputs, context.settings, "adopt");
  const refs = ids.map((id) => ({ id, address }));
  requireForMembers(context, "adopt", refs, () => requireSettings(context.settings, "adopt", { address }));
  const { ledger, emit, urn } = context;
  ledger.declare(urn, { kind: "set", ids, address });
  if (ids.length === 0) emit({ type: "set is empty" });
  const members = await withSet(context, "adopt", ids, () => adoptMembers(context, address, ids));
  ledger.hold(urn, address, ids, "create");
  return { id: ID, outs: encodeSet({ address, members, guards }) };
}
