import { type EntityKind, entityPath, listOf } from "../control-planes/entity-kind.js";
import { jsonAnswer } from "../http/http-answer.js";
import { BASE_PATH } from "../http/path-template.js";
import { type CursorQuery, CURSOR_READERS, cutPage, FIRST_PAGE, readCursor } from "../queries/page-cursor.js";
import { parseQuery, readCount, type ParameterReaders } from "../queries/query-parameters.js";
import { readControlPlane } from "./read-control-plane.js";
import type { OperationHandler } from "./route.js";

/** The query of a list of core entities: 1 to 1000 of them on a page. */
const CORE_READERS: ParameterReaders<CursorQuery> = {
  size: (value, query, field) => (query.size = readCount(value, 1000, query, field)),
  offset: (value, query, field) => (query.start = readCursor(value, query, field)),
};

/** Returns the handler that lists the entities of one kind. Source: Control Planes Config API v2. */
export function listEntities(kind: EntityKind): OperationHandler {
  const { form = "core" } = listOf(kind);
  const readers = form === "core" ? CORE_READERS : CURSOR_READERS;
  const firstPage = form === "core" ? { size: 100, start: 0 } : FIRST_PAGE;
  return (context) => {
    const { invalid, size, start } = parseQuery(context.query, readers, { invalid: [], ...firstPage });
    const controlPlane = readControlPlane(context, invalid);
    const all = context.store.contentsOf(controlPlane).entities.get(kind) ?? [];
    const { items, next } = cutPage(all, start, size);
    const { lenient } = context.rules;
    const path = `/control-planes/${controlPlane.id}${entityPath(kind)}`;
    switch (form) {
      case "core":
        if (next !== undefined) {
          const uri = { next: `${BASE_PATH}${path}?offset=${next}&size=${size}` };
          return jsonAnswer(200, { data: items, offset: next, ...(!lenient && uri) });
        }
        if (lenient) return jsonAnswer(200, items.length === 0 ? {} : { data: items });
        return jsonAnswer(200, { data: items, next: null });
      case "items": {
        const page = { ...(!lenient && { total_count: all.length }), ...(next !== undefined && { next }) };
        return jsonAnswer(200, { ...(!(lenient && items.length === 0) && { items }), page });
      }
      case "meta": {
        const uri = next === undefined ? null : `${path}?page[size]=${size}&page[after]=${next}`;
        return jsonAnswer(200, { data: items, meta: { page: { size, next: uri, previous: null } } });
      }
    }
  };
}
