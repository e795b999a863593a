import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { checkNoQuery } from "../service/unexpected-input.js";
import { readControlPlane } from "./read-control-plane.js";
import type { OperationContext } from "./route.js";

/** Handles GET /control-planes/{id}. Source: Control Planes API v2. */
export function getControlPlane(context: OperationContext): Answer {
  return jsonAnswer(200, readControlPlane(context, checkNoQuery(context.query)));
}
