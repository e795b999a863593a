import { isDeepStrictEqual } from "node:util";
import type { OutcomeEvent } from "../report/outcome-event.js";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import type { Labels } from "../service/operations/control-plane-document.js";
import { type ControlPlaneRef, describeControlPlane } from "../service/operations/control-planes.js";
import {
  encodeGuards,
  type Guards,
  guardsAsRecorded,
  isUnknown,
  type Properties,
  toStoredProblem,
  withoutGuards,
} from "../state/recorded-fields.js";
import { encodeState, type RecordedControlPlane, requireUsable } from "../state/state-codec.js";
import { renderMessage } from "../text/message.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { parseGuards } from "./arguments/argument-parts.js";
import { parseArguments, requireControlPlane } from "./arguments/arguments.js";
import { declarationOf } from "./check.js";
import { warnOfGuards } from "./check-guards.js";
import {
  type Created,
  type DiffResult,
  type HookContext,
  reportFailure,
  requireSettings,
  type Updated,
} from "./context.js";
import { declaredTwice, describeLoss } from "./custody.js";

/**
 * Adopts an existing control plane. It is read, so that a mistyped id is found now and not taken for "already gone" in a
 * destroy. The service is not changed.
 */
export function adoptControlPlane(context: HookContext, inputs: Properties): Promise<Created> {
  const { settings, ledger, emit, urn } = context;
  return reportFailure(context, {
    purpose: "adopt",
    id: typeof inputs.controlPlaneId === "string" ? inputs.controlPlaneId : "",
    find: () => requireControlPlane(inputs, settings, "adopt"),
    async run(controlPlane) {
      requireSettings(settings, "adopt", controlPlane);
      const { id, address } = controlPlane;
      const [rival] = ledger.declare(urn, { kind: "adopted", ids: [id], address });
      if (rival !== undefined) throw declaredTwice(controlPlane, urn, rival.by);
      const guards = parseGuards(inputs).guards ?? {};
      const { outs, conclusion } = await adopt(context, controlPlane, guards);
      // What other processes cannot be told of is not adopted, so no line may say that it was.
      ledger.hold(urn, address, [id], "create");
      emit(conclusion);
      if (conclusion.type === "adopted") await warnOfGuards(context, guards, [conclusion]);
      return { id, outs };
    },
  });
}

type Adopted =
  | (Extract<OutcomeEvent, { type: "adopted" }> & { readonly labels: Labels })
  | Extract<OutcomeEvent, { type: "adopted unread" }>;

async function adopt(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  guards: Guards,
): Promise<{ readonly outs: Properties; readonly conclusion: Adopted }> {
  const { client } = context;
  const baseUrl = controlPlane.address;
  try {
    const found = await client.findControlPlane(controlPlane, context, "adopt");
    const { name, labels } = found.controlPlane;
    return {
      outs: encodeState({ baseUrl, name, ...guards, origin: "adopted" }),
      conclusion: { type: "adopted", controlPlane: { ...controlPlane, name }, labels, facts: found.facts },
    };
  } catch (error) {
    // A token may be allowed to delete and not to read. That is no reason to refuse the teardown.
    if (!(error instanceof ControlPlaneError) || error.kind !== "forbidden") throw error;
    return {
      outs: encodeState({ baseUrl, lastProblem: toStoredProblem(error), ...guards, origin: "adopted" }),
      conclusion: { type: "adopted unread", controlPlane, error },
    };
  }
}

/**
 * Compares the recorded control plane with the one that the program names.
 *
 * Only the guards of an adopted control plane can be changed, and another id or address would delete the
 * recorded one. The preview refuses that here. An address counts only when it is an argument; one from the settings was used once, when
 * the control plane was adopted.
 */
export async function diffAdopted(
  context: HookContext,
  state: RecordedControlPlane,
  inputs: Properties,
): Promise<DiffResult> {
  if ([inputs.controlPlaneId, inputs.region, inputs.baseUrl].some(isUnknown)) return {};
  const { ledger, refreshes, settings, emit, urn } = context;
  const { ref: recorded, outputs } = requireUsable(state);
  // A refresh compares what it has just read. It does not see the program.
  const hasChanged = refreshes.take(urn, recorded.id);
  if (hasChanged !== undefined) return { changes: hasChanged };
  const wanted = parseArguments(inputs, settings);
  ledger.compare(urn, declarationOf(wanted));
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

/** Returns the outputs that are written again without a change. */
export function fieldsOf({ outputs, name, lastProblem, origin, guards }: RecordedControlPlane) {
  const baseUrl = typeof outputs.baseUrl === "string" ? outputs.baseUrl : undefined;
  return { baseUrl, name, lastProblem, origin, ...guards };
}

/** Records other guards. An adopted control plane has no other changes. */
export function updateAdopted(recorded: RecordedControlPlane, inputs: Properties): Updated {
  const { outputs } = recorded;
  const { guards } = parseGuards(inputs);
  const before = fieldsOf(recorded);
  if (guards === undefined) return { outs: encodeState(before, outputs) };
  const { baseUrl, name, lastProblem, origin } = before;
  return { outs: encodeState({ baseUrl, name, lastProblem, origin, ...guards }, withoutGuards(outputs)) };
}
