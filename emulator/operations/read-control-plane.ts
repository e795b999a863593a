import type { ControlPlane } from "../control-planes/stored-control-plane.js";
import type { InvalidParameter } from "../service/problem-document.js";
import { invalidParameters, notFound, permissionDenied } from "../service/refusal.js";
import { mayRead } from "../service/role.js";
import { checkId, checkNoBody } from "../service/unexpected-input.js";
import type { OperationContext } from "./route.js";

/**
 * Returns the control plane that a request without a body names.
 * Throws a Refusal if the id, the query or the body is not valid, if it does not exist, or if the role may not read it.
 *
 * @param invalidQuery the entries for the query
 */
export function readControlPlane(
  context: OperationContext,
  invalidQuery: readonly InvalidParameter[],
): ControlPlane {
  const { role, id, body } = context;
  const invalid = [...checkId(id), ...invalidQuery, ...checkNoBody(body)];
  if (invalid.length > 0) throw invalidParameters(invalid);
  const controlPlane = findShown(context);
  if (!mayRead(role, id)) throw permissionDenied(role.name);
  return controlPlane;
}

/**
 * Returns the control plane that a request names, whatever its role may do.
 * Throws a Refusal if it does not exist, or if the service does not show it yet.
 */
export function findShown({ store, newcomers, role, id }: OperationContext): ControlPlane {
  const controlPlane = store.find(id);
  if (controlPlane === undefined) throw notFound(id);
  switch (newcomers.statusFor(controlPlane.id, Date.now())) {
    case 403:
      throw permissionDenied(role.name);
    case 404:
      throw notFound(id);
    case undefined:
      return controlPlane;
  }
}
