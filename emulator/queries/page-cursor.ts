import { invalidValue, readCount, type ParameterReaders, type ParsedQuery } from "./query-parameters.js";

/** The query of a list whose pages follow each other by a cursor. */
export interface CursorQuery extends ParsedQuery {
  /** Entries per page, 1 to 100. */
  size: number;
  start: number;
}

/** The first page, with the size that a request gets when it names none. */
export const FIRST_PAGE: Omit<CursorQuery, "invalid"> = { size: 10, start: 0 };

export const CURSOR_READERS: ParameterReaders<CursorQuery> = {
  "page[size]": (value, query, field) => (query.size = readCount(value, 100, query, field)),
  "page[after]": (value, query, field) => (query.start = readCursor(value, query, field)),
};

/** A part of a list, and the cursor of the next part if there is one. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/** Returns the items of one page. A cursor is opaque to clients. */
export function cutPage<Item>(all: readonly Item[], start: number, size: number): CursorPage<Item> {
  const end = start + size;
  const next = end < all.length ? Buffer.from(`after ${end}`).toString("base64url") : undefined;
  return { items: all.slice(start, end), next };
}

/** Returns the place where the page of a cursor starts. Adds an entry if the service never sent such a cursor. */
export function readCursor(value: string, { invalid }: ParsedQuery, field: string): number {
  const digits = /^after (\d{1,9})$/.exec(Buffer.from(value, "base64url").toString())?.[1];
  if (digits === undefined) {
    invalid.push(invalidValue(field, "invalid", "must be a value that an earlier page returned"));
  }
  return Number(digits);
}
