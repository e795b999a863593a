import { isObject } from "../text/json.js";
import { safe, safeName, type SafeText, safeText } from "../text/safe-text.js";
import { ALWAYS_THERE, malformed, parseDeployment } from "./deployment.js";
import { describePending } from "./pending-operations.js";
import { nameInUrn, ownTypeOf } from "./recorded-control-plane.js";

/** Whether a destroy may skip Pulumi's checkpoints, and why. */
export interface CheckpointVerdict {
  readonly maySkip: boolean;
  /** For example `the stack holds only resources of this package`. A sentence may follow, without its full stop. */
  readonly why: SafeText;
}

/** A resource whose delete is not known to succeed when it is repeated. */
interface OtherResource {
  readonly type: string;
  readonly name: string;
}

/** The text that the state of this package's resources holds. Another class can have the same type, but not this text. */
const OWN_PROVIDER = /^exports\.handler=\(\)=>require\("pulumi-konnect-control-planes\/v1(?:\/set)?"\)$/;

/**
 * Judges whether a destroy of a stack may skip Pulumi's checkpoints. A destroy that is killed then leaves the state as it
 * was, so the next one repeats each delete. Only the deletes of this package are known to succeed again.
 *
 * @param text what `pulumi stack export` prints, or the file of a file backend
 * @param source where the text comes from, for messages
 * @throws ControlPlaneError when the text is not the state of a stack
 */
export function judgeCheckpoints(text: string, source: SafeText): CheckpointVerdict {
  const { place, resources, pendingOperations } = parseDeployment(text, source);
  if (pendingOperations.length > 0) {
    return { maySkip: false, why: safe`the state has ${describePending(pendingOperations)}` };
  }
  const others = resources.flatMap(
    (entry, index) =>
      otherResource(entry, (what) =>
        malformed(source, safe`${safeText(`${place}.resources[${index}]`, 60)}${what}`),
      ) ?? [],
  );
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

/** Returns a resource unless it is one of this package or one that every stack has. */
function otherResource(entry: unknown, refuse: (what: SafeText) => Error): OtherResource | undefined {
  if (!isObject(entry)) throw refuse(safe` must be an object`);
  const { urn, type, outputs } = entry;
  if (typeof urn !== "string") throw refuse(safe`.urn must be a text`);
  if (typeof type !== "string") throw refuse(safe`.type must be a text`);
  if (ALWAYS_THERE.test(type)) return undefined;
  const provider = isObject(outputs) ? outputs.__provider : undefined;
  const isOwn = ownTypeOf(type) !== undefined && typeof provider === "string" && OWN_PROVIDER.test(provider);
  return isOwn ? undefined : { type, name: nameInUrn(urn) };
}
