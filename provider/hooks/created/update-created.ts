import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { type Arguments, parseArguments, renderParameter } from "../arguments/arguments.js";
import { joinFacts } from "../../service/failure/call-facts.js";
import { explainUnusable } from "../../service/failure/explain-call.js";
import type { HookContext } from "../context.js";
import { reportFailure } from "../report-failure.js";
import { requireSettings } from "../require-settings.js";
import {
  askedInVain,
  decodeCreation,
  encodeCreation,
  givenArguments,
  recordedDocument,
} from "../../state/created-codec.js";
import { type Properties, withoutGuards } from "../../state/recorded-fields.js";
import { decodeState, recordedControlPlane } from "../../state/state-codec.js";
import { problemOf } from "../../state/stored-problem.js";
import type { Updated } from "../results.js";
import { planChange } from "./change-plan.js";
import { finish } from "./later-steps.js";

/** Changes a created control plane in place. Sends only what changed. */
export function updateCreated(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Updated> {
  const { settings } = context;
  return reportFailure(context, {
    purpose: "update",
    id,
    find: () => recordedControlPlane(id, outputs),
    async run(controlPlane) {
      requireSettings(settings, "update", controlPlane);
      const wanted = parseArguments(inputs, settings);
      const [first, ...more] = wanted.invalid.map(renderParameter);
      if (first !== undefined) throw explainUnusable("update", controlPlane, [first, ...more]);
      return change(context, controlPlane, outputs, { inputs, wanted });
    },
  });
}

async function change(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  outputs: Properties,
  { inputs, wanted }: { readonly inputs: Properties; readonly wanted: Arguments },
): Promise<Updated> {
  const { client, emit } = context;
  const { changes, members: plan } = planChange(controlPlane, outputs, inputs, wanted);
  const isSent = Object.keys(changes).length > 0;
  const changed = isSent ? await client.updateControlPlane(controlPlane, changes, context) : undefined;
  const wishes = wanted.creation?.wanted ?? {};
  const finished = await finish(context, {
    controlPlane,
    members: plan && { ...plan, ...(isSent && { follows: "change" }) },
    // Labels that the program gives no longer are to go, too.
    wanted: changes.labels === undefined || wishes.labels !== undefined ? wishes : { ...wishes, labels: {} },
    document: changed?.controlPlane ?? recordedDocument(controlPlane.id, outputs),
  });
  const { document, members, facts, unfinished } = finished;
  // Members that are given no longer stay recorded until they are removed.
  const given = givenArguments(inputs);
  const isManaged = given.includes("members") || unfinished !== undefined;
  const isChanged = isSent || plan?.isChanged === true;
  const lastProblem = problemOf(unfinished) ?? (isChanged ? undefined : decodeState(outputs).lastProblem);
  const outs = encodeCreation(
    {
      baseUrl: controlPlane.address,
      document,
      guards: wanted.guards ?? {},
      members: isManaged ? members : undefined,
      given: isManaged && members !== undefined ? [...new Set([...given, "members"])] : given,
      asked: askedInVain(wishes, document, decodeCreation(outputs)),
      lastProblem,
    },
    withoutGuards(outputs),
  );
  if (unfinished !== undefined) {
    emit({ type: "failed", purpose: "update", controlPlane, error: unfinished });
    return { outs, unfinished };
  }
  const made = [changed?.facts, facts].filter((each) => each !== undefined);
  const [first, second] = made;
  if (first !== undefined) {
    const all = second === undefined ? first : joinFacts(first, second);
    emit({ type: "updated", controlPlane: { ...controlPlane, name: document.name }, facts: all });
  }
  return { outs };
}
