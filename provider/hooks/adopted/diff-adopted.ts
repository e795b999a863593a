import { isDeepStrictEqual } from "node:util";
import { type ControlPlaneError, settingsError } from "../../service/failure/control-plane-error.js";
import { type ControlPlaneRef, describeControlPlane } from "../../service/operations/control-plane-ref.js";
import { renderMessage } from "../../text/message.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import { parseArguments } from "../arguments/arguments.js";
import type { HookContext } from "../context.js";
import type { DiffResult } from "../results.js";
import { encodeGuards, guardsAsRecorded, isUnknown, type Properties } from "../../state/recorded-fields.js";
import { describeLoss } from "../describe-loss.js";
import { declaredTwice } from "../custody.js";
import { recordedControlPlane } from "../../state/state-codec.js";

/**
 * Compares the recorded control plane with the one that the program names.
 *
 * Nothing about an adopted control plane can be changed but its guards, and another id or address would delete the
 * recorded one. The preview refuses that here. An address counts only when it is an argument; one from the settings was used once, when
 * the control plane was adopted.
 */
export async function diffAdopted(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<DiffResult> {
  if ([inputs.controlPlaneId, inputs.region, inputs.baseUrl].some(isUnknown)) return {};
  const { ledger, refreshes, settings, emit, urn } = context;
  const recorded = recordedControlPlane(id, outputs);
  // A refresh compares what it has just read. It shows nothing of the program.
  const hasChanged = refreshes.take(urn, recorded.id);
  if (hasChanged !== undefined) return { changes: hasChanged };
  const wanted = parseArguments(inputs, settings);
  const changed = [
    ...change(safe`controlPlaneId`, recorded.id, wanted.id),
    ...(wanted.hasAddress ? change(safe`address`, recorded.address, wanted.address) : []),
  ];
  if (changed.length > 0) throw await refuseToReplace(context, recorded, changed);
  if (!wanted.hasAddress && wanted.address !== recorded.address && ledger.isDeclared(urn)) {
    emit({ type: "recorded address differs", controlPlane: recorded, inSettings: wanted.address });
  }
  const [rival] = ledger.rivals(urn, [recorded.id]);
  if (rival !== undefined) throw declaredTwice(recorded, urn, rival.by);
  ledger.hold(urn, recorded.address, [recorded.id], "diff");
  if (wanted.guards === undefined) return {};
  return { changes: !isDeepStrictEqual(encodeGuards(wanted.guards), guardsAsRecorded(outputs)) };
}

function change(what: SafeText, before: string, now: string | undefined): readonly SafeText[] {
  if (before === now) return [];
  return [safe`${what} from ${safeText(before, 200)} to ${safeText(now ?? "an invalid value", 200)}`];
}

async function refuseToReplace(
  context: HookContext,
  lost: ControlPlaneRef,
  changed: readonly SafeText[],
): Promise<ControlPlaneError> {
  const subject = describeControlPlane(lost);
  const urn =
    context.urn === undefined
      ? safe`<urn> (pulumi stack --show-urns lists it)`
      : safe`'${safeText(context.urn, 300)}'`;
  const message = renderMessage({
    headline: safe`Refused: ${subject} would be deleted by this change`,
    explanation: await describeLoss(context, lost),
    rows: [
      ...changed.map((text) => [safe`changed`, text] as const),
      [
        safe`delete`,
        safe`remove the resource from the program; declare the other one under a new resource name`,
      ],
      [safe`keep`, safe`pulumi state delete ${urn}, then run again; nothing is deleted`],
    ],
  });
  return settingsError(message, { subject, summary: safe`refused, this change would delete it` });
}
