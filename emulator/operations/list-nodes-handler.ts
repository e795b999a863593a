import { nodeAt } from "../control-planes/control-plane-contents.js";
import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { CURSOR_READERS, cutPage, FIRST_PAGE } from "../queries/page-cursor.js";
import { parseQuery } from "../queries/query-parameters.js";
import { readControlPlane } from "./read-control-plane.js";
import type { OperationContext } from "./route.js";

/** Handles GET /control-planes/{id}/nodes. Source: Control Planes Config API v2. */
export function listNodes(context: OperationContext): Answer {
  const { invalid, size, start } = parseQuery(context.query, CURSOR_READERS, { invalid: [], ...FIRST_PAGE });
  const { nodes } = context.store.contentsOf(readControlPlane(context, invalid));
  const { items, next } = cutPage(nodes, start, size);
  const nowMs = Date.now();
  return jsonAnswer(200, {
    items: items.map((node) => nodeAt(node, nowMs)),
    page: { total_count: nodes.length, ...(next !== undefined && { next }) },
  });
}
