import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { parseAddress } from "../service/http/address.js";
import { parseControlPlaneId } from "../service/operations/control-plane-document.js";
import { type ControlPlaneRef, describeControlPlane } from "../service/operations/control-planes.js";
import { safe, safeText, storableName } from "../text/safe-text.js";
import { createdAtMsOf, decodeCreation, type RecordedCreation } from "./created-codec.js";
import {
  decodeGuards,
  decodeMembers,
  encodeGuards,
  guardProblems,
  type Guards,
  isSecret,
  isStoredProblem,
  omit,
  type Properties,
  type RecordedMembers,
  secretFieldsOf,
  type StateProblem,
  type StoredProblem,
  UUID_RULE,
} from "./recorded-fields.js";

/**
 * How a resource came to be: it adopted an existing control plane, it created one, or the program only refers to one.
 * A state without a mark is adopted, which keeps the state small and covers states from before there was a mark.
 */
export type Origin = "adopted" | "created" | "external";

/** What the state records of a control plane, as far as it can be read. */
export interface RecordedControlPlane {
  /** Lower-case UUID. Undefined if it is unusable, or a secret. */
  readonly id: string | undefined;
  /** The id as the state has it, for messages. Empty if it is no text. */
  readonly idAsRecorded: string;
  /**
   * Normalized address where the control plane was found. Delete goes there, whatever the settings say later. Undefined
   * when it is unusable, or a secret.
   */
  readonly address: string | undefined;
  /** Name in the service, as it was sent. Undefined if the token may not read it. */
  readonly name: string | undefined;
  readonly origin: Origin;
  readonly guards: Guards;
  /** The last problem document that left the control plane in place. */
  readonly lastProblem: StoredProblem | undefined;
  /** The members of a group. Undefined if the resource does not manage them. */
  readonly members: RecordedMembers | undefined;
  /** Undefined unless the resource has created the control plane. */
  readonly creation: RecordedCreation | undefined;
  /** When it was created, in epoch milliseconds. Undefined unless the resource has created the control plane. */
  readonly createdAtMs: number | undefined;
  /** What is unusable. */
  readonly problems: readonly StateProblem[];
  /** The fields that are secrets in an exported state: `id`, or names of outputs. */
  readonly secrets: readonly string[];
  /** All outputs, those that this release does not know included. */
  readonly outputs: Properties;
}

/** A recorded control plane that a request can be sent to. */
export interface UsableControlPlane extends RecordedControlPlane {
  readonly id: string;
  readonly address: string;
  /** The control plane, for calls. */
  readonly ref: ControlPlaneRef;
}

/** A recorded control plane that its resource created. */
export interface CreatedControlPlane extends RecordedControlPlane {
  readonly creation: RecordedCreation;
}

/** Whether a resource created its control plane. */
export function isCreated(recorded: RecordedControlPlane): recorded is CreatedControlPlane {
  return recorded.creation !== undefined;
}

/** Parses what the state records of a control plane. Never throws: what is unusable is in `problems`. */
export function decodeControlPlane(id: unknown, outputs: Properties): RecordedControlPlane {
  const secretFields = secretFieldsOf(outputs);
  const readable = omit(outputs, secretFields);
  const { baseUrl, name, lastProblem, origin } = decodeState(readable);
  const idAsRecorded = typeof id === "string" ? id : "";
  const usableId = parseControlPlaneId(idAsRecorded);
  const address = parseAddress(baseUrl ?? "");
  const problems: StateProblem[] = [];
  if (usableId === undefined && !isSecret(id)) {
    problems.push({ kind: "id", place: safe`id`, rule: UUID_RULE });
  }
  if (!address.ok && !secretFields.includes("baseUrl")) {
    problems.push({ kind: "address", place: safe`outputs.baseUrl`, rule: address.reason });
  }
  const creation = origin === "created" ? decodeCreation(readable) : undefined;
  return {
    id: usableId,
    idAsRecorded,
    address: address.ok ? address.address : undefined,
    name,
    origin,
    guards: decodeGuards(readable),
    lastProblem,
    members: decodeMembers(readable),
    creation,
    createdAtMs: creation === undefined ? undefined : createdAtMsOf(readable),
    problems: [...problems, ...guardProblems(readable)],
    secrets: [...(isSecret(id) ? ["id"] : []), ...secretFields],
    outputs,
  };
}

/**
 * Returns a recorded control plane with its id and address, which are judged again before a token is sent there.
 *
 * @throws ControlPlaneError if one of them is unusable
 */
export function requireUsable<Recorded extends RecordedControlPlane>(
  recorded: Recorded,
): Recorded & UsableControlPlane {
  const { id, idAsRecorded, address, name, createdAtMs } = recorded;
  if (id === undefined) throw unusableState(idAsRecorded, true);
  if (address === undefined) throw unusableState(id, false);
  const ref = { id, address, name, ...(createdAtMs !== undefined && { createdAtMs }) };
  return { ...recorded, id, address, ref };
}

function unusableState(id: string, isId: boolean): ControlPlaneError {
  const what = isId ? safe`id "${safeText(id, 60)}" is not a UUID` : safe`baseUrl is not a usable address`;
  const subject = describeControlPlane({ id });
  return settingsError(
    safe`${subject} was left alone: the state's ${what}
  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.`,
    { subject, summary: isId ? safe`unusable id in the state` : safe`unusable address in the state` },
  );
}

/** The fields that every state has. Those without underscores are the resource's outputs. */
interface StateFields extends Guards {
  readonly baseUrl?: string;
  readonly name?: string;
  readonly lastProblem?: StoredProblem;
  readonly origin: Origin;
}

/** The fields that a state shall have. One that is undefined is not recorded. */
type WantedFields = { readonly [Name in keyof StateFields]?: StateFields[Name] | undefined };

/** The key of the mark. Pulumi shows no key that begins with two underscores. */
const ORIGIN = "__origin";

/** Parses the fields that every state has, without judging them. One that is not as it was recorded is left out. */
export function decodeState(properties: Properties): StateFields {
  const { baseUrl, name, lastProblem, [ORIGIN]: origin } = properties;
  return {
    ...(typeof baseUrl === "string" && { baseUrl }),
    ...(typeof name === "string" && { name }),
    ...(isStoredProblem(lastProblem) && { lastProblem }),
    ...decodeGuards(properties),
    origin: isOwnMark(origin) ? origin : "adopted",
  };
}

/**
 * Renders what the state shall record.
 *
 * @param before what it recorded until now; fields that this release does not know are kept
 */
export function encodeState(recorded: WantedFields, before: Properties = {}): Properties {
  const { baseUrl, name, lastProblem, origin } = recorded;
  return {
    ...fieldsOfOtherReleases(before),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(name !== undefined && { name: storableName(name) }),
    ...(lastProblem !== undefined && { lastProblem }),
    ...encodeGuards(recorded),
    ...(origin !== undefined && origin !== "adopted" && { [ORIGIN]: origin }),
  };
}

function fieldsOfOtherReleases(properties: Properties): Properties {
  const own = ["baseUrl", "name", "lastProblem", "__provider", ...Object.keys(decodeGuards(properties))];
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([member, value]) => !own.includes(member) && !(member === ORIGIN && isOwnMark(value)),
    ),
  );
}

/** Whether a mark is one of this release. A mark of a newer release is kept as an unknown field. */
function isOwnMark(mark: unknown): mark is Origin {
  return mark === "adopted" || mark === "created" || mark === "external";
}
