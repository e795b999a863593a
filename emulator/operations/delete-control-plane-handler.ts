import { emptyAnswer, type Answer } from "../http/http-answer.js";
import { invalidParameters, notFound, permissionDenied } from "../service/refusal.js";
import { mayDelete } from "../service/role.js";
import { checkId, checkNoBody, checkNoQuery } from "../service/unexpected-input.js";
import type { OperationContext } from "./route.js";

/** Handles DELETE /control-planes/{id}. Source: specification, part 4. */
export function deleteControlPlane({ store, role, id, query, body }: OperationContext): Answer {
  const invalid = [...checkId(id), ...checkNoQuery(query), ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  if (store.find(id) === undefined) throw notFound(id);
  if (!mayDelete(role, id)) throw permissionDenied(role.name);
  store.remove(id);
  return emptyAnswer(204);
}
