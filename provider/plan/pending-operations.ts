import { isObject } from "../text/json.js";
import { joinSafe, safe, safeName, type SafeText } from "../text/safe-text.js";
import { nameInUrn, ownTypeOf } from "./recorded-control-plane.js";

/** An operation that an earlier run did not finish. */
export interface PendingOperation {
  /** Pulumi's word, for example `creating`. Undefined when the state does not say it. */
  readonly operation: string | undefined;
  readonly urn: string | undefined;
  /** Name of the resource in the program. */
  readonly resource: string | undefined;
  /** Whether the resource is one of this provider. */
  readonly isOwn: boolean;
}

/** Names at most this many. */
const LISTED = 3;

/** Parses a pending operation of the state, as far as it can be read. */
export function parsePendingOperation(entry: unknown): PendingOperation {
  const { type: operation, resource } = isObject(entry) ? entry : {};
  const { urn, type } = isObject(resource) ? resource : {};
  return {
    operation: typeof operation === "string" ? operation : undefined,
    urn: typeof urn === "string" ? urn : undefined,
    resource: typeof urn === "string" ? nameInUrn(urn) : undefined,
    isOwn: typeof type === "string" && ownTypeOf(type) !== undefined,
  };
}

/** Whether it is unknown what an operation made: it may have created a control plane that the state does not have. */
export function mayHaveCreated({ operation, isOwn }: PendingOperation): boolean {
  return operation === CREATING && isOwn;
}

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

/** The word of the state. Pulumi keeps such an operation until a refresh is told to clear it. */
const CREATING = "creating";

function describeOperation({ operation, resource }: PendingOperation): SafeText {
  if (operation === undefined) return safe`an unknown operation`;
  return safe`${safeName(operation, 20)} ${resource === undefined ? safe`something` : safeName(resource, 60)}`;
}
