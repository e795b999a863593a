import { invalidValue, type ParsedQuery } from "./query-parameters.js";

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
