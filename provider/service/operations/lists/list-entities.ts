import { safe, safeText, type SafeText } from "../../../text/safe-text.js";
import { controlPlanePath } from "../control-plane-ref.js";
import type { Operation } from "../operation.js";
import { listOperation, PAGE_SIZE } from "./list-operation.js";
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

/** Describes each kind that has entities: `2 services`, `100 or more routes`. */
export function describeEntities(counts: Readonly<Record<EntityKind, EntityCount>>): readonly SafeText[] {
  return ENTITY_KINDS.flatMap((kind) => {
    const { count, hasMore } = counts[kind];
    return count === 0 && !hasMore ? [] : [safe`${describeCount(counts[kind])} ${safeText(kind, 20)}`];
  });
}

/** A page can be empty although others follow. */
function describeCount({ count, hasMore }: EntityCount): SafeText {
  if (count === 0) return safe`an unknown number of`;
  return hasMore ? safe`${count} or more` : safe`${count}`;
}

/** Counts the entities of one kind on the first page. Source: Control Planes Configuration API v2, `list-service` etc. */
export function countEntities(id: string, kind: EntityKind): Operation<EntityCount> {
  return listOperation({
    name: `list-${kind}`,
    path: `${controlPlanePath(id)}/core-entities/${kind}`,
    query: { size: String(PAGE_SIZE) },
    parsePage: parseCount,
  });
}

/** A last page that holds fewer entities than its total contradicts itself. */
function parseCount({
  data,
  next,
  offset,
  total,
}: Readonly<Record<string, unknown>>): EntityCount | undefined {
  if (!Array.isArray(data) || !isTotalOrMissing(total)) return undefined;
  if (!isCursorOrMissing(next) || !isCursorOrMissing(offset)) return undefined;
  const hasMore = Boolean(next) || Boolean(offset);
  return hasMore || data.length >= (total ?? 0) ? { count: data.length, hasMore } : undefined;
}
