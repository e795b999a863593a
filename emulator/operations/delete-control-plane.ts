import { noContent, type Answer } from "../answer.js";
import { invalidParameters, notFound, permissionDenied } from "../refusal.js";
import { checkId, checkNoBody, checkNoQuery } from "../strictness.js";
import { mayDelete } from "../token-book.js";
import type { OperationContext } from "./operation.js";

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
