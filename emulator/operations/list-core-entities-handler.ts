import type { EntityKind } from "../control-planes/entity-kind.js";
import { jsonAnswer } from "../http/http-answer.js";
import { BASE_PATH } from "../http/path-template.js";
import { cutPage, readCursor } from "../queries/page-cursor.js";
import {
  parseQuery,
  readCount,
  type ParameterReaders,
  type ParsedQuery,
} from "../queries/query-parameters.js";
import { readControlPlane } from "./read-control-plane.js";
import type { OperationHandler } from "./route.js";

interface EntitiesQuery extends ParsedQuery {
  /** Entities per page, 1 to 1000. Default 100. */
  size: number;
  start: number;
}

const READERS: ParameterReaders<EntitiesQuery> = {
  size: (value, query, field) => (query.size = readCount(value, 1000, query, field)),
  offset: (value, query, field) => (query.start = readCursor(value, query, field)),
};

/** Returns the handler of GET /control-planes/{id}/core-entities/{kind}. Source: Control Planes Config API v2. */
export function listCoreEntities(kind: EntityKind): OperationHandler {
  return (context) => {
    const { invalid, size, start } = parseQuery(context.query, READERS, { invalid: [], size: 100, start: 0 });
    const controlPlane = readControlPlane(context, invalid);
    const all = context.store.contentsOf(controlPlane).entities.get(kind) ?? [];
    const { items, next } = cutPage(all, start, size);
    if (next === undefined) return jsonAnswer(200, { data: items, next: null });
    const path = `${BASE_PATH}/control-planes/${controlPlane.id}/core-entities/${kind}`;
    return jsonAnswer(200, { data: items, offset: next, next: `${path}?offset=${next}&size=${size}` });
  };
}
