import { isObject } from "../../../text/json.js";
import { type ControlPlaneDocument, parseControlPlane } from "../control-plane-document.js";
import type { Operation } from "../operation.js";
import { listOperation, PAGE_SIZE } from "./list-operation.js";

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

/** Lists control planes, the oldest first. Source: Control Planes API v2, `list-control-planes`. */
export function listControlPlanes(
  filter: ListFilter,
  pageNumber: number,
): Operation<Page<ControlPlaneDocument>> {
  const labels = Object.entries(filter.labels ?? {}).map(([key, value]) => `${key}:${value}`);
  return listOperation({
    name: "list-control-planes",
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
    parsePage,
  });
}

function parsePage({
  meta,
  data,
}: Readonly<Record<string, unknown>>): Page<ControlPlaneDocument> | undefined {
  if (!Array.isArray(data)) return undefined;
  const page = isObject(meta) && isObject(meta.page) ? meta.page : {};
  const size = typeof page.size === "number" ? Math.min(page.size, PAGE_SIZE) : PAGE_SIZE;
  const total = typeof page.total === "number" ? page.total : 0;
  const items = data.map(parseControlPlane);
  return items.every((item) => item !== undefined) ? { items, size, total } : undefined;
}
