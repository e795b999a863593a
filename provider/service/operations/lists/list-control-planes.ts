import { isObject, parseJsonObject } from "../../../text/json.js";
import type { Reply } from "../../http/answer.js";
import { type ControlPlaneDocument, parseControlPlane } from "../control-plane-document.js";
import type { Operation } from "../operation.js";

/** What the service is asked to list. It joins all filters with "and". Source: Control Planes API v2, query parameters. */
export interface ListFilter {
  /** At most {@link PAGE_SIZE}, so that an address of eight kilobytes holds them. */
  readonly ids?: readonly string[];
  readonly name?: string;
  readonly nameContains?: string;
  readonly clusterType?: string;
  /** Labels that a control plane has. Neither a key nor a value may hold a comma. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Entries for each page, as the service counts them: it may allow fewer than it was asked for. */
  readonly size: number;
  /** Entries on all pages, or the number of pages: the service's own clients disagree. */
  readonly total: number;
}

/** Entries for each page. Source: the largest size that Kong's own tools use. */
export const PAGE_SIZE = 100;

/** A hundred control planes with fifty labels each take more than half a megabyte. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Lists control planes, the oldest first. Source: Control Planes API v2, `list-control-planes`. */
export function listControlPlanes(
  filter: ListFilter,
  pageNumber: number,
): Operation<Page<ControlPlaneDocument>> {
  const labels = Object.entries(filter.labels ?? {}).map(([key, value]) => `${key}:${value}`);
  return {
    name: "list-control-planes",
    method: "GET",
    path: "/control-planes",
    query: {
      "page[size]": String(PAGE_SIZE),
      "page[number]": String(pageNumber),
      // New control planes come last, so that none is missed between two pages.
      sort: "created_at",
      ...(filter.ids !== undefined && { "filter[id][oeq]": filter.ids.join(",") }),
      ...(filter.name !== undefined && { "filter[name][eq]": filter.name }),
      ...(filter.nameContains !== undefined && { "filter[name][contains]": filter.nameContains }),
      ...(filter.clusterType !== undefined && { "filter[cluster_type][eq]": filter.clusterType }),
      ...(labels.length > 0 && { labels: labels.join(",") }),
    },
    maxAnswerBytes: MAX_LIST_BYTES,
    idempotent: true,
    parse(reply) {
      const result = parsePage(reply);
      return result === undefined ? { kind: "foreign" } : { kind: "result", result };
    },
  };
}

function parsePage({ status, body, bodyEnd }: Reply): Page<ControlPlaneDocument> | undefined {
  if (status !== 200 || bodyEnd !== "complete") return undefined;
  const { meta, data } = parseJsonObject(body) ?? {};
  if (!Array.isArray(data)) return undefined;
  const page = isObject(meta) && isObject(meta.page) ? meta.page : {};
  const size = typeof page.size === "number" ? Math.min(page.size, PAGE_SIZE) : PAGE_SIZE;
  const total = typeof page.total === "number" ? page.total : 0;
  const items = data.map(parseControlPlane);
  return items.every((item) => item !== undefined) ? { items, size, total } : undefined;
}
