import { settingsError } from "../service/failure/control-plane-error.js";
import { parseAddress } from "../service/http/address.js";
import { type ControlPlaneRef, parseControlPlaneId } from "../service/operations/control-plane-ref.js";
import { isObject } from "../text/json.js";
import { safe } from "../text/safe-text.js";
import { storableName } from "../text/storable-text.js";
import { decodeGuards, encodeGuards, type Guards, type Properties } from "./recorded-fields.js";
import { isStoredProblem, type StoredProblem } from "../state/stored-problem.js";

/** What the state records of a member of a set. */
export interface Member {
  /** Lower-case UUID. */
  readonly id: string;
  /** Name in the service, as it was sent. Missing when the token may not read it. */
  readonly name?: string | undefined;
  /** The last problem document that left the control plane in place. */
  readonly lastProblem?: StoredProblem | undefined;
}

/** What the state records of a set. */
export interface RecordedSet {
  /** Normalized address of all members. */
  readonly address: string;
  readonly members: readonly Member[];
  readonly guards: Guards;
}

/**
 * Parses what the state records of a set. Ids and address are judged again before a token is sent there.
 *
 * @throws ControlPlaneError when one is unusable
 */
export function decodeSet(properties: Properties): RecordedSet {
  const parsed = parseAddress(typeof properties.baseUrl === "string" ? properties.baseUrl : "");
  const { controlPlanes } = properties;
  if (!parsed.ok) throw unusableState(safe`baseUrl is not a usable address`);
  if (!Array.isArray(controlPlanes)) throw unusableState(safe`controlPlanes is not a list`);
  const members = (controlPlanes as readonly unknown[]).map(decodeMember);
  return { address: parsed.address, members, guards: decodeGuards(properties) };
}

function decodeMember(entry: unknown, index: number): Member {
  const { id, name, lastProblem } = isObject(entry) ? entry : {};
  const parsedId = parseControlPlaneId(typeof id === "string" ? id : "");
  if (parsedId === undefined) throw unusableState(safe`controlPlanes[${index}] has an id that is not a UUID`);
  return {
    id: parsedId,
    ...(typeof name === "string" && { name }),
    ...(isStoredProblem(lastProblem) && { lastProblem }),
  };
}

/**
 * Renders what the state shall record of a set.
 *
 * @param before what it recorded until now; members that this release does not know are kept
 */
export function encodeSet({ address, members, guards }: RecordedSet, before: Properties = {}): Properties {
  const dropped = ["__provider", ...Object.keys(decodeGuards(before))];
  const others = Object.entries(before).filter(([member]) => !dropped.includes(member));
  return {
    ...Object.fromEntries(others),
    baseUrl: address,
    controlPlanes: members.map(({ id, name, lastProblem }) => ({
      id,
      ...(name !== undefined && { name: storableName(name) }),
      ...(lastProblem !== undefined && { lastProblem }),
    })),
    ...encodeGuards(guards),
  };
}

/** Returns a member as a control plane at the address of its set. */
export function memberRef({ id, name }: Member, address: string): ControlPlaneRef {
  return { id, address, name };
}

function unusableState(what: ReturnType<typeof safe>) {
  return settingsError(
    safe`The state's ${what}: the set was left alone
  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.`,
    { subject: safe`the set`, summary: safe`unusable state` },
  );
}
