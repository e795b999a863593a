import { joinSafe, safe, safeText } from "../text/safe-text.js";
import { type Caller, type CallOptions, type Ended, resultOf } from "./caller.js";
import { explainCall, type FailedCall } from "./failure/explain-call.js";
import { contradiction, MAX_PAGES, REPEATED_PAGES } from "./listing.js";
import {
  type ControlPlaneNode,
  countEntities,
  ENTITY_KINDS,
  type EntityCount,
  type EntityCounts,
  type EntityKind,
  isConnected,
  type ListedNode,
  listNodes,
} from "./operations/contents.js";
import type { ControlPlaneRef } from "./operations/control-planes.js";
import { type Gone, type ReadOptions, requireGone } from "./reading.js";
import { type AnswerTime, type CallScope, timeOf } from "./retry/call.js";

/** The nodes of a control plane, or the proof that it is gone. */
export type NodeReading =
  | {
      readonly outcome: "found";
      readonly nodes: readonly ControlPlaneNode[];
      /** When the first page arrived, in monotonic milliseconds. */
      readonly answeredMs: number;
    }
  | Gone;

/** The entities of a control plane, or the proof that it is gone. */
export type EntityCounting =
  | {
      readonly outcome: "found";
      readonly counts: EntityCounts;
      /** When the first kind was answered, in monotonic milliseconds. */
      readonly answeredMs: number;
    }
  | Gone;

/** Reads the nodes of a control plane. @throws ControlPlaneError if they are not known, and it is not proven to be gone */
export function readNodes(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  { onceWithinMs }: Pick<ReadOptions, "onceWithinMs"> = {},
): Promise<NodeReading> {
  if (onceWithinMs === undefined) return readAllNodes(caller, controlPlane, scope);
  return caller.within(onceWithinMs, scope, (once, limits) =>
    readAllNodes(caller, controlPlane, once, { limits }),
  );
}

async function readAllNodes(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  options: Pick<CallOptions, "limits"> = {},
): Promise<NodeReading> {
  const nodes = new Map<string, ControlPlaneNode>();
  let largestTotal = 0;
  let answeredMs: number | undefined;
  let after: string | undefined;
  for (let page = 1; ; page += 1) {
    const operation = listNodes(controlPlane.id, after);
    const reason = safe`Its nodes could not be read, so it is unknown whether one is connected.`;
    const ended = await caller.call(operation, controlPlane, scope, { ...options, purpose: "check", reason });
    if (isMissing(ended)) return requireGone(caller, controlPlane, scope, ended);
    answeredMs ??= caller.nowMs();
    const { items, next, total } = resultOf(ended);
    const before = nodes.size;
    for (const { key, ...node } of items) {
      nodes.set(key, livelier(nodes.get(key), describeSilence(node, timeOf(ended.end))));
    }
    largestTotal = Math.max(largestTotal, total);
    const isStale = before > 0 && items.length > 0 && nodes.size === before;
    if (isStale) throw contradiction(ended, REPEATED_PAGES);
    if (next === undefined) {
      if (nodes.size < largestTotal) throw contradiction(ended, MISSING_NODES);
      return { outcome: "found", nodes: [...nodes.values()], answeredMs };
    }
    if (next === after || page === MAX_PAGES) throw contradiction(ended, REPEATED_PAGES);
    after = next;
  }
}

const MISSING_NODES = safe`The pages hold fewer nodes than the total says, so it is unknown whether one is connected.`;

/** The 404 of a part of a control plane has another form than that of the control plane itself, so a GET finds out what it means. */
function isMissing({ end }: Ended<unknown>): boolean {
  return end.judgment.verdict === "gone" || (end.answer.kind === "reply" && end.answer.status === 404);
}

/** Measures from the earlier of two clocks, so that a wrong one never makes a node look as if it were gone. */
function describeSilence(
  { lastPingMs, ...node }: Omit<ListedNode, "key">,
  { earliestMs }: AnswerTime,
): ControlPlaneNode {
  return { ...node, ...(lastPingMs !== undefined && { silentForMs: earliestMs - lastPingMs }) };
}

/** Returns the one of two descriptions of a node that speaks more for it being connected. */
function livelier(before: ControlPlaneNode | undefined, now: ControlPlaneNode): ControlPlaneNode {
  if (before === undefined || (isConnected(now) && !isConnected(before))) return now;
  return before;
}

/**
 * Counts the entities of every kind, with one request for each.
 *
 * @throws ControlPlaneError if a count is not known, and it is not proven to be gone; it names each such kind
 */
export async function countAllEntities(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
): Promise<EntityCounting> {
  let answeredMs: number | undefined;
  const answers = await Promise.all(
    ENTITY_KINDS.map(async (kind) => {
      const operation = countEntities(controlPlane.id, kind);
      const ended = await caller.call(operation, controlPlane, scope, { purpose: "check" });
      answeredMs ??= caller.nowMs();
      return { kind, ended };
    }),
  );
  const counts: Partial<Record<EntityKind, EntityCount>> = {};
  for (const { kind, ended } of answers) {
    const { judgment } = ended.end;
    if (judgment.verdict === "done") counts[kind] = judgment.result;
  }
  const uncounted = answers.filter(({ kind }) => counts[kind] === undefined);
  const [failed] = uncounted;
  if (failed === undefined) {
    return { outcome: "found", counts: counts as EntityCounts, answeredMs: answeredMs ?? caller.nowMs() };
  }
  const explained = (ended: Ended<unknown>) => ({
    ...ended,
    failed: { ...ended.failed, ...describeUncounted(uncounted.map(({ kind }) => kind)) },
  });
  const missing = uncounted.find(({ ended }) => isMissing(ended));
  if (missing !== undefined) return requireGone(caller, controlPlane, scope, explained(missing.ended));
  const stopped = uncounted.find(({ ended }) => ended.end.stop === "interrupted") ?? failed;
  throw explainCall(explained(stopped.ended).failed);
}

/** Describes which kinds of entities are not known. */
function describeUncounted(kinds: readonly EntityKind[]): Pick<FailedCall, "reason" | "findings"> {
  const names = kinds.map((kind) => safeText(kind, 40));
  return {
    reason: safe`Its entities could not be counted, so it is unknown whether it is empty.`,
    findings: [safe`Not counted: ${joinSafe(names, ", ")}.`],
  };
}
