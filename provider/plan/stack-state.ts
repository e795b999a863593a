import {
  ALWAYS_THERE,
  CREATING,
  parseDeployment,
  type PendingOperation,
  type StateResource,
} from "../state/deployment.js";
import { type HeldControlPlane, heldControlPlanes } from "../state/held-control-planes.js";
import { joinSafe, safe, safeName, type SafeText } from "../text/safe-text.js";
import type { Dependencies } from "./consequences.js";

/** The state of a stack, as far as a plan needs it. */
export interface StackState {
  /** Undefined if the state names none, because it has no resources. */
  readonly project: string | undefined;
  /** Undefined if the state names none, because it has no resources. */
  readonly stack: string | undefined;
  /** The resources of this provider. A set counts once. */
  readonly ownResources: number;
  /** The members of sets are listed one by one. */
  readonly controlPlanes: readonly HeldControlPlane[];
  /** Resources of other kinds. The stack itself and the providers do not count. */
  readonly otherResources: number;
  readonly pendingOperations: readonly PendingOperation[];
  readonly dependencies: Dependencies;
}

/**
 * Parses the state of a stack: what `pulumi stack export` prints, or the file of a file backend.
 *
 * @param source where the text comes from, for messages
 * @throws ControlPlaneError that names the place and what is expected there
 */
export function parseStackState(text: string, source: SafeText): StackState {
  const { resources, pendingOperations, stackName, refuse } = parseDeployment(text, source);
  for (const { place, own } of resources) {
    const [problem] = own?.recorded.problems ?? [];
    if (problem !== undefined) throw refuse({ place: safe`${place}.${problem.place}`, rule: problem.rule });
  }
  const own = resources.filter((resource) => resource.own !== undefined);
  const others = resources.filter(
    (resource) => resource.own === undefined && !ALWAYS_THERE.test(resource.type),
  );
  // The file of a file backend says `organization/<project>/<stack>`.
  const [stack, project] = stackName?.split("/").reverse() ?? [];
  return {
    project: resources[0]?.project ?? project,
    stack: resources[0]?.stack ?? stack,
    ownResources: own.length,
    controlPlanes: own.flatMap(heldControlPlanes),
    otherResources: others.length,
    pendingOperations,
    dependencies: joinDependencies(resources),
  };
}

/** A replaced resource that is yet to be deleted has the URN of its replacement. */
function joinDependencies(resources: readonly StateResource[]): Dependencies {
  const joined = new Map<string, readonly string[]>();
  for (const { urn, dependencies } of resources) {
    if (dependencies.length > 0) joined.set(urn, [...(joined.get(urn) ?? []), ...dependencies]);
  }
  return joined;
}

/** Names at most this many. */
const LISTED = 3;

/** Describes pending operations and the next step, without the last full stop: `1 pending operation: …. Run …`. */
export function describePending(operations: readonly PendingOperation[]): SafeText {
  const isOne = operations.length === 1;
  const count = isOne ? safe`1 pending operation` : safe`${operations.length} pending operations`;
  const named = operations.slice(0, LISTED).map(describeOperation);
  const more = operations.length > LISTED ? [safe`…`] : [];
  const next = operations.some(({ operation }) => operation === CREATING)
    ? safe`Run pulumi refresh --clear-pending-creates`
    : safe`The next pulumi destroy clears ${isOne ? safe`it` : safe`them`}`;
  return safe`${count}: ${joinSafe([...named, ...more], ", ")}. ${next}`;
}

function describeOperation({ operation, resource }: PendingOperation): SafeText {
  if (operation === undefined) return safe`an unknown operation`;
  return safe`${safeName(operation, 20)} ${resource === undefined ? safe`something` : safeName(resource, 60)}`;
}
