import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { ENTITY_KINDS, type EntityCount } from "../../service/operations/lists/list-entities.js";
import { type ControlPlaneNode, isConnected } from "../../service/operations/lists/list-nodes.js";
import { describeDuration } from "../../text/duration.js";
import { joinSafe, safe, safeName, safeText, type SafeText } from "../../text/safe-text.js";
import { type Finding, type GuardScope, LISTED } from "./obstacle.js";

/** Looks for connected nodes. @throws ControlPlaneError on any doubt */
export async function checkNodes(
  { client, ...scope }: GuardScope,
  controlPlane: ControlPlaneRef,
): Promise<Finding> {
  const reading = await client.readNodes(controlPlane, scope);
  if (reading.outcome === "gone") return reading;
  const { nodes, answeredMs } = reading;
  const connected = nodes.filter(isConnected);
  if (connected.length === 0) return { outcome: "clear", answeredMs };
  const named = connected.slice(0, LISTED).map(describeNode);
  return {
    outcome: "obstacle",
    summary: connected.length === 1 ? safe`1 connected node` : safe`${connected.length} connected nodes`,
    explanation: safe`${joinSafe([...named, ...more(connected.length)], ", ")}.`,
  };
}

function describeNode({ hostname, silentForMs }: ControlPlaneNode): SafeText {
  const name = hostname === undefined ? safe`a node without a name` : safeName(hostname, 80);
  if (silentForMs === undefined) return safe`${name} (last heard of at an unknown time)`;
  return safe`${name} (last heard of ${describeDuration(Math.max(0, silentForMs))} ago)`;
}

function more(total: number): readonly SafeText[] {
  return total > LISTED ? [safe`and ${total - LISTED} more`] : [];
}

/** Looks for configured entities. @throws ControlPlaneError on any doubt */
export async function checkEntities(
  { client, ...scope }: GuardScope,
  controlPlane: ControlPlaneRef,
): Promise<Finding> {
  const counting = await client.countEntities(controlPlane, scope);
  if (counting.outcome === "gone") return counting;
  const found = ENTITY_KINDS.flatMap((kind) => {
    const counted = counting.counts[kind];
    if (counted.count === 0 && !counted.hasMore) return [];
    return [safe`${describeCount(counted)} ${safeText(kind, 20)}`];
  });
  if (found.length === 0) return { outcome: "clear", answeredMs: counting.answeredMs };
  return {
    outcome: "obstacle",
    summary: safe`Not empty`,
    explanation: safe`It has ${joinSafe(found, ", ")}.`,
  };
}

/** A page can be empty although others follow. */
function describeCount({ count, hasMore }: EntityCount): SafeText {
  if (count === 0) return safe`an unknown number of`;
  return hasMore ? safe`${count} or more` : safe`${count}`;
}
