import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { parseControlPlaneId } from "../service/operations/control-plane-document.js";
import { type CallSubject, describeSubject } from "../service/operations/control-planes.js";
import { isObject } from "../text/json.js";
import { isLabelName, OWNER_LABELS, type OwnerLabels } from "./owner-labels.js";
import { safe, safeText, type SafeText, storableText } from "../text/safe-text.js";

/** Properties of a resource as they are sent: of no known shape until they are parsed. */
export type Properties = Readonly<Record<string, unknown>>;

/** Stands for a value that is not known yet, in a preview. Source: Pulumi's SDK, `unknownValue`. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is not known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN;
}

/** When a control plane may be deleted, as far as its connected nodes and its configuration are concerned. */
export const DELETION_POLICIES = ["always", "no-connected-nodes", "empty"] as const;
export type DeletionPolicy = (typeof DELETION_POLICIES)[number];

/** What has to hold before a control plane is deleted, and what may be done to a group for that. */
export interface Guards extends OwnerLabels {
  /** Labels that it must still have. Undefined if they do not matter. */
  readonly onlyIfLabels?: Readonly<Record<string, string>>;
  /** Default: `always`. */
  readonly deletionPolicy?: DeletionPolicy;
  /** Whether a group is deleted although it has members that the resource did not add. Default: false. */
  readonly detachMembers?: boolean;
}

/** Guards of which each may be undefined. */
type OptionalGuards = { readonly [Name in keyof Guards]?: Guards[Name] | undefined };

/** The names of the guards, among the arguments and in the state alike. */
export const GUARD_ARGUMENTS = [
  "onlyIfLabels",
  "deletionPolicy",
  "detachMembers",
  ...OWNER_LABELS,
] as const satisfies readonly (keyof Guards)[];

/** Parses the guards that the state records. One that is not as it was recorded is left out. */
export function decodeGuards(properties: Properties): Guards {
  const { onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel } = properties;
  return {
    ...(isLabels(onlyIfLabels) && { onlyIfLabels }),
    ...(isDeletionPolicy(deletionPolicy) && { deletionPolicy }),
    ...(typeof detachMembers === "boolean" && { detachMembers }),
    ...(isLabelName(keepLabel) && { keepLabel }),
    ...(isLabelName(deleteAfterLabel) && { deleteAfterLabel }),
  };
}

/** Returns what is wrong with the guards of a state. A newer release may know others. */
export function guardProblems(properties: Properties): readonly StateProblem[] {
  const guards = decodeGuards(properties);
  return GUARD_ARGUMENTS.filter((name) => properties[name] !== undefined && !(name in guards)).map(
    (name) => ({ kind: "guard", place: safe`outputs.${safeText(name, 20)}`, rule: GUARD_RULES[name] }),
  );
}

const GUARD_RULES: Readonly<Record<keyof Guards, SafeText>> = {
  onlyIfLabels: safe`must be an object with at least one label, and texts as values`,
  deletionPolicy: safe`must be one of ${safeText(DELETION_POLICIES.join(", "), 80)}; a newer release may know others`,
  detachMembers: safe`must be true or false`,
  keepLabel: safe`must be the name of a label`,
  deleteAfterLabel: safe`must be the name of a label`,
};

/**
 * Returns the guards that the state records for control planes that are to be deleted.
 *
 * @throws ControlPlaneError if one is not known to this release, because it could not be checked
 */
export function requireKnownGuards({ guards, outputs }: RecordedGuards, about: CallSubject): Guards {
  const unknown = GUARD_ARGUMENTS.find((name) => outputs[name] !== undefined && !(name in guards));
  if (unknown === undefined) return guards;
  const subject = describeSubject(about);
  const was = about.id === undefined ? safe`were` : safe`was`;
  throw settingsError(
    safe`${subject} ${was} not deleted: the state's ${safeText(unknown, 20)} is not known to this release
  Nothing was sent. Use the release that recorded it, or correct the program and run pulumi up first.`,
    { subject, summary: safe`unknown ${safeText(unknown, 20)} in the state` },
  );
}

