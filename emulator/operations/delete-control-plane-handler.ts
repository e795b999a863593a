import { noContent, type Answer } from "../http/http-answer.js";
import { invalidParameters, notFound, permissionDenied } from "../service/refusal.js";
import { checkId, checkNoBody, checkNoQuery } from "../service/unexpected-input.js";
import { mayDelete } from "../service/token-book.js";
import type { OperationContext } from "./route.js";

/** DELETE /control-planes/{id}; source: specification, part 4. */
export function deleteControlPlane({ store, role, incoming, body }: OperationContext): Answer {
  const id = incoming.id ?? "";
  const invalid = [...checkId(id), ...checkNoQuery(incoming), ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  if (store.find(id) === undefined) throw notFound(id);
  if (!mayDelete(role, id)) throw permissionDenied(role.name);
  store.remove(id);
  return noContent();
}
