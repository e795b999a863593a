import { safe, safeText } from "../text/safe-text.js";
import { type Caller, resultOf } from "./caller.js";
import { contradiction, MAX_PAGES, REPEATED_PAGES } from "./listing.js";
import {
  type ControlPlaneNode,
  countEntities,
  ENTITY_KINDS,
  type EntityCount,
  type EntityKind,
  type ListedNode,
  listNodes,
} from "./operations/contents.js";
import type { ControlPlaneRef } from "./operations/control-planes.js";
import { type Gone, requireGone } from "./reading.js";
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
      readonly counts: Readonly<Record<EntityKind, EntityCount>>;
      /** When the first kind was answered, in monotonic milliseconds. */
      readonly answeredMs: number;
    }
  | Gone;

/** Reads the nodes of a control plane. @throws ControlPlaneError when they are not known, and it is not proven to be gone */
export async function readNodes(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
): Promise<NodeReading> {
  const nodes: ControlPlaneNode[] = [];
  let largestTotal = 0;
  let answeredMs: number | undefined;
  let after: string | undefined;
  for (let page = 1; ; page += 1) {
    const operation = listNodes(controlPlane.id, after);
    const reason = safe`Its nodes could not be read, so it is unknown whether one is connected.`;
    const ended = await caller.call(operation, controlPlane, scope, { purpose: "check", reason });
    if (ended.end.judgement.verdict === "gone") return requireGone(caller, controlPlane, scope, ended);
    answeredMs ??= caller.nowMs();
    const { items, next, total } = resultOf(ended);
    nodes.push(...items.map((node) => describeSilence(node, timeOf(ended.end))));
    largestTotal = Math.max(largestTotal, total);
    if (next === undefined) {
      if (nodes.length < largestTotal) throw contradiction(ended, MISSING_NODES);
      return { outcome: "found", nodes, answeredMs };
    }
    if (next === after || page === MAX_PAGES) throw contradiction(ended, REPEATED_PAGES);
    after = next;
  }
}

const MISSING_NODES = safe`The pages hold fewer nodes than the total says, so it is unknown whether one is connected.`;

/** Measures from the earlier of two clocks, so that a wrong one never makes a node look as if it were gone. */
function describeSilence({ lastPingMs, ...node }: ListedNode, { earliestMs }: AnswerTime): ControlPlaneNode {
  return { ...node, ...(lastPingMs !== undefined && { silentForMs: earliestMs - lastPingMs }) };
}

/** Counts the entities of every kind. @throws ControlPlaneError when a count is not known, and it is not proven to be gone */
export async function countAllEntities(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
): Promise<EntityCounting> {
  let answeredMs: number | undefined;
  const answers = await Promise.all(
    ENTITY_KINDS.map(async (kind) => {
      const reason = safe`Its ${safeText(kind, 20)} could not be counted, so it is unknown whether it is empty.`;
      const operation = countEntities(controlPlane.id, kind);
      const ended = await caller.call(operation, controlPlane, scope, { purpose: "check", reason });
      answeredMs ??= caller.nowMs();
      const isMissing = ended.end.judgement.verdict === "gone";
      return { kind, ended, count: isMissing ? undefined : resultOf(ended) };
    }),
  );
  const missing = answers.find(({ count }) => count === undefined);
  if (missing !== undefined) return requireGone(caller, controlPlane, scope, missing.ended);
  const counts = Object.fromEntries(answers.map(({ kind, count }) => [kind, count]));
  return {
    outcome: "found",
    counts: counts as Record<EntityKind, EntityCount>,
    answeredMs: answeredMs ?? caller.nowMs(),
  };
}
