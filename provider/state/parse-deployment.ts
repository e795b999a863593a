import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { isObject, parseJsonObject } from "../text/json.js";
import { safe, type SafeText, safeText } from "../text/safe-text.js";
import { decodeDeployment, type Deployment } from "./deployment.js";
import type { PlacedRule } from "./state-problem.js";

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
