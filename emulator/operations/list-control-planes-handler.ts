import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { invalidParameters } from "../service/refusal.js";
import { mayRead } from "../service/role.js";
import { checkNoBody } from "../service/unexpected-input.js";
import { parseListQuery } from "../queries/list-query.js";
import type { OperationContext } from "./route.js";

/**
 * Handles GET /control-planes. Source: Control Planes API v2.
 * The list holds what the role may read, and `total` counts all pages.
 */
export function listControlPlanes(context: OperationContext): Answer {
  const { store, newcomers, rules, role, query, body } = context;
  const { invalid, size, number, order, conditions } = parseListQuery(query);
  const entries = [...invalid, ...checkNoBody(body)];
  if (entries.length > 0) throw invalidParameters(entries);
  const nowMs = Date.now();
  const found = [...store.all.values()]
    .filter((controlPlane) => mayRead(role, controlPlane.id))
    .filter((controlPlane) => conditions.every((holds) => holds(controlPlane)))
    .filter(({ id }) => newcomers.statusFor(id, nowMs) === undefined)
    .sort(order);
  const data = found.slice((number - 1) * size, number * size);
  const total = rules.listTotal === "pages" ? Math.ceil(found.length / size) : found.length;
  return jsonAnswer(200, { meta: { page: { number, size, total } }, data });
}
