import { parseAddress } from "../service/http/address.js";
import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import {
  type ControlPlaneRef,
  describeControlPlane,
  parseControlPlaneId,
} from "../service/operations/control-plane-ref.js";
import { safe, safeText } from "../text/safe-text.js";
import { decodeGuards, encodeGuards, type Guards, type Properties } from "./recorded-fields.js";
import { isStoredProblem, type StoredProblem } from "./stored-problem.js";
import { storableName } from "../text/storable-text.js";

/**
 * How a resource came to be: it adopted an existing control plane, it created one, or the program only refers to one.
 * A state without a mark is adopted, which keeps the state small and covers states from before there was a mark.
 */
export type Origin = "adopted" | "created" | "external";

/** What the state records of a control plane. The fields without underscores are the resource's outputs. */
export interface RecordedState extends Guards {
  /** Normalized address where the control plane was found. Delete goes there, whatever the settings say later. */
  readonly baseUrl: string;
  /** Name in the service, as it was sent. Missing when the token may not read it. */
  readonly name?: string | undefined;
  /** The last problem document that left the control plane in place. */
  readonly lastProblem?: StoredProblem | undefined;
  readonly origin: Origin;
}

/** The fields of a state. One that is undefined is not recorded. */
type StateFields = { readonly [Name in keyof RecordedState]?: RecordedState[Name] | undefined };

/** The key of the mark. Pulumi shows no key that begins with two underscores. */
const ORIGIN = "__origin";

/** Parses what the state records. A field that is not as it was recorded is left out. */
export function decodeState(properties: Properties): Partial<RecordedState> & Pick<RecordedState, "origin"> {
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
export function encodeState(recorded: StateFields, before: Properties = {}): Properties {
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

/**
 * Returns the control plane that the state records. Its id and address are judged again before a token is sent there.
 *
 * @throws ControlPlaneError when the id or the address is unusable
 */
export function recordedControlPlane(id: string, properties: Properties): ControlPlaneRef {
  const parsedId = parseControlPlaneId(id);
  const { baseUrl, name, origin } = decodeState(properties);
  const createdAtMs = origin === "created" ? createdAtMsOf(properties) : undefined;
  const parsed = parseAddress(baseUrl ?? "");
  if (parsedId === undefined || !parsed.ok) throw unusableState(id, parsedId === undefined);
  const ref = { id: parsedId, address: parsed.address, name };
  return createdAtMs === undefined ? ref : { ...ref, createdAtMs };
}

function createdAtMsOf({ createdAt }: Properties): number | undefined {
  const ms = typeof createdAt === "string" ? Date.parse(createdAt) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function unusableState(id: string, isId: boolean): ControlPlaneError {
  const what = isId ? safe`id "${safeText(id, 60)}" is not a UUID` : safe`baseUrl is not a usable address`;
  const subject = describeControlPlane({ id });
  return settingsError(
    safe`The state's ${what}: ${subject} was left alone
  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.`,
    { subject, summary: isId ? safe`unusable id in the state` : safe`unusable address in the state` },
  );
}

function fieldsOfOtherReleases(properties: Properties): Properties {
  const own = ["baseUrl", "name", "lastProblem", "__provider", ...Object.keys(decodeGuards(properties))];
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([member, value]) => !own.includes(member) && !(member === ORIGIN && isOwnMark(value)),
    ),
  );
}

/** Whether this release writes a mark. One of a newer release is kept as a field that this release does not know. */
function isOwnMark(mark: unknown): mark is Origin {
  return mark === "adopted" || mark === "created" || mark === "external";
}
