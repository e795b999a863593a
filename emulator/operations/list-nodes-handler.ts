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
  const listed = items.map((node) => nodeAt(node, nowMs));
  const more = next !== undefined && { next };
  if (!context.rules.lenient) {
    return jsonAnswer(200, { items: listed, page: { total_count: nodes.length, ...more } });
  }
  const told = listed.map(({ id, hostname, last_ping, connection_state }) => ({
    id,
    hostname,
    last_ping,
    connection_state,
  }));
  return jsonAnswer(200, { ...(told.length > 0 && { items: told }), ...(more && { page: more }) });
}
