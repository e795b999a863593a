import { ALWAYS_THERE, parseDeployment, type StateResource } from "../state/deployment.js";
import { safe, safeName, type SafeText } from "../text/safe-text.js";
import { describePending } from "./stack-state.js";

/** Whether a destroy may skip Pulumi's checkpoints, and why. */
export interface CheckpointVerdict {
  readonly maySkip: boolean;
  /** For example `the stack holds only resources of this package`. A sentence may follow, without its full stop. */
  readonly why: SafeText;
}

/** The text that the state of this package's resources holds. Another class can have the same type, but not this text. */
const OWN_PROVIDER = /^exports\.handler=\(\)=>require\("pulumi-konnect-control-planes\/v1(?:\/set)?"\)$/;

/**
 * Judges whether a destroy of a stack may skip Pulumi's checkpoints. A destroy that is killed then leaves the state as it
 * was, so the next one repeats each delete. Only the deletes of this package are known to succeed again.
 *
 * @param text what `pulumi stack export` prints, or the file of a file backend
 * @param source where the text comes from, for messages
 * @throws ControlPlaneError if the text is not the state of a stack
 */
export function judgeCheckpoints(text: string, source: SafeText): CheckpointVerdict {
  const { resources, pendingOperations } = parseDeployment(text, source);
  if (pendingOperations.length > 0) {
    return { maySkip: false, why: safe`the state has ${describePending(pendingOperations)}` };
  }
  const others = resources.filter((resource) => !isRepeatable(resource));
  const [first] = others;
  if (first === undefined) {
    return { maySkip: true, why: safe`the stack holds only resources of this package` };
  }
  const example = safe`${safeName(first.type, 100)} "${safeName(first.name, 60)}"`;
  const found =
    others.length === 1
      ? safe`1 resource of another kind, ${example}`
      : safe`${others.length} resources of other kinds, for example ${example}`;
  return { maySkip: false, why: safe`the stack holds ${found}` };
}

/** Whether the delete of a resource is known to succeed when it is repeated: one of this package, or that every stack has. */
function isRepeatable({ type, own }: StateResource): boolean {
  if (own === undefined) return ALWAYS_THERE.test(type);
  const { __provider: provider } = own.recorded.outputs;
  return typeof provider === "string" && OWN_PROVIDER.test(provider);
}
