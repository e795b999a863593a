import { json, type Answer } from "../answer.js";
import { invalidParameters, notFound, permissionDenied } from "../refusal.js";
import { checkId, checkNoBody, checkNoQuery } from "../strictness.js";
import { mayRead } from "../token-book.js";
import type { OperationContext } from "./operation.js";

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
