import { detachableByOwner, detachableBySet } from "../hooks/obstacles.js";
import {
  decodeMembers,
  DELETION_POLICIES,
  GUARD_ARGUMENTS,
  type Guards,
  isDeletionPolicy,
  isLabels,
} from "../state/recorded-fields.js";
import { decodeState } from "../state/state-codec.js";
import type { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { parseAddress } from "../service/http/address.js";
import { parseControlPlaneId } from "../service/operations/control-plane-ref.js";
import { isObject } from "../text/json.js";
import { safe, type SafeText, safeText } from "../text/safe-text.js";

/** A control plane as the state records it, with everything that decides whether a destroy deletes it. */
export interface RecordedControlPlane {
  readonly urn: string;
  /** Name of the resource in the program. */
  readonly resource: string;
  readonly type: OwnType;
  /** Lower-case UUID. Undefined when it is a secret in the state. */
  readonly id: string | undefined;
  /** Normalized address. Undefined when it is a secret in the state. */
  readonly address: string | undefined;
  /** Name in the service, as it was recorded. */
  readonly name: string | undefined;
  readonly guards: Guards;
  /** The ids that may be removed from it when it is a group. With `detachMembers`, any may. */
  readonly detachable: ReadonlySet<string>;
  /** The guards that are secrets in the state. */
  readonly secretGuards: readonly (keyof Guards)[];
  /** Pulumi refuses to delete it (`protect`). */
  readonly isProtected: boolean;
  /** The resource option because of which Pulumi drops it without deleting it. */
  readonly droppedBy: "retainOnDelete" | "deletedWith" | undefined;
  /** The program only refers to it, so Pulumi never deletes it. */
  readonly isExternal: boolean;
}

/** The resource types of this provider. */
export type OwnType = "ControlPlane" | "ControlPlaneSet";

/** A resource of the state. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly project: string;
  readonly stack: string;
  /** The URNs of the resources that Pulumi deletes only after this one. */
  readonly dependencies: readonly string[];
  /** Undefined when the resource is not one of this provider. */
  readonly controlPlanes?: readonly RecordedControlPlane[];
}

/** Creates the error of a malformed resource. `what` follows the place of the resource, for example `.urn must be …`. */
type Refuse = (what: SafeText) => ControlPlaneError;

const OWN_TYPE = /^pulumi-nodejs:dynamic\/konnect:(ControlPlane|ControlPlaneSet)$/;

/** Parses a resource of the state. @throws ControlPlaneError when it is malformed */
export function parseResource(entry: unknown, refuse: Refuse): StateResource {
  if (!isObject(entry)) throw refuse(safe` must be an object`);
  const { urn, type } = entry;
  if (typeof urn !== "string") throw refuse(safe`.urn must be a text`);
  if (typeof type !== "string") throw refuse(safe`.type must be a text`);
  const [start = "", project, types, ...name] = urn.split("::");
  const [, stack] = /^urn:pulumi:(.*)$/s.exec(start) ?? [];
  if (stack === undefined || project === undefined || types === undefined || name.length === 0) {
    throw refuse(safe`.urn is not a URN: "${safeText(urn, 80)}"`);
  }
  const parsed = { urn, type, project, stack, dependencies: dependenciesOf(entry) };
  const ownType = ownTypeOf(type);
  if (ownType === undefined) return parsed;
  const controlPlanes = parseOwn(entry, { urn, resource: nameInUrn(urn), type: ownType }, refuse);
  return { ...parsed, controlPlanes };
}

/** Returns the name of a resource in its program: the last part of `urn:pulumi:<stack>::<project>::<types>::<name>`. */
export function nameInUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Source: Pulumi, `TransitiveDependenciesOf` in pkg/resource/graph/dependency_graph.go. */
function dependenciesOf(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const { parent, dependencies, propertyDependencies, deletedWith } = entry;
  const ofProperties = isObject(propertyDependencies) ? Object.values(propertyDependencies) : [];
  const urns = [parent, deletedWith, dependencies, ...ofProperties].flat();
  return urns.flatMap((urn: unknown) => (typeof urn === "string" && urn !== "" ? [urn] : []));
}

/** Returns which of this provider's types a resource type is, or undefined for any other. */
export function ownTypeOf(type: string): OwnType | undefined {
  const [, own] = OWN_TYPE.exec(type) ?? [];
  return own === "ControlPlane" || own === "ControlPlaneSet" ? own : undefined;
}

type Identity = Pick<RecordedControlPlane, "urn" | "resource" | "type">;

