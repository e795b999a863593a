import { isObject, parseJsonObject } from "../../text/json.js";
import { safe, safeName, safeText, type SafeText } from "../../text/safe-text.js";
import type { Reply } from "../http/answer.js";
import {
  carriesMark,
  type ControlPlaneChanges,
  type ControlPlaneDocument,
  MARK_LABEL,
  type NewControlPlane,
  parseControlPlane,
  requestBody,
} from "./control-plane-document.js";
import { listOperation, type Operation, PAGE_SIZE, type Parsed, parseListedPage } from "./operation.js";

/** One control plane at one address: all that a call needs, and the name for messages where it is known. */
export interface ControlPlaneRef {
  /** Lower-case UUID. */
  readonly id: string;
  /** Normalized base address, with its closing `/v2`. */
  readonly address: string;
  /** Name in the service, as the service sent it. */
  readonly name?: string | undefined;
  /** Set when the state says that it created the control plane: when, in epoch milliseconds. */
  readonly createdAtMs?: number | undefined;
}

/** A control plane that is to be created. It has a name, and no id yet. */
export interface NewControlPlaneRef {
  /** Normalized base address, with its closing `/v2`. */
  readonly address: string;
  readonly name: string;
  readonly id?: undefined;
}

/** The control planes of one organization and region, which one address serves. */
export interface ServiceRef {
  /** Normalized base address, with its closing `/v2`. Empty for a message when it is not known. */
  readonly address: string;
  readonly id?: undefined;
  readonly name?: undefined;
}

/** What a call is about. */
export type CallSubject = ControlPlaneRef | NewControlPlaneRef | ServiceRef;

/** Returns the path of a control plane below a base address. Source: Kong's API document. */
export function controlPlanePath(id: string): string {
  return `/control-planes/${id}`;
}

/** Describes a control plane for a message: `control plane "payments" (9524ec7d-…)`, with the whole identifier. */
export function describeControlPlane({ id, name }: Pick<ControlPlaneRef, "id" | "name">): SafeText {
  const safeId = safeText(id, 60);
  return name === undefined || name === ""
    ? safe`control plane ${safeId}`
    : safe`control plane "${safeName(name, 60)}" (${safeId})`;
}

/** Describes a control plane in a progress line: `"payments" (9524ec7d…)`, or `9524ec7d…` where the name is not known. */
export function describeBriefly({ id, name }: Pick<ControlPlaneRef, "id" | "name">): SafeText {
  const shortId = safe`${safeText(id.slice(0, 8), 8)}…`;
  return name === undefined || name === "" ? shortId : safe`"${safeName(name, 30)}" (${shortId})`;
}

/** Describes what a call is about, for a message. */
export function describeSubject(
  subject: ServiceRef | NewControlPlaneRef | Pick<ControlPlaneRef, "id" | "name">,
): SafeText {
  if (subject.id !== undefined) return describeControlPlane(subject);
  if (subject.name !== undefined) return safe`control plane "${safeName(subject.name, 60)}"`;
  return subject.address === ""
    ? safe`the control planes`
    : safe`the control planes at ${safeText(subject.address, 200)}`;
}

/** Describes what a call is about, for a progress line. */
export function describeSubjectBriefly(subject: CallSubject): SafeText {
  if (subject.id !== undefined) return describeBriefly(subject);
  return subject.name === undefined ? describeSubject(subject) : safe`"${safeName(subject.name, 30)}"`;
}

/** Reads one control plane. Source: the service's public API, `get-control-plane`. */
export function getControlPlane(id: string): Operation<ControlPlaneDocument> {
  return {
    name: "get-control-plane",
    method: "GET",
    path: controlPlanePath(id),
    idempotent: true,
    parse: (reply) => parseControlPlaneReply(reply, id),
  };
}

/**
 * Reads a control plane that may have been deleted, to confirm a DELETE that was answered with a 2xx other than 204.
 *
 * @param isPending the DELETE was answered with 202, so a control plane that is found may still go
 */
export function confirmDeletion(id: string, isPending: boolean): Operation<ControlPlaneDocument> {
  const operation = getControlPlane(id);
  if (!isPending) return operation;
  return {
    ...operation,
    parse(reply) {
      const parsed = operation.parse(reply);
      return parsed.kind === "result" ? { kind: "not yet", awaits: "deletion" } : parsed;
    },
  };
}

