import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { isObject, parseJsonObject } from "../text/json.js";
import { safe, type SafeText, safeText } from "../text/safe-text.js";
import type { PlacedRule } from "./recorded-fields.js";
import { type OwnType, ownTypeOf } from "./resource-types.js";
import { decodeSet, type RecordedSet } from "./set-codec.js";
import { decodeControlPlane, type RecordedControlPlane } from "./state-codec.js";

/** What a stack holds, as far as it can be read. */
export interface Deployment {
  readonly resources: readonly StateResource[];
  readonly pendingOperations: readonly PendingOperation[];
  /** What is not as Pulumi writes it. Its places are below the deployment. What a resource records has its own problems. */
  readonly problems: readonly PlacedRule[];
}

/** A resource of the state. */
export interface StateResource {
  /** Where it stands below the deployment, for example `resources[3]`. */
  readonly place: SafeText;
  /** Empty if the state has none. A replaced resource that is yet to be deleted has the URN of its replacement. */
  readonly urn: string;
  /** Empty if the state has none. */
  readonly type: string;
  /** Name of the resource in the program. */
  readonly name: string;
  readonly project: string | undefined;
  readonly stack: string | undefined;
  /** The URNs of the resources that Pulumi deletes only after this one. */
  readonly dependencies: readonly string[];
  /** Undefined if the resource is not one of this provider. */
  readonly own?: OwnResource;
}

/** What a resource of this provider records, and what Pulumi does with it. */
export type OwnResource = EngineMarks &
  (
    | { readonly type: "ControlPlane"; readonly recorded: RecordedControlPlane }
    | { readonly type: "ControlPlaneSet"; readonly recorded: RecordedSet }
  );

/** What decides whether Pulumi calls the provider when it deletes a resource. */
export interface EngineMarks {
  /** Pulumi refuses to delete it (`protect`). It does not ask for that when it deletes what it has replaced. */
  readonly isProtected: boolean;
  /** The resource option that makes Pulumi drop it without a deletion. */
  readonly droppedBy: "retainOnDelete" | "deletedWith" | undefined;
  /** The program only refers to it, so Pulumi never deletes it. */
  readonly isExternal: boolean;
  /** Pulumi has deleted it to replace it, and drops it without a further call (`pendingReplacement`). */
  readonly isPendingReplacement: boolean;
  /** Its replacement exists, and the next `up` or `destroy` deletes it (`delete`). */
  readonly isReplaced: boolean;
}

/** An operation that an earlier run did not finish. */
export interface PendingOperation {
  /** Pulumi's word, for example `creating`. Undefined if the state does not say it. */
  readonly operation: string | undefined;
  readonly urn: string | undefined;
  /** Name of the resource in the program. */
  readonly resource: string | undefined;
  /** Whether the resource is one of this provider. */
  readonly isOwn: boolean;
  /** The name that a control plane was to get. Missing if the arguments do not show it. */
  readonly wantedName?: string;
}

/** The word of the state. Pulumi keeps such an operation until a refresh is told to clear it. */
export const CREATING = "creating";

/** Whether it is unknown what an operation made: it may have created a control plane that the state does not have. */
export function mayHaveCreated({ operation, isOwn }: PendingOperation): boolean {
  return operation === CREATING && isOwn;
}

/** What every stack has, whatever its program declares. Pulumi deletes only its own record of them. */
export const ALWAYS_THERE = /^pulumi:(?:pulumi:Stack$|providers:)/;

/** Returns the name of a resource in its program: the last part of `urn:pulumi:<stack>::<project>::<types>::<name>`. */
export function nameInUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/**
 * Parses a deployment, for example what `stack.exportStack` returns. Never throws: what is malformed is in `problems`, and
 * is read as far as that is possible.
 */
export function decodeDeployment(deployment: unknown): Deployment {
  const problems: PlacedRule[] = [];
  const refuse = (place: SafeText, rule: SafeText) => void problems.push({ place, rule });
  const listOf = (value: unknown, place: SafeText): readonly unknown[] => {
    const list = value ?? [];
    if (Array.isArray(list)) return list;
    refuse(place, safe`must be a list`);
    return [];
  };
  // A stack without a deployment has none, or one without resources.
  const content = deployment ?? {};
  if (!isObject(content)) refuse(safe``, safe`must be an object`);
  const { resources, pending_operations } = isObject(content) ? content : {};
  return {
    resources: listOf(resources, safe`resources`).flatMap(
      (entry, index) => decodeResource(entry, safe`resources[${index}]`, refuse) ?? [],
    ),
    pendingOperations: listOf(pending_operations, safe`pending_operations`).map(decodePendingOperation),
    problems,
  };
}

function decodeResource(
  entry: unknown,
  place: SafeText,
  refuse: (place: SafeText, rule: SafeText) => void,
): StateResource | undefined {
  if (!isObject(entry)) {
    refuse(place, safe`must be an object`);
    return undefined;
  }
  const { urn, type } = entry;
  const [start = "", project, types, ...name] = typeof urn === "string" ? urn.split("::") : [];
  const [, stack] = /^urn:pulumi:(.*)$/s.exec(start) ?? [];
  const isUrn = stack !== undefined && project !== undefined && types !== undefined && name.length > 0;
  if (typeof urn !== "string") refuse(safe`${place}.urn`, safe`must be a string`);
  if (typeof type !== "string") refuse(safe`${place}.type`, safe`must be a string`);
  if (typeof urn === "string" && !isUrn) {
    refuse(safe`${place}.urn`, safe`is not a URN: "${safeText(urn, 80)}"`);
  }
  const resource = {
    place,
    urn: typeof urn === "string" ? urn : "",
    type: typeof type === "string" ? type : "",
    name: typeof urn === "string" ? nameInUrn(urn) : "",
    project,
    stack,
    dependencies: dependenciesOf(entry),
  };
  const ownType = ownTypeOf(resource.type);
  if (ownType === undefined) return resource;
  const { outputs = {} } = entry;
  if (!isObject(outputs)) refuse(safe`${place}.outputs`, safe`must be an object`);
  return { ...resource, own: decodeOwn(ownType, entry, isObject(outputs) ? outputs : {}) };
}

