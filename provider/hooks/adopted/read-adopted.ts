import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { requireControlPlane } from "../arguments/arguments.js";
import type { HookContext } from "../context.js";
import type { ReadResult } from "../results.js";
import type { Properties } from "../../state/recorded-fields.js";
import { reportFailure } from "../report-failure.js";
import { requireSettings } from "../require-settings.js";
import { decodeState, encodeState, recordedControlPlane } from "../../state/state-codec.js";
import { keepSameProblem, toStoredProblem } from "../../state/stored-problem.js";

/**
 * Reads a control plane. Only the service's own 404 counts as gone; on any doubt it throws, and the state stays. A read
 * that the service forbids is recorded as `lastProblem`.
 */
export function readAdopted(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  if (isLookUp(properties)) return lookUp(context, id, properties);
  return reportFailure(context, {
    purpose: "read",
    id,
    find: () => recordedControlPlane(id, properties),
    async run(controlPlane) {
      requireSettings(context.settings, "read", controlPlane);
      const props = await refresh(context, controlPlane, properties);
      if (props === undefined) return { id: "" };
      const recorded = decodeState(properties);
      const hasChanged = !isDeepStrictEqual(props, encodeState(recorded, properties));
      // The engine compares nothing when it has refreshed what the program only refers to.
      if (recorded.origin !== "external") context.refreshes.note(context.urn, controlPlane.id, hasChanged);
      return { id: controlPlane.id, props };
    },
  });
}

/** Returns what the state shall record from now on, or undefined when the control plane is gone. */
async function refresh(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  properties: Properties,
): Promise<Properties | undefined> {
  const { client, emit } = context;
  const { lastProblem: problemBefore, ...recorded } = decodeState(properties);
  try {
    const reading = await client.readControlPlane(controlPlane, context);
    if (reading.outcome === "gone") {
      emit({ type: "gone", controlPlane, facts: reading.facts });
      return undefined;
    }
    const { name } = reading.controlPlane;
    emit({ type: "found", controlPlane: { ...controlPlane, name }, facts: reading.facts });
    return encodeState({ ...recorded, baseUrl: controlPlane.address, name }, properties);
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || error.kind !== "forbidden") throw error;
    emit({ type: "unreadable", controlPlane, error });
    const lastProblem = keepSameProblem(toStoredProblem(error), problemBefore);
    return encodeState({ ...recorded, baseUrl: controlPlane.address, lastProblem }, properties);
  }
}

/** Whether the properties are arguments and not outputs: the program refers to a control plane by its id. */
function isLookUp(properties: Properties): boolean {
  return properties.controlPlaneId !== undefined || properties.baseUrl === undefined;
}

function lookUp(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  const { client, ledger, settings, emit, urn } = context;
  return reportFailure(context, {
    purpose: "look up",
    id,
    find: () => requireControlPlane({ ...properties, controlPlaneId: id }, settings, "look up"),
    async run(controlPlane) {
      ledger.refer(urn, controlPlane.id);
      requireSettings(settings, "look up", controlPlane);
      const found = await client.findControlPlane(controlPlane, context, "look up");
      const { name } = found.controlPlane;
      emit({ type: "found", controlPlane: { ...controlPlane, name }, facts: found.facts });
      const baseUrl = controlPlane.address;
      return { id: controlPlane.id, props: encodeState({ baseUrl, name, origin: "external" }) };
    },
  });
}
