import { json, type Answer } from "../http/http-answer.js";
import { invalidParameters, notFound, permissionDenied } from "../service/refusal.js";
import { checkId, checkNoBody, checkNoQuery } from "../service/unexpected-input.js";
import { mayRead } from "../service/token-book.js";
import type { OperationContext } from "./route.js";

/** GET /control-planes/{id}; source: the public Control Planes API v2. */
export function getControlPlane({ store, role, incoming, body }: OperationContext): Answer {
  const id = incoming.id ?? "";
  const invalid = [...checkId(id), ...checkNoQuery(incoming), ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  const controlPlane = store.find(id);
  if (controlPlane === undefined) throw notFound(id);
  if (!mayRead(role, id)) throw permissionDenied(role.name);
  return json(200, controlPlane);
}
