import { MAX_CHANGED_MEMBERS, MAX_MEMBERS } from "../../bodies/body-schemas.js";
import type { ControlPlane } from "../../control-planes/stored-control-plane.js";
import type { InvalidParameter } from "../../service/problem-document.js";
import { mayRead } from "../../service/role.js";
import type { OperationContext } from "../route.js";

/** The number of groups that a control plane may belong to. Source: Konnect's page about control plane groups. */
const MAX_GROUPS = 5;

/** The age of a last ping, in seconds, up to which a data plane counts as connected. */
const CONNECTED_SECONDS = 300;

/** The types that cannot be members. Source: Konnect's page about control plane groups. */
const NEVER_MEMBERS = new Set(["CLUSTER_TYPE_CONTROL_PLANE_GROUP", "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER"]);

/** Returns an entry if a call would change too many members at a time, or make a group too large. */
export function checkSizes(old: readonly string[], updated: readonly string[]): InvalidParameter[] {
  const added = updated.filter((id) => !old.includes(id)).length;
  const removed = old.filter((id) => !updated.includes(id)).length;
  const atMost = (maximum: number, reason: string): InvalidParameter => ({
    field: "members",
    reason,
    rule: "max_items",
    maximum,
    source: "body",
  });
  const changed = Math.max(added, removed);
  return [
    ...(changed > MAX_CHANGED_MEMBERS
      ? [atMost(MAX_CHANGED_MEMBERS, `must add or remove at most ${MAX_CHANGED_MEMBERS} members at a time`)]
      : []),
    ...(updated.length > MAX_MEMBERS
      ? [atMost(MAX_MEMBERS, `must leave the group with at most ${MAX_MEMBERS} members`)]
      : []),
  ];
}

/**
 * Returns an entry for each new member that may not join.
 *
 * @param given the ids in the body, in its order
 * @param old the members before the call
 * @param updated the members after the call
 */
export function checkJoining(
  context: OperationContext,
  given: readonly string[],
  old: readonly string[],
  updated: readonly string[],
): InvalidParameter[] {
  return given.flatMap((id, at) => {
    const obstacle = old.includes(id) || !updated.includes(id) ? undefined : obstacleTo(context, id);
    return obstacle === undefined ? [] : [{ field: `members[${at}].id`, ...obstacle, source: "body" }];
  });
}

function obstacleTo(
  context: OperationContext,
  id: string,
): Omit<InvalidParameter, "field" | "source"> | undefined {
  const { store, newcomers, role } = context;
  const member = store.find(id);
  const isShown = mayRead(role, id) && newcomers.statusFor(id, Date.now()) === undefined;
  if (member === undefined || !isShown) {
    return { reason: `the control plane [${id}] does not exist`, rule: "missing_reference" };
  }
  if (NEVER_MEMBERS.has(member.config.cluster_type)) {
    return {
      reason: `a control plane of the type ${member.config.cluster_type} cannot be a member`,
      rule: "invalid",
    };
  }
  if (hasConnectedNodes(context, member)) {
    return { reason: `the control plane [${id}] has connected data planes`, rule: "invalid" };
  }
  if (store.groups.groupsOf(id).length >= MAX_GROUPS) {
    return {
      reason: `the control plane [${id}] already belongs to ${MAX_GROUPS} groups`,
      rule: "max",
      maximum: MAX_GROUPS,
    };
  }
  return undefined;
}

function hasConnectedNodes({ store }: OperationContext, member: ControlPlane): boolean {
  return store
    .contentsOf(member)
    .nodes.some(({ lastPingSecondsAgo }) => lastPingSecondsAgo < CONNECTED_SECONDS);
}
