import { parseBody } from "../bodies/json-body.js";
import type { UpdateBody } from "../bodies/request-bodies.js";
import type { ControlPlaneChange } from "../control-planes/seed.js";
import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { nameTaken, permissionDenied } from "../service/refusal.js";
import { mayEdit } from "../service/role.js";
import { checkId, checkNoQuery } from "../service/unexpected-input.js";
import { findShown } from "./read-control-plane.js";
import type { OperationContext } from "./route.js";

/** Handles PATCH /control-planes/{id}. Source: Control Planes API v2. */
export function updateControlPlane(context: OperationContext): Answer {
  const { store, role, id, query } = context;
  const body = parseBody("update", context, [...checkId(id), ...checkNoQuery(query)]);
  const old = findShown(context);
  if (!mayEdit(role, id)) throw permissionDenied(role.name);
  const namesake = body.name === undefined ? undefined : store.findByName(body.name);
  if (namesake !== undefined && namesake.id !== old.id) throw nameTaken();
  return jsonAnswer(200, store.change(id, changeOf(body)));
}

function changeOf({ name, description, auth_type, proxy_urls, labels }: UpdateBody): ControlPlaneChange {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(auth_type !== undefined && { authType: auth_type }),
    ...(proxy_urls !== undefined && { proxyUrls: proxy_urls }),
    ...(labels !== undefined && { labels }),
  };
}
