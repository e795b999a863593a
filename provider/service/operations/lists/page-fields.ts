/** One page of a list whose pages follow each other by a cursor. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins. Undefined on the last page. */
  readonly next: string | undefined;
  /** Items on all pages, as this page counts them. 0 when it does not say. */
  readonly total: number;
}

/** Whether a value can say where the next page begins. One that is missing or null says that there is none. */
export function isCursorOrMissing(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === "string";
}

/** Whether a value can be the number of entries on all pages. One that is missing or null says nothing. */
export function isTotalOrMissing(value: unknown): value is number | null | undefined {
  return value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
}

/** Returns the cursor of the next page. The service sends it by itself, or in the query of an address. */
export function cursorOf(next: string): string {
  const query = next.includes("?") ? next.slice(next.indexOf("?")) : "";
  return new URLSearchParams(query).get("page[after]") ?? next;
}
