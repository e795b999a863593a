import { settingsError, type ControlPlaneError } from "../service/failure/control-plane-error.js";
import { isObject, parseJsonObject } from "../text/json.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
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
}

/** The version of a deployment, and where its resources stand. */
interface Deployment {
  readonly place: string;
  readonly version: unknown;
  readonly deployment: unknown;
  /** Name of the stack, where the file records it. */
  readonly stackName?: unknown;
}

/** Versions of a deployment. Both have the same resources. Source: Pulumi, sdk/go/common/apitype/core.go. */
const VERSIONS: readonly unknown[] = [3, 4];

/** What every stack has, whatever its program declares. */
const ALWAYS_THERE = /^pulumi:(?:pulumi:Stack$|providers:)/;

/**
 * Parses the state of a stack: what `pulumi stack export` prints, or the file of a file backend.
 *
 * @param source where the text comes from, for messages
 * @throws ControlPlaneError that names the place and what is expected there
 */
export function parseStackState(text: string, source: SafeText): StackState {
  const { place, version, deployment, stackName } = findDeployment(text, source);
  if (!VERSIONS.includes(version)) {
    const found = version === undefined ? safe`missing` : safeText(JSON.stringify(version), 40);
    throw malformed(source, safe`version must be 3 or 4, but it is ${found}`);
  }
  // A stack that nothing was deployed to has no deployment, or one without resources.
  const { resources = null } = isObject(deployment) ? deployment : {};
  if (!isAbsent(deployment) && !isObject(deployment)) {
    throw malformed(source, safe`${safeText(place, 40)} must be an object`);
  }
  if (resources !== null && !Array.isArray(resources)) {
    throw malformed(source, safe`${safeText(place, 40)}.resources must be a list`);
  }
  const entries: readonly unknown[] = resources ?? [];
  const parsed = entries.map((entry, index) =>
    parseResource(entry, (what) =>
      malformed(source, safe`${safeText(`${place}.resources[${index}]`, 60)}${what}`),
    ),
  );
  return summarize(parsed, typeof stackName === "string" ? stackName : undefined);
}

function findDeployment(text: string, source: SafeText): Deployment {
  const json = parseJsonObject(text);
  if (json === undefined) {
    throw malformed(source, text.trim() === "" ? safe`it is empty` : safe`it is not a JSON object`);
  }
  const { version, deployment, checkpoint } = json;
  if ("deployment" in json) return { place: "deployment", version, deployment };
  if (isObject(checkpoint)) {
    const { latest, stack } = checkpoint;
    return { place: "checkpoint.latest", version, deployment: latest, stackName: stack };
  }
  throw malformed(source, safe`it has neither deployment nor checkpoint`);
}

function summarize(resources: readonly StateResource[], stackName: string | undefined): StackState {
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
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function malformed(source: SafeText, what: SafeText): ControlPlaneError {
  return settingsError(safe`no plan: ${source} is not the state of a stack: ${what}
  Expected is the output of pulumi stack export, or the stack's file of a file backend. Nothing was sent.`);
}
