import { settingsError } from "../service/failure/control-plane-error.js";
import { parseAddress } from "../service/http/address.js";
import { parseControlPlaneId } from "../service/operations/control-plane-document.js";
import { type ControlPlaneRef } from "../service/operations/control-planes.js";
import { isObject } from "../text/json.js";
import { safe, type SafeText, storableName } from "../text/safe-text.js";
import {
  decodeGuards,
  encodeGuards,
  guardProblems,
  type Guards,
  isSecret,
  isStoredProblem,
  omit,
  type Properties,
  secretFieldsOf,
  type StateProblem,
  type StoredProblem,
  UUID_RULE,
} from "./recorded-fields.js";

/** What the state records of a member of a set. */
export interface Member {
  /** Lower-case UUID. */
  readonly id: string;
  /** Name in the service, as it was sent. Missing if the token may not read it. */
  readonly name?: string | undefined;
  /** The last problem document that left the control plane in place. */
  readonly lastProblem?: StoredProblem | undefined;
}

/** What the state records of a member of a set, as far as it can be read. */
export interface RecordedMember extends Omit<Member, "id"> {
  /** Lower-case UUID. Undefined if it is unusable, or a secret. */
  readonly id: string | undefined;
  /** The id as the state has it, for messages. Empty if it is no text. */
  readonly idAsRecorded: string;
}

/** What the state records of a set, as far as it can be read. */
export interface RecordedSet {
  /** Normalized address of all members. Undefined if it is unusable, or a secret. */
  readonly address: string | undefined;
  /** Members that cannot be read as a whole count as one unknown member. */
  readonly members: readonly RecordedMember[];
  readonly guards: Guards;
  /** What is unusable. */
  readonly problems: readonly StateProblem[];
  /** The outputs that are secrets in an exported state, or hold one. */
  readonly secrets: readonly string[];
  /** All outputs, those that this release does not know included. */
  readonly outputs: Properties;
}

/** What a set records, and what is written to its state. */
export interface SetState {
  /** Normalized address of all members. */
  readonly address: string;
  readonly members: readonly Member[];
  readonly guards: Guards;
}

/** A recorded set whose members requests can be sent to. */
export type UsableSet = Omit<RecordedSet, keyof SetState> & SetState;

/** Parses what the state records of a set. Never throws: what is unusable is in `problems`. */
export function decodeSet(outputs: Properties): RecordedSet {
  const secrets = secretFieldsOf(outputs);
  const readable = omit(outputs, secrets);
  const address = parseAddress(typeof readable.baseUrl === "string" ? readable.baseUrl : "");
  const addressProblems: readonly StateProblem[] =
    address.ok || secrets.includes("baseUrl")
      ? []
      : [{ kind: "address", place: safe`outputs.baseUrl`, rule: address.reason }];
  const members = decodeMembers(outputs.controlPlanes);
  return {
    address: address.ok ? address.address : undefined,
    members: members.map(({ member }) => member),
    guards: decodeGuards(readable),
    problems: [
      ...addressProblems,
      ...members.flatMap(({ problem }) => problem ?? []),
      ...guardProblems(readable),
    ],
    secrets,
    outputs,
  };
}

interface DecodedMember {
  readonly member: RecordedMember;
  readonly problem?: StateProblem;
}

const UNREADABLE: RecordedMember = { id: undefined, idAsRecorded: "" };

function decodeMembers(list: unknown): readonly DecodedMember[] {
  const place = safe`outputs.controlPlanes`;
  if (Array.isArray(list)) {
    return list.map((entry: unknown, index) => decodeMember(entry, safe`${place}[${index}]`));
  }
  if (isSecret(list)) return [{ member: UNREADABLE }];
  return [{ member: UNREADABLE, problem: { kind: "list", place, rule: safe`must be a list` } }];
}

function decodeMember(entry: unknown, place: SafeText): DecodedMember {
  if (isSecret(entry)) return { member: UNREADABLE };
  if (!isObject(entry)) {
    const problem = { kind: "member", place, rule: safe`must be an object` } as const;
    return { member: UNREADABLE, problem };
  }
  const { id, name, lastProblem } = entry;
  const idAsRecorded = typeof id === "string" ? id : "";
  const member = {
    id: parseControlPlaneId(idAsRecorded),
    idAsRecorded,
    ...(typeof name === "string" && { name }),
    ...(isStoredProblem(lastProblem) && { lastProblem }),
  };
  if (member.id !== undefined || isSecret(id)) return { member };
  return { member, problem: { kind: "member", place: safe`${place}.id`, rule: UUID_RULE } };
}

/**
 * Returns a recorded set with its address and ids, which are judged again before a token is sent there.
 *
 * @throws ControlPlaneError if one of them is unusable
 */
export function requireUsableSet(recorded: RecordedSet): UsableSet {
  const { address, members, problems } = recorded;
  if (address === undefined) throw unusableState(safe`baseUrl is not a usable address`);
  if (problems.some(({ kind }) => kind === "list")) throw unusableState(safe`controlPlanes is not a list`);
  const usable = members.map(({ id, name, lastProblem }, index): Member => {
    if (id === undefined) throw unusableState(safe`controlPlanes[${index}] has an id that is not a UUID`);
    return { id, ...(name !== undefined && { name }), ...(lastProblem !== undefined && { lastProblem }) };
  });
  return { ...recorded, address, members: usable };
}

/**
 * Renders what the state shall record of a set.
 *
 * @param before what it recorded until now; members that this release does not know are kept
 */
export function encodeSet({ address, members, guards }: SetState, before: Properties = {}): Properties {
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

function unusableState(what: SafeText) {
  return settingsError(
    safe`the set was left alone: the state's ${what}
  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.`,
    { subject: safe`the set`, summary: safe`unusable state` },
  );
}
