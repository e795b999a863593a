import { CREATING, type PendingOperation } from "../state/deployment.js";
import { joinSafe, safe, safeName, type SafeText } from "../text/safe-text.js";

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
