import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";
import { askedInVain, encodeCreation, inputsOf, recordedDocument } from "../state/created-codec.js";
import {
  keepSameProblem,
  ownMembers,
  type Properties,
  type RecordedMembers,
  type StoredProblem,
  toStoredProblem,
} from "../state/recorded-fields.js";
import {
  type CreatedControlPlane,
  decodeControlPlane,
  encodeState,
  isCreated,
  type RecordedControlPlane,
  requireUsable,
} from "../state/state-codec.js";
import { safe } from "../text/safe-text.js";
import { fieldsOf } from "./adopted.js";
import { requireControlPlane } from "./arguments/arguments.js";
import { type HookContext, type ReadResult, reportFailure, requireSettings } from "./context.js";

/** Reads a control plane of the state, or looks one up by its id. */
export function readResource(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  // A look-up has arguments in place of outputs.
  if (properties.controlPlaneId !== undefined || properties.baseUrl === undefined) {
    return lookUp(context, id, properties);
  }
  const recorded = decodeControlPlane(id, properties);
  return isCreated(recorded)
    ? refresh(context, recorded, createdRefresh(context, recorded))
    : refresh(context, recorded, adoptedRefresh(recorded));
}

/** What a refresh records, and what it compares. */
interface Refresh {
  /** Renders the state of a control plane that was read. */
  readonly found: (controlPlane: ControlPlaneRef, document: ControlPlaneDocument) => Promise<Properties>;
  /** Renders the state of one that the token may not read. */
  readonly unread: (controlPlane: ControlPlaneRef, lastProblem: StoredProblem | undefined) => Properties;
  readonly hasChanged: (state: Properties) => boolean;
  /** Returns the arguments that stand for what was found. Without it, a refresh leaves the arguments as they are. */
  readonly inputsOf?: (state: Properties) => Properties;
}

/**
 * Reads a recorded control plane. Only the service's own 404 counts as gone; on any doubt it throws, and the state stays.
 * A read that the service forbids is recorded as `lastProblem`.
 */
function refresh(
  context: HookContext,
  recorded: RecordedControlPlane,
  { found, unread, hasChanged, inputsOf }: Refresh,
): Promise<ReadResult> {
  const { client, settings, refreshes, emit, urn } = context;
  return reportFailure(context, {
    purpose: "read",
    id: recorded.idAsRecorded,
    find: () => requireUsable(recorded).ref,
    async run(controlPlane) {
      requireSettings(settings, "read", controlPlane);
      let state: Properties;
      try {
        const reading = await client.readControlPlane(controlPlane, context);
        if (reading.outcome === "gone") {
          emit({ type: "gone", controlPlane, facts: reading.facts });
          return { id: "" };
        }
        const { controlPlane: document, facts } = reading;
        state = await found(controlPlane, document);
        emit({ type: "found", controlPlane: { ...controlPlane, name: document.name }, facts });
      } catch (error) {
        if (!(error instanceof ControlPlaneError) || error.kind !== "forbidden") throw error;
        emit({ type: "unreadable", controlPlane, error });
        state = unread(controlPlane, keepSameProblem(toStoredProblem(error), recorded.lastProblem));
      }
      refreshes.note(urn, controlPlane.id, hasChanged(state));
      return { id: controlPlane.id, props: state, ...(inputsOf && { inputs: inputsOf(state) }) };
    },
  });
}

function adoptedRefresh(recorded: RecordedControlPlane): Refresh {
  const { outputs } = recorded;
  const before = fieldsOf(recorded);
  return {
    found: ({ address: baseUrl }, { name }) =>
      Promise.resolve(encodeState({ ...before, baseUrl, name, lastProblem: undefined }, outputs)),
    unread: ({ address: baseUrl }, lastProblem) => encodeState({ ...before, baseUrl, lastProblem }, outputs),
    hasChanged: (state) => !isDeepStrictEqual(state, encodeState(before, outputs)),
  };
}

/** Returns what was found as arguments, so that the next `up` shows and corrects drift. */
function createdRefresh(context: HookContext, { creation, guards, outputs }: CreatedControlPlane): Refresh {
  const { given, asked, members } = creation;
  const known = ({ address: baseUrl }: ControlPlaneRef) => ({ baseUrl, guards, given });
  return {
    async found(controlPlane, document) {
      const present = members && (await readManaged(context, controlPlane, members));
      const stillAsked = askedInVain({}, document, creation);
      return encodeCreation(
        { ...known(controlPlane), document, members: present, asked: stillAsked },
        outputs,
      );
    },
    unread(controlPlane, lastProblem) {
      const document = recordedDocument(controlPlane.id, outputs);
      return encodeCreation({ ...known(controlPlane), document, members, asked, lastProblem }, outputs);
    },
    hasChanged: (state) => !isDeepStrictEqual(comparable(state), comparable(outputs)),
    inputsOf,
  };
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

/** Returns what counts as a change. A later `updatedAt` alone is no drift. */
function comparable(state: Properties): Properties {
  return Object.fromEntries(Object.entries(state).filter(([member]) => !UNCOMPARED.includes(member)));
}

const UNCOMPARED = ["__provider", "updatedAt"];

/** Reads a control plane that the program refers to. It has to exist. */
export function lookUp(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  const { client, ledger, settings, emit, urn } = context;
  return reportFailure(context, {
    purpose: "look up",
    id,
    find: () => requireControlPlane({ ...properties, controlPlaneId: id }, settings, "look up"),
    async run(controlPlane) {
      const { __resource: resource } = properties;
      ledger.refer(urn, controlPlane.id, typeof resource === "string" ? resource : undefined);
      requireSettings(settings, "look up", controlPlane);
      const found = await client.findControlPlane(controlPlane, context, "look up");
      const { name } = found.controlPlane;
      emit({ type: "found", controlPlane: { ...controlPlane, name }, facts: found.facts });
      const baseUrl = controlPlane.address;
      return { id: controlPlane.id, props: encodeState({ baseUrl, name, origin: "external" }) };
    },
  });
}
