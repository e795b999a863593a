import { jsonAnswer, type Answer } from "../../http/http-answer.js";
import { CURSOR_READERS, cutPage, FIRST_PAGE } from "../../queries/page-cursor.js";
import { parseQuery } from "../../queries/query-parameters.js";
import { mayRead } from "../../service/role.js";
import { readControlPlane } from "../read-control-plane.js";
import type { OperationContext } from "../route.js";
import { requireGroup } from "./read-group.js";

/**
 * Handles GET /control-planes/{id}/group-memberships. Source: Control Planes API v2.
 * The list holds what the role may read. Only its first page has a total, and `next` begins after the base path.
 */
export function listMembers(context: OperationContext): Answer {
  const { store, role, rules } = context;
  const { invalid, size, start } = parseQuery(context.query, CURSOR_READERS, { invalid: [], ...FIRST_PAGE });
  const group = readControlPlane(context, invalid);
  requireGroup(group);
  const readable = store.groups.membersOf(group.id).filter((id) => mayRead(role, id));
  const { items, next } = cutPage(readable, start, size);
  const path = `/control-planes/${group.id}/group-memberships`;
  const page = {
    next: next === undefined ? null : `${path}?page[size]=${size}&page[after]=${next}`,
    size,
    ...(start === 0 && !rules.lenient && { total: readable.length }),
  };
  return jsonAnswer(200, { meta: { page }, data: items.map((id) => store.find(id)) });
}
