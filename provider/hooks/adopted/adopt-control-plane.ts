import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { requireControlPlane } from "../arguments/arguments.js";
import { parseGuards } from "../arguments/guard-arguments.js";
import type { Guards, Properties } from "../../state/recorded-fields.js";
import type { HookContext } from "../context.js";
import type { Created } from "../results.js";
import { declaredTwice } from "../custody.js";
import { reportFailure } from "../report-failure.js";
import { requireSettings } from "../require-settings.js";
import { encodeState } from "../../state/state-codec.js";
import { toStoredProblem } from "../../state/stored-problem.js";

/**
 * Adopts an existing control plane. It is read, so that a mistyped id is found now and not taken for "already gone" in a
 * destroy. Nothing is written to the service.
 */
export function adoptControlPlane(context: HookContext, inputs: Properties): Promise<Created> {
  const { settings, ledger, urn } = context;
  return reportFailure(context, {
    purpose: "adopt",
    id: typeof inputs.controlPlaneId === "string" ? inputs.controlPlaneId : "",
    find: () => requireControlPlane(inputs, settings, "adopt"),
    async run(controlPlane) {
      requireSettings(settings, "adopt", controlPlane);
      const { id, address } = controlPlane;
      const [rival] = ledger.declare(urn, { kind: "adopted", ids: [id], address });
      if (rival !== undefined) throw declaredTwice(controlPlane, urn, rival.by);
      const outs = await adopt(context, controlPlane, parseGuards(inputs).guards ?? {});
      ledger.hold(urn, address, [id], "create");
      return { id, outs };
    },
  });
}

async function adopt(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  guards: Guards,
): Promise<Properties> {
  const { client, emit } = context;
  const baseUrl = controlPlane.address;
  try {
    const found = await client.findControlPlane(controlPlane, context, "adopt");
    const { name } = found.controlPlane;
    emit({ type: "adopted", controlPlane: { ...controlPlane, name }, facts: found.facts });
    return encodeState({ baseUrl, name, ...guards, origin: "adopted" });
  } catch (error) {
    // A token may be allowed to delete and not to read. That is no reason to refuse the teardown.
    if (!(error instanceof ControlPlaneError) || error.kind !== "forbidden") throw error;
    emit({ type: "adopted unread", controlPlane, error });
    return encodeState({ baseUrl, lastProblem: toStoredProblem(error), ...guards, origin: "adopted" });
  }
}
