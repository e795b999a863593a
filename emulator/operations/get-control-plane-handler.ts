import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { invalidParameters, notFound, permissionDenied } from "../service/refusal.js";
import { mayRead } from "../service/role.js";
import { checkId, checkNoBody, checkNoQuery } from "../service/unexpected-input.js";
import type { OperationContext } from "./route.js";

/** Handles GET /control-planes/{id}. Source: Control Planes API v2. */
export function getControlPlane({ store, role, id, query, body }: OperationContext): Answer {
  const invalid = [...checkId(id), ...checkNoQuery(query), ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  const controlPlane = store.find(id);
  if (controlPlane === undefined) throw notFound(id);
  if (!mayRead(role, id)) throw permissionDenied(role.name);
  return jsonAnswer(200, controlPlane);
}
