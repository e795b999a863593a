import type { NewControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { type RequiredCreation, requireCreation } from "../arguments/arguments.js";
import type { HookContext } from "../context.js";
import { declaredTwice } from "../custody.js";
import type { Created } from "../results.js";
import { reportFailure } from "../report-failure.js";
import { requireSettings } from "../require-settings.js";
import { askedInVain, encodeCreation, givenArguments } from "../../state/created-codec.js";
import type { Properties } from "../../state/recorded-fields.js";
import { problemOf } from "../../state/stored-problem.js";
import { finish } from "./later-steps.js";
import { planFirstMembers } from "./members.js";

/**
 * Creates the control plane that the arguments describe. Once its id is known it is recorded, even when a later step
 * fails.
 */
export function createNew(context: HookContext, inputs: Properties): Promise<Created> {
  const { settings } = context;
  let required: RequiredCreation | undefined;
  return reportFailure<Created, NewControlPlaneRef>(context, {
    purpose: "create",
    id: "",
    find() {
      required = requireCreation(inputs, settings);
      return { address: required.address, name: required.wanted.name };
    },
    async run(subject) {
      requireSettings(settings, "create", subject);
      return make(context, inputs, required ?? requireCreation(inputs, settings));
    },
  });
}

async function make(
  context: HookContext,
  inputs: Properties,
  { address, wanted, members: wantedMembers, guards }: RequiredCreation,
): Promise<Created> {
  const { client, ledger, emit, randomId, urn } = context;
  const [rival] = ledger.declare(urn, { kind: "created", address, name: wanted.name });
  if (rival !== undefined) throw declaredTwice({ address, name: wanted.name }, urn, rival.by);
  const {
    controlPlane: created,
    isFoundByMark,
    facts,
  } = await client.createControlPlane(address, wanted, randomId(), context);
  const { id, name, createdAtMs } = created;
  const controlPlane = { id, address, name, createdAtMs };
  ledger.hold(urn, address, [id], "create");
  if (createdAtMs !== undefined) ledger.noteCreated(id, createdAtMs);
  const { document, members, unfinished } = await finish(context, {
    controlPlane,
    wanted,
    document: created,
    members: planFirstMembers(wantedMembers),
  });
  const outs = encodeCreation({
    baseUrl: address,
    document,
    guards,
    members,
    given: givenArguments(inputs),
    asked: askedInVain(wanted, document),
    lastProblem: problemOf(unfinished),
  });
  if (unfinished !== undefined) {
    emit({ type: "failed", purpose: "create", controlPlane, error: unfinished });
    return { id, outs, unfinished };
  }
  emit({ type: "created", controlPlane, isFoundByMark, facts });
  return { id, outs };
}
