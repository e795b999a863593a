import { nodeAt } from "../control-planes/control-plane-contents.js";
import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { cutPage, readCursor } from "../queries/page-cursor.js";
import {
  parseQuery,
  readCount,
  type ParameterReaders,
  type ParsedQuery,
} from "../queries/query-parameters.js";
import { readControlPlane } from "./read-control-plane.js";
import type { OperationContext } from "./route.js";

interface NodesQuery extends ParsedQuery {
  /** Nodes per page, 1 to 100. Default 10. */
  size: number;
  start: number;
}

const READERS: ParameterReaders<NodesQuery> = {
  "page[size]": (value, query, field) => (query.size = readCount(value, 100, query, field)),
  "page[after]": (value, query, field) => (query.start = readCursor(value, query, field)),
};

/** Handles GET /control-planes/{id}/nodes. Source: Control Planes Config API v2. */
export function listNodes(context: OperationContext): Answer {
  const { invalid, size, start } = parseQuery(context.query, READERS, { invalid: [], size: 10, start: 0 });
  const { nodes } = context.store.contentsOf(readControlPlane(context, invalid));
  const { items, next } = cutPage(nodes, start, size);
  const nowMs = Date.now();
  return jsonAnswer(200, {
    items: items.map((node) => nodeAt(node, nowMs)),
    page: { total_count: nodes.length, ...(next !== undefined && { next }) },
  });
}
