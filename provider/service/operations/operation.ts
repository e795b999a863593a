import { isObject, parseJsonObject } from "../../text/json.js";
import type { Reply } from "../http/answer.js";
import type { HttpRequest } from "../http/transport.js";
import type { InvalidParameter } from "../problem/problem.js";

/** One operation of the service's API on one resource: how it is sent, and how its answer is read. */
export interface Operation<Result> {
  /** Operation identifier, for example `delete-control-plane`. Source: Kong's API document. */
  readonly name: string;
  readonly method: HttpRequest["method"];
  /** Path below the base address, for example `/control-planes/9524ec7d-…`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Whether a refused parameter names a control plane that this run has just created. Default: none does. */
  readonly namesNew?: (parameter: InvalidParameter) => boolean;
  /** The answer is read up to this size. Default: 64 KiB. */
  readonly maxAnswerBytes?: number;
  /** Whether it may be sent again although an earlier attempt may have worked (RFC 9110 section 9.2.2). */
  readonly idempotent: boolean;
  /** Parses an answer of the class 2xx. */
  readonly parse: (reply: Reply) => Parsed<Result>;
}

/**
 * What an answer of the class 2xx says: the operation's result; that the work is not finished yet; that it may have
 * worked, but is no proof; or an answer that is not of the service.
 */
export type Parsed<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "not yet"; readonly awaits: Awaited }
  | { readonly kind: "unproven" }
  | { readonly kind: "foreign" };

/** What the service may not have carried out, or may not show, yet. */
export type Awaited = "deletion" | "creation";

/** Entries for each page. Source: the largest size that Kong's own tools use. */
export const PAGE_SIZE = 100;

/** A hundred control planes with fifty labels each take more than half a megabyte. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Where a page comes from, and how it is parsed. */
interface ListRequest<Page> extends Pick<Operation<Page>, "name" | "path"> {
  readonly query: Readonly<Record<string, string>>;
  /** Returns undefined for what the service would not send. */
  readonly parsePage: (json: Readonly<Record<string, unknown>>) => Page | undefined;
}

/** Creates the operation that gets one page of a list. Only a whole answer with the status 200 is a page. */
export function listOperation<Page>({ parsePage, ...request }: ListRequest<Page>): Operation<Page> {
  return {
    ...request,
    method: "GET",
    maxAnswerBytes: MAX_LIST_BYTES,
    idempotent: true,
    parse({ status, body, bodyEnd }) {
      const json = status === 200 && bodyEnd === "complete" ? parseJsonObject(body) : undefined;
      const result = json && parsePage(json);
      return result === undefined ? { kind: "foreign" } : { kind: "result", result };
    },
  };
}

/** One page of a list whose pages follow each other by a cursor. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins. Undefined on the last page. */
  readonly next: string | undefined;
  /** Items on all pages, as this page counts them. 0 when it does not say. */
  readonly total: number;
}

/**
 * The forms of the service's lists: `data` with `meta.page`, `items` with `page`, or `data` beside what is said of the
 * pages. Source: Control Planes API v2, Control Planes Configuration API v2.
 */
export type ListForm = "meta" | "page" | "flat";

/**
 * Parses what all lists have in common. A page without items is empty, because services leave out empty fields. An object
 * with any other member, such as `message`, is not a page. Whether the items are all that the total claims is for the caller
 * to judge, who knows the other pages.
 *
 * @returns undefined for what is not a page, so that it is unknown whether others follow, and for a page that is empty in its
 *   own form and says more in another
 */
export function parseListedPage(
  form: ListForm,
  json: Readonly<Record<string, unknown>>,
): CursorPage<unknown> | undefined {
  const meta = objectOrMissing(json.meta);
  const listed = form === "page" ? json.items : json.data;
  const said = { meta: meta?.page, page: json.page, flat: json }[form];
  const page = objectOrMissing(said);
  if (meta === undefined || page === undefined) return undefined;
  const isLeftOut = isMissing(listed) && Object.keys(json).every((member) => LIST_MEMBERS.includes(member));
  const items = isLeftOut ? [] : listed;
  if (!Array.isArray(items)) return undefined;
  const elsewhere = [json, json.page, meta, meta.page].filter((part) => part !== said);
  if (
    items.length === 0 &&
    (!isNothing(form === "page" ? json.data : json.items) || elsewhere.some(saysMore))
  ) {
    return undefined;
  }
  const { next, offset } = page;
  const total = page.total ?? page.total_count;
  if (!isCursorOrMissing(next) || !isCursorOrMissing(offset) || !isTotalOrMissing(total)) return undefined;
  const cursor = (next ? cursorOf(next) : offset) ?? "";
  return { items, next: cursor === "" ? undefined : cursor, total: total ?? 0 };
}

const LIST_MEMBERS = ["data", "meta", "items", "page", "next", "offset", "total"];

/** Whether a part of a list that is empty claims items: by a total, or by another page. */
function saysMore(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { total, total_count: totalCount, next, offset } = part;
  return ![total, totalCount, next, offset].every(isNothing);
}

function isNothing(value: unknown): boolean {
  return isMissing(value) || value === 0 || value === "" || (Array.isArray(value) && value.length === 0);
}

function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function objectOrMissing(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isMissing(value)) return {};
  return isObject(value) ? value : undefined;
}

/** Whether a value can say where the next page begins. One that is missing or null says that there is none. */
function isCursorOrMissing(value: unknown): value is string | null | undefined {
  return isMissing(value) || typeof value === "string";
}

/** Whether a value can be the number of entries on all pages. One that is missing or null is ignored. */
function isTotalOrMissing(value: unknown): value is number | null | undefined {
  return isMissing(value) || (Number.isSafeInteger(value) && Number(value) >= 0);
}

/** Returns the cursor of the next page. The service sends it by itself, or in the query of an address. */
function cursorOf(next: string): string {
  const query = next.includes("?") ? next.slice(next.indexOf("?")) : "";
  return new URLSearchParams(query).get("page[after]") ?? next;
}
