import { emptyAnswer, type Answer } from "../http/http-answer.js";
import { inGroup, invalidParameters, permissionDenied, stillHasMembers } from "../service/refusal.js";
import { mayDelete } from "../service/role.js";
import { checkId, checkNoBody, checkNoQuery } from "../service/unexpected-input.js";
import { findShown } from "./read-control-plane.js";
import type { OperationContext } from "./route.js";

/**
 * Handles DELETE /control-planes/{id}. Source: specification, part 4.
 * The service refuses to delete a group that has members, and a member of a group. No specification has these answers.
 */
export function deleteControlPlane(context: OperationContext): Answer {
  const { store, role, id, query, body } = context;
  const invalid = [...checkId(id), ...checkNoQuery(query), ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  const controlPlane = findShown(context);
  if (!mayDelete(role, id)) throw permissionDenied(role.name);
  if (store.groups.membersOf(controlPlane.id).length > 0) throw stillHasMembers(id);
  if (store.groups.groupsOf(controlPlane.id).length > 0) throw inGroup(id);
  store.remove(id);
  return emptyAnswer(204);
}
