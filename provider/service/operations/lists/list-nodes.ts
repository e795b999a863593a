import { isObject } from "../../../text/json.js";
import { controlPlanePath } from "../control-plane-ref.js";
import { listOperation, PAGE_SIZE } from "./list-operation.js";
import type { Operation } from "../operation.js";
import { type CursorPage, cursorOf, isCursorOrMissing, isTotalOrMissing } from "./page-fields.js";

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
