import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { isObject, parseJsonObject } from "../text/json.js";
import { safe, type SafeText, safeText } from "../text/safe-text.js";
import { parsePendingOperation, type PendingOperation } from "./pending-operations.js";

/** What a stack holds, as far as its shape is known. */
export interface Deployment {
  /** Where the deployment stands in the document, for messages. */
  readonly place: SafeText;
  readonly resources: readonly unknown[];
  readonly pendingOperations: readonly PendingOperation[];
  /** Name of the stack, where the document records it: `organization/<project>/<stack>`. */
  readonly stackName: string | undefined;
}

/** A deployment before it is checked. */
interface Unchecked {
  readonly place: SafeText;
  readonly version: unknown;
  readonly deployment: unknown;
  readonly stackName?: unknown;
}

/** Versions of a deployment. Both have the same resources. Source: Pulumi, sdk/go/common/apitype/core.go. */
const VERSIONS: readonly unknown[] = [3, 4];

/** What every stack has, whatever its program declares. Pulumi deletes nothing but its own record of them. */
export const ALWAYS_THERE = /^pulumi:(?:pulumi:Stack$|providers:)/;

/**
 * Parses the deployment of a stack: what `pulumi stack export` prints, or the file of a file backend.
 *
 * @param source where the text comes from, for messages
 * @throws ControlPlaneError that names the place and what is expected there
 */
export function parseDeployment(text: string, source: SafeText): Deployment {
  const { place, version, deployment, stackName } = findDeployment(text, source);
  if (!VERSIONS.includes(version)) {
    const found = version === undefined ? safe`missing` : safeText(JSON.stringify(version), 40);
    throw malformed(source, safe`version must be 3 or 4, but it is ${found}`);
  }
  // A stack that nothing was deployed to has no deployment, or one without resources.
  const content = deployment ?? {};
  if (!isObject(content)) throw malformed(source, safe`${place} must be an object`);
  const { resources, pending_operations } = content;
  const listOf = (value: unknown, name: SafeText): readonly unknown[] => {
    const list = value ?? [];
    if (!Array.isArray(list)) throw malformed(source, safe`${place}.${name} must be a list`);
    return list;
  };
  return {
    place,
    resources: listOf(resources, safe`resources`),
    pendingOperations: listOf(pending_operations, safe`pending_operations`).map(parsePendingOperation),
    stackName: typeof stackName === "string" ? stackName : undefined,
  };
}

/** Creates the error of a state that cannot be read. `what` names the place and what is expected there. */
export function malformed(source: SafeText, what: SafeText): ControlPlaneError {
  return settingsError(
    safe`${source} is not the state of a stack: ${what}
  Expected is the output of pulumi stack export, or the stack's file of a file backend. Nothing was sent.`,
  );
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
