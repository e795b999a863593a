import { isObject } from "../../text/json.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import { controlPlanePath } from "./control-planes.js";
import {
  cursorOf,
  type CursorPage,
  isCursorOrMissing,
  isTotalOrMissing,
  listOperation,
  type Operation,
  PAGE_SIZE,
} from "./operation.js";

/** A data plane node as the service lists it. The service requires none of its fields. */
export interface ListedNode {
  readonly hostname?: string;
  /** When it was last heard of, in epoch milliseconds. */
  readonly lastPingMs?: number;
}

/** A data plane node that is known to a control plane. */
export interface ControlPlaneNode {
  readonly hostname?: string;
  /** For how long it had not been heard of when it was listed, in milliseconds. Missing when that is not known. */
  readonly silentForMs?: number;
}

/** A node that was heard of within this time counts as connected. Nodes send a sign of life every 30 seconds. */
const CONNECTED_MS = 5 * 60_000;

/** Whether a node counts as connected. One whose last sign of life is not known does. */
export function isConnected({ silentForMs }: ControlPlaneNode): boolean {
  return silentForMs === undefined || silentForMs < CONNECTED_MS;
}

/** Lists the nodes of a control plane. Source: Control Planes Configuration API v2, `list-dataplane-nodes`. */
export function listNodes(id: string, after: string | undefined): Operation<CursorPage<ListedNode>> {
  return listOperation({
    name: "list-dataplane-nodes",
    path: `${controlPlanePath(id)}/nodes`,
    query: { "page[size]": String(PAGE_SIZE), ...(after !== undefined && { "page[after]": after }) },
    parsePage,
  });
}

/** An empty list may lack `items`, but it says that it is empty. */
function parsePage(json: Readonly<Record<string, unknown>>): CursorPage<ListedNode> | undefined {
  const { items, page } = json;
  if (!isObject(page)) return undefined;
  const { next, total_count: total } = page;
  if (!isCursorOrMissing(next) || !isTotalOrMissing(total)) return undefined;
  const nodes = items === undefined && total === 0 ? [] : items;
  if (!Array.isArray(nodes)) return undefined;
  return { items: nodes.map(parseNode), next: next ? cursorOf(next) : undefined, total: total ?? 0 };
}

function parseNode(json: unknown): ListedNode {
  if (!isObject(json)) return {};
  const { hostname, last_ping: lastPing } = json;
  return {
    ...(typeof hostname === "string" && { hostname }),
    ...(typeof lastPing === "number" && { lastPingMs: lastPing * 1_000 }),
  };
}

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
