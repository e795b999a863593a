import { ownTypeOf } from "../../provider/state/resource-types.js";
/** A resource of this provider as the state stores it. */
export interface StoredResource {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
}

/** Returns the ids of the control planes that a resource stands for: its own, or those of a set. */
export function controlPlaneIdsOf({ id, outputs }: StoredResource): readonly string[] {
  const members: unknown = outputs.controlPlanes;
  if (!Array.isArray(members)) return [id];
  return (members as readonly { readonly id: string }[]).map((member) => member.id);
}

/** The state of a stack. */
export interface StackState {
  /** The text of the state file. `LocalStack.writeState` takes it. */
  readonly text: string;
  /** The same state as `pulumi stack export` prints it and `pulumi stack import` takes it. */
  readonly exported: string;
  /** The URNs of all resources, among them the stack itself. */
  readonly urns: readonly string[];
  /** The resources of this provider. */
  readonly resources: readonly StoredResource[];
  /** The number of operations that did not end. */
  readonly pending: number;
}

/**
 * What a file backend stores of a stack. `latest` is missing until the first run.
 *
 * Source: `VersionedCheckpoint` and `CheckpointV3` in sdk/go/common/apitype/core.go of pulumi/pulumi.
 */
export interface Checkpoint {
  readonly version: number;
  readonly features?: readonly string[];
  readonly checkpoint: { readonly stack: string; readonly latest?: Deployment | null };
}

/** The part of a checkpoint that `pulumi stack export` prints. */
export interface Deployment {
  readonly resources?: readonly (StoredResource & { readonly type: string })[];
  readonly pending_operations?: readonly unknown[];
}

/** Parses the text of a state file. Fails when it is cut off or is no checkpoint. */
export function parseCheckpoint(text: string): Checkpoint {
  const value: unknown = JSON.parse(text);
  if (isObject(value) && typeof value.version === "number" && isObject(value.checkpoint)) {
    return value as unknown as Checkpoint;
  }
  throw new Error("it is no checkpoint: version or checkpoint is missing");
}

/** Returns the state that the text of a state file holds. */
export function stateOf(text: string): StackState {
  const { version, features, checkpoint } = parseCheckpoint(text);
  const deployment = checkpoint.latest ?? null;
  const all = deployment?.resources ?? [];
  return {
    text,
    exported: JSON.stringify({ version, features, deployment }, undefined, 4),
    urns: all.map(({ urn }) => urn),
    resources: all.filter(({ type }) => ownTypeOf(type) !== undefined),
    pending: deployment?.pending_operations?.length ?? 0,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
