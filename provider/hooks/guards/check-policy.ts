import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { describeEntities } from "../../service/operations/lists/list-entities.js";
import { type ControlPlaneNode, isConnected } from "../../service/operations/lists/list-nodes.js";
import { describeDuration } from "../../text/duration.js";
import { joinFirst, joinSafe, safe, safeName, type SafeText } from "../../text/safe-text.js";
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
  return {
    outcome: "obstacle",
    summary: connected.length === 1 ? safe`1 connected node` : safe`${connected.length} connected nodes`,
    explanation: safe`${joinFirst(connected.map(describeNode), LISTED)}.`,
  };
}

function describeNode({ hostname, silentForMs }: ControlPlaneNode): SafeText {
  const name = hostname === undefined ? safe`a node without a name` : safeName(hostname, 80);
  if (silentForMs === undefined) return safe`${name} (last heard of at an unknown time)`;
  return safe`${name} (last heard of ${describeDuration(Math.max(0, silentForMs))} ago)`;
}

/** Looks for configured entities. @throws ControlPlaneError on any doubt */
export async function checkEntities(
  { client, ...scope }: GuardScope,
  controlPlane: ControlPlaneRef,
): Promise<Finding> {
  const counting = await client.countEntities(controlPlane, scope);
  if (counting.outcome === "gone") return counting;
  const found = describeEntities(counting.counts);
  if (found.length === 0) return { outcome: "clear", answeredMs: counting.answeredMs };
  return {
    outcome: "obstacle",
    summary: safe`Not empty`,
    explanation: safe`It has ${joinSafe(found, ", ")}.`,
  };
}
