import { parseJsonObject } from "../../../text/json.js";
import type { Reply } from "../../http/answer.js";
import { controlPlanePath } from "../control-plane-ref.js";
import { MAX_LIST_BYTES, PAGE_SIZE } from "./list-control-planes.js";
import type { Operation } from "../operation.js";
import { isCursorOrMissing, isTotalOrMissing } from "./page-fields.js";

/** The kinds of entities that make a control plane worth keeping. Source: Control Planes Configuration API v2. */
export const ENTITY_KINDS = [
  "services",
  "routes",
  "plugins",
  "consumers",
  "upstreams",
  "certificates",
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** How many entities of one kind the first page holds. */
export interface EntityCount {
  readonly count: number;
  readonly hasMore: boolean;
}

/** Counts the entities of one kind on the first page. Source: Control Planes Configuration API v2, `list-service` etc. */
export function countEntities(id: string, kind: EntityKind): Operation<EntityCount> {
  return {
    name: `list-${kind}`,
    method: "GET",
    path: `${controlPlanePath(id)}/core-entities/${kind}`,
    query: { size: String(PAGE_SIZE) },
    maxAnswerBytes: MAX_LIST_BYTES,
    idempotent: true,
    parse(reply) {
      const result = parseCount(reply);
      return result === undefined ? { kind: "foreign" } : { kind: "result", result };
    },
  };
}

/** A last page that holds fewer entities than its total contradicts itself. */
function parseCount({ status, body, bodyEnd }: Reply): EntityCount | undefined {
  if (status !== 200 || bodyEnd !== "complete") return undefined;
  const { data, next, offset, total } = parseJsonObject(body) ?? {};
  if (!Array.isArray(data) || !isTotalOrMissing(total)) return undefined;
  if (!isCursorOrMissing(next) || !isCursorOrMissing(offset)) return undefined;
  const hasMore = Boolean(next) || Boolean(offset);
  return hasMore || data.length >= (total ?? 0) ? { count: data.length, hasMore } : undefined;
}
