import { jsonAnswer, type Answer } from "../../http/http-answer.js";
import { checkNoQuery } from "../../service/unexpected-input.js";
import { readControlPlane } from "../read-control-plane.js";
import type { OperationContext } from "../route.js";
import { requireGroup } from "./read-group.js";

/** Handles GET /control-planes/{id}/group-status. It finds no conflicts. Source: Control Planes API v2. */
export function getGroupStatus(context: OperationContext): Answer {
  const group = readControlPlane(context, checkNoQuery(context.query));
  requireGroup(group);
  const { id, created_at, updated_at } = group;
  return jsonAnswer(200, { item: { id, created_at, updated_at, conflicts: [], state: "OK" } });
}

/** Handles GET /control-planes/{id}/group-member-status. Source: Control Planes API v2. */
export function getMemberStatus(context: OperationContext): Answer {
  const { id } = readControlPlane(context, checkNoQuery(context.query));
  return jsonAnswer(200, { is_member: context.store.groups.groupsOf(id).length > 0 });
}