function parseOwn(
  entry: Readonly<Record<string, unknown>>,
  identity: Identity,
  refuse: Refuse,
): readonly RecordedControlPlane[] {
  const { id, outputs = {}, protect, external } = entry;
  if (!isObject(outputs)) throw refuse(safe`.outputs must be an object`);
  const readable = Object.fromEntries(Object.entries(outputs).filter(([, value]) => !holdsSecret(value)));
  const shared = {
    ...identity,
    address: isSecret(outputs.baseUrl) ? undefined : parseRecordedAddress(readable.baseUrl, refuse),
    guards: parseGuards(readable, refuse),
    secretGuards: GUARD_ARGUMENTS.filter((guard) => holdsSecret(outputs[guard])),
    isProtected: protect === true,
    droppedBy: droppedBy(entry),
    isExternal: external === true || decodeState(outputs).origin === "external",
  };
  if (identity.type === "ControlPlane") {
    const { name } = decodeState(readable);
    const detachable = detachableByOwner(decodeMembers(readable));
    return [{ ...shared, id: parseRecordedId(id, safe`.id`, refuse), name, detachable }];
  }
  const members = parseMembers(outputs.controlPlanes, refuse);
  // A guard that is not known may keep a member, too.
  const ids = shared.secretGuards.length > 0 ? [] : members.flatMap((member) => member.id ?? []);
  const detachable = detachableBySet(ids, shared.guards);
  return members.map((member) => ({ ...shared, ...member, detachable }));
}

function droppedBy({
  retainOnDelete,
  deletedWith,
}: Readonly<Record<string, unknown>>): RecordedControlPlane["droppedBy"] {
  if (retainOnDelete === true) return "retainOnDelete";
  return typeof deletedWith === "string" && deletedWith !== "" ? "deletedWith" : undefined;
}

/** Parses the members of a set. Members that are secret as a whole count as one, of which nothing is known. */
function parseMembers(
  members: unknown,
  refuse: Refuse,
): readonly Pick<RecordedControlPlane, "id" | "name">[] {
  const unknown = { id: undefined, name: undefined };
  if (isSecret(members)) return [unknown];
  const place = safe`.outputs.controlPlanes`;
  if (!Array.isArray(members)) throw refuse(safe`${place} must be a list`);
  return members.map((member: unknown, index) => {
    if (isSecret(member)) return unknown;
    if (!isObject(member)) throw refuse(safe`${place}[${index}] must be an object`);
    const { id, name } = member;
    return {
      id: isSecret(id) ? undefined : parseRecordedId(id, safe`${place}[${index}].id`, refuse),
      name: typeof name === "string" ? name : undefined,
    };
  });
}

function parseRecordedId(id: unknown, place: SafeText, refuse: Refuse): string {
  const parsed = typeof id === "string" ? parseControlPlaneId(id) : undefined;
  if (parsed === undefined) throw refuse(safe`${place} must be a UUID`);
  return parsed;
}

function parseRecordedAddress(baseUrl: unknown, refuse: Refuse): string {
  const parsed = parseAddress(typeof baseUrl === "string" ? baseUrl : "");
  if (!parsed.ok) throw refuse(safe`.outputs.baseUrl ${parsed.reason}`);
  return parsed.address;
}

function parseGuards(
  { onlyIfLabels, deletionPolicy, detachMembers }: Readonly<Record<string, unknown>>,
  refuse: Refuse,
): Guards {
  if (onlyIfLabels !== undefined && !isLabels(onlyIfLabels)) {
    throw refuse(safe`.outputs.onlyIfLabels must be an object with at least one label, and texts as values`);
  }
  if (deletionPolicy !== undefined && !isDeletionPolicy(deletionPolicy)) {
    const allowed = safeText(DELETION_POLICIES.join(", "), 80);
    throw refuse(safe`.outputs.deletionPolicy must be one of ${allowed}; a newer release may know others`);
  }
  if (detachMembers !== undefined && typeof detachMembers !== "boolean") {
    throw refuse(safe`.outputs.detachMembers must be true or false`);
  }
  return {
    ...(onlyIfLabels !== undefined && { onlyIfLabels }),
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    ...(detachMembers !== undefined && { detachMembers }),
  };
}

/** The key and value that mark an encrypted value. Source: Pulumi, sdk/go/common/resource/sig/sig.go. */
const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

function isSecret(value: unknown): boolean {
  return isObject(value) && value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

/** Whether a value is a secret, or holds one. */
function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}
