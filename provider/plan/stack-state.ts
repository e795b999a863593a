import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { ALWAYS_THERE, malformed, parseDeployment } from "./deployment.js";
import type { Dependencies } from "./consequences.js";
import type { PendingOperation } from "./pending-operations.js";
import { parseResource, type RecordedControlPlane, type StateResource } from "./recorded-control-plane.js";

/** The state of a stack, as far as a plan needs it. */
export interface StackState {
  /** Undefined when the state names none, because it has no resources. */
  readonly project: string | undefined;
  /** Undefined when the state names none, because it has no resources. */
  readonly stack: string | undefined;
  /** The resources of this provider. A set counts once. */
  readonly ownResources: number;
  /** The members of sets are listed one by one. */
  readonly controlPlanes: readonly RecordedControlPlane[];
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
  const { place, resources, pendingOperations, stackName } = parseDeployment(text, source);
  const parsed = resources.map((entry, index) =>
    parseResource(entry, (what) =>
      malformed(source, safe`${safeText(`${place}.resources[${index}]`, 60)}${what}`),
    ),
  );
  return { ...summarize(parsed, stackName), pendingOperations };
}

function summarize(
  resources: readonly StateResource[],
  stackName: string | undefined,
): Omit<StackState, "pendingOperations"> {
  const own = resources.filter(({ controlPlanes }) => controlPlanes !== undefined);
  const others = resources.filter(
    ({ type, controlPlanes }) => controlPlanes === undefined && !ALWAYS_THERE.test(type),
  );
  // The file of a file backend says `organization/<project>/<stack>`.
  const [stack, project] = stackName?.split("/").reverse() ?? [];
  return {
    project: resources[0]?.project ?? project,
    stack: resources[0]?.stack ?? stack,
    ownResources: own.length,
    controlPlanes: own.flatMap(({ controlPlanes = [] }) => controlPlanes),
    otherResources: others.length,
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
