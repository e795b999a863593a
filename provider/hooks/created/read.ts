import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-planes.js";
import type { HookContext, ReadResult } from "../context.js";
import { reportFailure, requireSettings } from "../reported.js";
import { askedInVain, encodeCreation, inputsOf, recordedDocument } from "../../state/created-codec.js";
import { ownMembers, type Properties, type RecordedMembers } from "../../state/recorded-fields.js";
import { type CreatedControlPlane, requireUsable } from "../../state/state-codec.js";
import { safe } from "../../text/safe-text.js";
import { keepSameProblem, toStoredProblem } from "../../state/stored-problem.js";

/**
 * Reads a created control plane. Only the service's own 404 counts as gone. Returns the arguments that stand for what was
 * found, so that the next `up` shows and corrects what somebody else changed.
 */
export function readCreated(context: HookContext, recorded: CreatedControlPlane): Promise<ReadResult> {
  return reportFailure(context, {
    purpose: "read",
    id: recorded.idAsRecorded,
    find: () => requireUsable(recorded).ref,
    async run(controlPlane) {
      requireSettings(context.settings, "read", controlPlane);
      const props = await refresh(context, controlPlane, recorded);
      if (props === undefined) return { id: "" };
      const hasChanged = !isDeepStrictEqual(comparable(props), comparable(recorded.outputs));
      context.refreshes.note(context.urn, controlPlane.id, hasChanged);
      return { id: controlPlane.id, props, inputs: inputsOf(props) };
    },
  });
}

/** Returns what the state shall record from now on, or undefined when the control plane is gone. */
async function refresh(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { creation: before, guards, lastProblem: problemBefore, outputs }: CreatedControlPlane,
): Promise<Properties | undefined> {
  const { client, emit } = context;
  const { given, asked, members: recorded } = before;
  const known = { baseUrl: controlPlane.address, guards, given };
  try {
    const reading = await client.readControlPlane(controlPlane, context);
    if (reading.outcome === "gone") {
      emit({ type: "gone", controlPlane, facts: reading.facts });
      return undefined;
    }
    const { controlPlane: document, facts } = reading;
    const members = recorded && (await readManaged(context, controlPlane, recorded));
    emit({ type: "found", controlPlane: { ...controlPlane, name: document.name }, facts });
    return encodeCreation({ ...known, document, members, asked: askedInVain({}, document, before) }, outputs);
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || error.kind !== "forbidden") throw error;
    emit({ type: "unreadable", controlPlane, error });
    const lastProblem = keepSameProblem(toStoredProblem(error), problemBefore);
    const document = recordedDocument(controlPlane.id, outputs);
    return encodeCreation({ ...known, document, members: recorded, asked, lastProblem }, outputs);
  }
}

/** Reads the members of a group that the resource manages. Remembers which of them it did not add. */
async function readManaged(
  { client, ...context }: HookContext,
  group: ControlPlaneRef,
  recorded: RecordedMembers,
): Promise<RecordedMembers> {
  const reason = safe`Its members could not be read.`;
  const reading = await client.readMembers(group, context, { purpose: "read", reason });
  // It was there a moment ago. The next refresh reads it again, and meets the same 404.
  if (reading.outcome === "gone") return recorded;
  const ids = reading.members.map(({ id }) => id);
  const own = ownMembers(recorded);
  return { ids, foreign: ids.filter((id) => !own.includes(id)), attempted: [] };
}

/** Returns what counts as a change. A later time of the last change alone does not. */
function comparable(state: Properties): Properties {
  return Object.fromEntries(Object.entries(state).filter(([member]) => !UNCOMPARED.includes(member)));
}

const UNCOMPARED = ["__provider", "updatedAt"];