/** The guards of a state, and the outputs that they were parsed from. */
export interface RecordedGuards {
  readonly guards: Guards;
  readonly outputs: Properties;
}

/** Renders guards for the state. What is the default is left out, which keeps the state small. */
export function encodeGuards({
  onlyIfLabels,
  deletionPolicy = "always",
  detachMembers = false,
  keepLabel,
  deleteAfterLabel,
}: OptionalGuards): Properties {
  return {
    ...(onlyIfLabels !== undefined && { onlyIfLabels }),
    ...(deletionPolicy !== "always" && { deletionPolicy }),
    ...(detachMembers && { detachMembers }),
    ...(keepLabel !== undefined && { keepLabel }),
    ...(deleteAfterLabel !== undefined && { deleteAfterLabel }),
  };
}

/** Returns the guards of a state as they are, those that this release does not know included. */
export function guardsAsRecorded(properties: Properties): Properties {
  return Object.fromEntries(
    GUARD_ARGUMENTS.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
}

/** Returns a state without any guard, so that those of the program take their place. */
export function withoutGuards(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !(GUARD_ARGUMENTS as readonly string[]).includes(name)),
  );
}

/** Whether a value is a deletion policy. */
export function isDeletionPolicy(value: unknown): value is DeletionPolicy {
  return (DELETION_POLICIES as readonly unknown[]).includes(value);
}

/** Whether a value names at least one label and its value. */
export function isLabels(value: unknown): value is Readonly<Record<string, string>> {
  if (!isObject(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every((label) => typeof label === "string");
}

/** Whether a control plane with these guards is deleted without a check. */
export function isUnguarded(guards: Guards): boolean {
  return !needsLabels(guards) && (guards.deletionPolicy ?? "always") === "always";
}

/** Whether the labels of a control plane decide over its deletion. */
export function needsLabels({ onlyIfLabels, keepLabel, deleteAfterLabel }: Guards): boolean {
  return [onlyIfLabels, keepLabel, deleteAfterLabel].some((guard) => guard !== undefined);
}

/** What the state records of the members of a group that its resource manages. */
export interface RecordedMembers {
  /** The ids of all known members. */
  readonly ids: readonly string[];
  /** Those of them that a refresh has found, and that the resource did not add. */
  readonly foreign: readonly string[];
  /** The ids that the resource may have added: the request had no clear answer, and that has not been clarified since. */
  readonly attempted: readonly string[];
}

/** No recorded members. */
export const NO_MEMBERS: RecordedMembers = { ids: [], foreign: [], attempted: [] };

/** The key of the members that the resource did not add. Pulumi shows no key that begins with two underscores. */
const FOREIGN = "__foreignMembers";

/** The key of the members that the resource may have added. */
const ATTEMPTED = "__attemptedMembers";

/** The keys that {@link encodeMembers} writes. */
export const MEMBER_KEYS: readonly string[] = ["members", FOREIGN, ATTEMPTED];

/** Parses the members that the state records. Returns undefined if it records none. What is no id is left out. */
export function decodeMembers({ members, ...others }: Properties): RecordedMembers | undefined {
  if (!Array.isArray(members)) return undefined;
  return { ids: idsOf(members), foreign: idsOf(others[FOREIGN]), attempted: idsOf(others[ATTEMPTED]) };
}

/**
 * Renders members for the state. Their order is that of the state before while they are the same, because the service
 * knows no order.
 */
export function encodeMembers(members: RecordedMembers | undefined, before: Properties = {}): Properties {
  if (members === undefined) return {};
  const { ids, foreign, attempted } = members;
  const recorded = decodeMembers(before)?.ids ?? [];
  return {
    members: haveSameMembers(ids, recorded) ? recorded : ids,
    ...(foreign.length > 0 && { [FOREIGN]: [...foreign].sort() }),
    ...(attempted.length > 0 && { [ATTEMPTED]: [...attempted].sort() }),
  };
}

/** Whether two lists name the same members, in any order. */
export function haveSameMembers(a: readonly string[], b: readonly string[]): boolean {
  const ids = new Set(a);
  return ids.size === new Set(b).size && b.every((id) => ids.has(id));
}

/** Returns the members that the resource added itself, or may have added. */
export function ownMembers({ ids, foreign, attempted }: RecordedMembers): readonly string[] {
  return [...new Set([...ids.filter((id) => !foreign.includes(id)), ...attempted])];
}

/** Returns the members that a resource may remove from its own group: those that it added, or may have added. */
export function detachableByOwner(members: RecordedMembers = NO_MEMBERS): ReadonlySet<string> {
  return new Set(ownMembers(members));
}

/**
 * Returns the members that a set may remove from its groups: its own, because it deletes them, too. A set with guards may
 * remove none, because a guard may keep any of them.
 */
export function detachableBySet(ids: readonly string[], guards: Guards): ReadonlySet<string> {
  return new Set(isUnguarded(guards) ? ids : []);
}

function idsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).flatMap(
    (id) => parseControlPlaneId(typeof id === "string" ? id : "") ?? [],
  );
}