/** Parses an answer of 200 with a control plane. Any other answer, or another control plane, is foreign. */
function parseControlPlaneReply(
  { status, body, bodyEnd }: Reply,
  expectedId: string,
): Parsed<ControlPlaneDocument> {
  if (status !== 200 || bodyEnd !== "complete") return { kind: "foreign" };
  const result = parseControlPlane(parseJsonObject(body));
  return result?.id === expectedId ? { kind: "result", result } : { kind: "foreign" };
}

/**
 * Creates a control plane. Only 201 with a control plane of that name, or with the mark of this request, proves it. It must not be sent again when it may
 * have worked, because the service has no idempotency key. Source: Control Planes API v2, `create-control-plane`.
 */
export function createControlPlane(wanted: NewControlPlane): Operation<ControlPlaneDocument> {
  return {
    name: "create-control-plane",
    method: "POST",
    path: "/control-planes",
    body: requestBody(wanted),
    idempotent: false,
    parse({ status, body, bodyEnd }) {
      const result =
        status === 201 && bodyEnd === "complete" ? parseControlPlane(parseJsonObject(body)) : undefined;
      const mark = wanted.labels?.[MARK_LABEL];
      const isOurs =
        result?.name === wanted.name || (mark !== undefined && carriesMark(result?.labels ?? {}, mark));
      return result !== undefined && isOurs ? { kind: "result", result } : { kind: "unproven" };
    },
  };
}

/**
 * Changes a control plane. Members that are not sent stay as they are. It may be sent again, because it holds whole
 * values: twice has the same effect as once. Source: Control Planes API v2, `update-control-plane`.
 */
export function updateControlPlane(
  id: string,
  changes: ControlPlaneChanges,
): Operation<ControlPlaneDocument> {
  return {
    name: "update-control-plane",
    method: "PATCH",
    path: controlPlanePath(id),
    body: requestBody(changes),
    idempotent: true,
    parse: (reply) => parseControlPlaneReply(reply, id),
  };
}

/** Deletes one control plane. Only 204 proves that it is deleted. Source: Kong's API document. */
export function deleteControlPlane(id: string): Operation<"deleted"> {
  return {
    name: "delete-control-plane",
    method: "DELETE",
    path: controlPlanePath(id),
    idempotent: true,
    parse: ({ status }) => (status === 204 ? { kind: "result", result: "deleted" } : { kind: "unproven" }),
  };
}

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
    parsePage: (json) => parsePage(json, pageNumber),
  });
}

/** The first page shows something unless the list is empty. */
function parsePage(
  json: Readonly<Record<string, unknown>>,
  pageNumber: number,
): Page<ControlPlaneDocument> | undefined {
  const listed = parseListedPage("meta", json);
  if (listed === undefined) return undefined;
  const { total } = listed;
  if (pageNumber === 1 && listed.items.length === 0 && total > 0) return undefined;
  const page = isObject(json.meta) && isObject(json.meta.page) ? json.meta.page : {};
  const size = typeof page.size === "number" ? Math.min(page.size, PAGE_SIZE) : PAGE_SIZE;
  const items = listed.items.map(parseControlPlane);
  return items.every((item) => item !== undefined) ? { items, size, total } : undefined;
}

/**
 * Finds the control plane that has a name. Names are unique in a region of an organization. While there is none, the
 * answer is "not yet": a list can lag behind a creation.
 */
export function findNamed(name: string): Operation<ControlPlaneDocument> {
  const operation = listControlPlanes({ name }, 1);
  return {
    ...operation,
    parse(reply) {
      const parsed = operation.parse(reply);
      if (parsed.kind !== "result") return parsed;
      // A service that ignores the filter lists others, too. Whether names differ by case alone is not documented.
      const { items } = parsed.result;
      const result =
        items.find((item) => item.name === name) ??
        items.find((item) => item.name.toLowerCase() === name.toLowerCase());
      return result === undefined ? { kind: "not yet", awaits: "creation" } : { kind: "result", result };
    },
  };
}
