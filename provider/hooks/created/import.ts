import { settingsError } from "../../service/failure/control-plane-error.js";
import { type ControlPlaneDocument, withoutMark } from "../../service/operations/control-plane-document.js";
import { describeControlPlane } from "../../service/operations/control-planes.js";
import { encodeCreation } from "../../state/created-codec.js";
import type { Properties } from "../../state/recorded-fields.js";
import {
  type CreatedControlPlane,
  decodeControlPlane,
  encodeState,
  isCreated,
  type RecordedControlPlane,
  requireUsable,
} from "../../state/state-codec.js";
import { renderMessage } from "../../text/message.js";
import { joinSafe, safe, type SafeText } from "../../text/safe-text.js";
import { adoptControlPlane, diffAdopted } from "../adopted.js";
import { isCreation, parseArguments, requireControlPlane } from "../arguments/arguments.js";
import { parseCreation } from "../arguments/creation-arguments.js";
import { declarationOf } from "../check.js";
import {
  type DiffResult,
  type HookContext,
  type ReadResult,
  reportFailure,
  requireSettings,
  type Updated,
} from "../context.js";
import { declaredTwice } from "../custody.js";
import { updateCreated } from "./create-and-update.js";
import { planChange } from "./diff.js";

// Pulumi records an import before the program says what it is, and keeps the record when the program is refused. So an
// import is recorded like a reference, which nothing deletes. The next `diff` compares it with the program, and the
// `update` after it records what it is from then on: adopted or managed.

/** Reads a control plane that is to be imported. Returns the arguments that manage it as it is. */
export function importControlPlane(context: HookContext, id: string): Promise<ReadResult> {
  const { client, deletions, settings, emit, urn } = context;
  return reportFailure(context, {
    purpose: "look up",
    id,
    find() {
      if (settings.address === undefined) throw withoutAddress(settings.namespace);
      return requireControlPlane({ controlPlaneId: id }, settings, "look up");
    },
    async run(controlPlane) {
      deletions.noteImport(urn);
      requireSettings(settings, "look up", controlPlane);
      const { controlPlane: document, facts } = await client.findControlPlane(
        controlPlane,
        context,
        "look up",
      );
      const { name } = document;
      emit({ type: "found", controlPlane: { ...controlPlane, name }, facts });
      const props = encodeState({ baseUrl: controlPlane.address, name, origin: "external" });
      return { id: controlPlane.id, props, inputs: argumentsOf(document) };
    },
  });
}

/** Pulumi passes no arguments to an import. */
function withoutAddress(namespace: SafeText) {
  return settingsError(
    safe`An import reads with the settings of the provider, and none of them names an address: set ${namespace}:region or KONNECT_REGION, then run again`,
  );
}

/** Returns the arguments that create a control plane like this one. Empty ones are left out. */
function argumentsOf(document: ControlPlaneDocument): Properties {
  const { name, description = "", clusterType, authType, cloudGateway = false, proxyUrls = [] } = document;
  const labels = withoutMark(document.labels);
  const all = {
    name,
    ...(description !== "" && { description }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(clusterType !== undefined && { clusterType }),
    ...(authType !== undefined && { authType }),
    ...(cloudGateway && { cloudGateway }),
    ...(proxyUrls.length > 0 && { proxyUrls }),
  };
  // What the checks would refuse is left out, so the program does not manage it.
  const refused = parseCreation(all).invalid.map(({ field = "" }) => /^\w*/.exec(field)?.[0]);
  return Object.fromEntries(
    Object.entries(all).filter(([argument]) => argument === "name" || !refused.includes(argument)),
  );
}

/**
 * Compares an imported control plane with the program, which says for the first time what it is.
 *
 * @throws ControlPlaneError when the arguments describe another control plane, or one that would have to be replaced
 */
export async function diffImported(
  context: HookContext,
  recorded: RecordedControlPlane,
  inputs: Properties,
): Promise<DiffResult> {
  const { ledger, refreshes, settings, urn } = context;
  const { ref } = requireUsable(recorded);
  const hasChanged = refreshes.take(urn, ref.id);
  if (hasChanged !== undefined) return { changes: hasChanged };
  if (!isCreation(inputs)) {
    const { changes } = await diffAdopted(context, recorded, inputs);
    return changes === undefined ? {} : { changes: true };
  }
  const wanted = parseArguments(inputs, settings);
  ledger.compare(urn, declarationOf(wanted));
  const [rival] = ledger.rivals(urn, [ref.id]);
  if (rival !== undefined) throw declaredTwice(ref, urn, rival.by);
  const plan = planChange(ref, await asCreated(context, recorded), inputs, wanted);
  if (plan.replacements.length > 0) {
    const texts = plan.replacements.map(({ text }) => text);
    throw refuseToImport(
      recorded,
      safe`The arguments ask for what cannot be changed in place: ${joinSafe(texts, ", ")}.`,
    );
  }
  ledger.hold(urn, ref.address, [ref.id], "diff");
  return { changes: true };
}

/** Records what an imported control plane is from now on. One that is managed becomes what the program describes. */
export async function updateImported(
  context: HookContext,
  recorded: RecordedControlPlane,
  inputs: Properties,
): Promise<Updated> {
  if (isCreation(inputs)) return updateCreated(context, await asCreated(context, recorded), inputs);
  // It was found at the recorded address, whatever the settings say now.
  const { baseUrl } = recorded.outputs;
  const { outs } = await adoptControlPlane(context, { ...inputs, region: undefined, baseUrl });
  return { outs };
}

/** Reads an imported control plane, and describes it as one that its resource has created. */
async function asCreated(context: HookContext, recorded: RecordedControlPlane): Promise<CreatedControlPlane> {
  const { ref } = requireUsable(recorded);
  const { controlPlane: document } = await context.client.findControlPlane(ref, context, "look up");
  const outputs = encodeCreation({ baseUrl: ref.address, document, guards: {}, given: [], asked: {} });
  const created = decodeControlPlane(ref.id, outputs);
  if (!isCreated(created)) throw new Error("what was encoded as created is decoded as something else");
  return created;
}

function refuseToImport(recorded: RecordedControlPlane, why: SafeText) {
  const { idAsRecorded: id, name } = recorded;
  const subject = describeControlPlane({ id, name });
  const message = renderMessage({
    headline: safe`Refused: ${subject} cannot be imported with these arguments`,
    explanation: [why, safe`A replacement would delete it.`],
    rows: [
      [safe`next`, safe`correct the arguments, or give controlPlaneId to adopt it as it is, then run again`],
      [safe`let go`, safe`pulumi state delete; nothing is deleted`],
    ],
  });
  return settingsError(message, { subject, summary: safe`refused, the import does not match` });
}