/** Something in the state on which no decision can be based, because it is unclear which control plane is meant, or what guards it. */
export interface StateProblem extends PlacedRule {
  readonly kind: "id" | "address" | "guard" | "list" | "member";
}

/** What is allowed at a place of the state that holds something else. */
export interface PlacedRule {
  /** For example `outputs.controlPlanes[1].id`. */
  readonly place: SafeText;
  /** For example `must be a UUID`. */
  readonly rule: SafeText;
}

/** The rule of the identifier of a control plane. */
export const UUID_RULE = safe`must be a UUID`;

/** The key and value that mark an encrypted value. Source: Pulumi, sdk/go/common/resource/sig/sig.go. */
export const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** Whether a value of an exported state is an encrypted secret. */
export function isSecret(value: unknown): boolean {
  return isObject(value) && value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

/** Returns the fields that are secrets, or hold one. Hooks get none, because Pulumi decrypts what it sends them. */
export function secretFieldsOf(properties: Properties): readonly string[] {
  return Object.keys(properties).filter((field) => holdsSecret(properties[field]));
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}

/** Returns properties without some of their fields. */
export function omit(properties: Properties, fields: readonly string[]): Properties {
  if (fields.length === 0) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([field]) => !fields.includes(field)));
}

/** A problem document as the state stores it, in at most 1,000 bytes of JSON. */
export interface StoredProblem {
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly type?: string;
  /** Correlation identifier. */
  readonly instance?: string;
}

const MAX_BYTES = 1_000;

/** Returns the problem of a failed call as the state stores it. A detail that is too long is shortened. */
export function toStoredProblem({ facts, problem }: ControlPlaneError): StoredProblem {
  const { title, detail, type, instance } = problem ?? {};
  const stored: StoredProblem = {
    status: facts?.status ?? 0,
    title: storableText(title ?? "", 80),
    ...(type !== undefined && { type: storableText(type, 80) }),
    ...(instance !== undefined && { instance: storableText(instance, 80) }),
  };
  if (detail === undefined) return stored;
  const withDetail = (length: number) => ({ ...stored, detail: storableText(detail, length) });
  // A character can take several bytes, and more where it is escaped.
  const length = [400, 200, 100, 50].find(
    (n) => Buffer.byteLength(JSON.stringify(withDetail(n))) <= MAX_BYTES,
  );
  return length === undefined ? stored : withDetail(length);
}

/** Returns the problem document of an error as the state stores it. Returns undefined if there is none. */
export function problemOf(error: Error | undefined): StoredProblem | undefined {
  return error instanceof ControlPlaneError && error.problem !== undefined
    ? toStoredProblem(error)
    : undefined;
}

/** Returns the problem to store. One that differs only in its correlation identifier is not a change. */
export function keepSameProblem(
  problem: StoredProblem | undefined,
  before: StoredProblem | undefined,
): StoredProblem | undefined {
  if (problem === undefined || before === undefined) return problem;
  const isSame = isDeepStrictEqual({ ...problem, instance: "" }, { ...before, instance: "" });
  return isSame ? before : problem;
}

/** Whether a value is a problem as the state stores it. */
export function isStoredProblem(value: unknown): value is StoredProblem {
  return isObject(value) && typeof value.status === "number" && typeof value.title === "string";
}