function decodeOwn(
  type: OwnType,
  entry: Record<string, unknown>,
  outputs: Record<string, unknown>,
): OwnResource {
  const marks = engineMarksOf(entry);
  return type === "ControlPlane"
    ? { ...marks, type, recorded: decodeControlPlane(entry.id, outputs) }
    : { ...marks, type, recorded: decodeSet(outputs) };
}

/** Source: Pulumi, `GenerateDeletes` in pkg/resource/deploy/step_generator.go, and `DeleteStep.Apply` in step.go. */
function engineMarksOf(entry: Readonly<Record<string, unknown>>): EngineMarks {
  const { protect, external, retainOnDelete, deletedWith, pendingReplacement } = entry;
  const isReplaced = entry.delete === true;
  // A replaced resource is deleted by a call, also when both marks are set.
  const isPendingReplacement = pendingReplacement === true && !isReplaced;
  const isDeletedWith = typeof deletedWith === "string" && deletedWith !== "";
  return {
    isProtected: protect === true && !isReplaced && !isPendingReplacement,
    droppedBy: retainOnDelete === true ? "retainOnDelete" : isDeletedWith ? "deletedWith" : undefined,
    isExternal: external === true,
    isPendingReplacement,
    isReplaced,
  };
}

/** Source: Pulumi, `TransitiveDependenciesOf` in pkg/resource/graph/dependency_graph.go. */
function dependenciesOf(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const { parent, dependencies, propertyDependencies, deletedWith } = entry;
  const ofProperties = isObject(propertyDependencies) ? Object.values(propertyDependencies) : [];
  const urns = [parent, deletedWith, dependencies, ...ofProperties].flat();
  return urns.flatMap((urn: unknown) => (typeof urn === "string" && urn !== "" ? [urn] : []));
}

function decodePendingOperation(entry: unknown): PendingOperation {
  const { type: operation, resource } = isObject(entry) ? entry : {};
  const { urn, type, inputs } = isObject(resource) ? resource : {};
  const { name } = isObject(inputs) ? inputs : {};
  return {
    operation: typeof operation === "string" ? operation : undefined,
    urn: typeof urn === "string" ? urn : undefined,
    resource: typeof urn === "string" ? nameInUrn(urn) : undefined,
    isOwn: typeof type === "string" && ownTypeOf(type) !== undefined,
    ...(typeof name === "string" && { wantedName: name }),
  };
}

/** A deployment that is as Pulumi writes it, and the document that it was found in. */
export interface ExportedDeployment extends Deployment {
  /** Name of the stack, where the document records it: `organization/<project>/<stack>`. */
  readonly stackName: string | undefined;
  /** Creates the error of something below the deployment that is not as it must be. */
  readonly refuse: (problem: PlacedRule) => ControlPlaneError;
}

/** Versions of a deployment. Both have the same resources. Source: Pulumi, sdk/go/common/apitype/core.go. */
const VERSIONS: readonly unknown[] = [3, 4];

/**
 * Parses the deployment of a stack: what `pulumi stack export` prints, or the file of a file backend.
 *
 * @param source where the text comes from, for messages
 * @throws ControlPlaneError that names the place and what is expected there
 */
export function parseDeployment(text: string, source: SafeText): ExportedDeployment {
  const { place, version, deployment, stackName } = findDeployment(text, source);
  if (!VERSIONS.includes(version)) {
    const found = version === undefined ? safe`missing` : safeText(JSON.stringify(version), 40);
    throw malformed(source, safe`version must be 3 or 4, but it is ${found}`);
  }
  const decoded = decodeDeployment(deployment);
  const refuse = ({ place: below, rule }: PlacedRule) =>
    malformed(source, safe`${place}${below === "" ? safe`` : safe`.${below}`} ${rule}`);
  const [first] = decoded.problems;
  if (first !== undefined) throw refuse(first);
  return { ...decoded, stackName: typeof stackName === "string" ? stackName : undefined, refuse };
}

/** A deployment before it is checked. */
interface Unchecked {
  /** Where the deployment stands in the document. */
  readonly place: SafeText;
  readonly version: unknown;
  readonly deployment: unknown;
  readonly stackName?: unknown;
}

function findDeployment(text: string, source: SafeText): Unchecked {
  const json = parseJsonObject(text);
  if (json === undefined) {
    throw malformed(source, text.trim() === "" ? safe`it is empty` : safe`it is not a JSON object`);
  }
  const { version, deployment, checkpoint } = json;
  if ("deployment" in json) return { place: safe`deployment`, version, deployment };
  if (isObject(checkpoint)) {
    const { latest, stack } = checkpoint;
    return { place: safe`checkpoint.latest`, version, deployment: latest, stackName: stack };
  }
  throw malformed(source, safe`it has neither deployment nor checkpoint`);
}

/** Creates the error of a state that cannot be read. `what` names the place and what is expected there. */
function malformed(source: SafeText, what: SafeText): ControlPlaneError {
  return settingsError(
    safe`${source} is not the state of a stack: ${what}
  Expected is the output of pulumi stack export, or the stack's file of a file backend. Nothing was sent.`,
  );
}
