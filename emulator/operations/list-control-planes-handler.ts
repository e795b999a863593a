import { json, type Answer } from "../http/http-answer.js";
import { invalidParameters } from "../service/refusal.js";
import { checkNoBody } from "../service/unexpected-input.js";
import { mayRead } from "../service/token-book.js";
import { parseListQuery } from "./list-query.js";
import type { OperationContext } from "./route.js";

/** GET /control-planes: only what the role may read; `total` counts control planes, not pages. */
export function listControlPlanes({ store, role, incoming, body }: OperationContext): Answer {
  const query = parseListQuery(incoming.query);
  const invalid = [...query.invalid, ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  const { size, number, conditions } = query;
  const found = [...store.all.values()]
    .filter((controlPlane) => mayRead(role, controlPlane.id))
    .filter((controlPlane) => conditions.every((holds) => holds(controlPlane)));
  const data = found.slice((number - 1) * size, number * size);
  return json(200, { meta: { page: { number, size, total: found.length } }, data });
}
