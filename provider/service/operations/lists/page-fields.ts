/** Whether a value can say where the next page begins. One that is missing or null says that there is none. */
export function isCursorOrMissing(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === "string";
}

/** Whether a value can be the number of entries on all pages. One that is missing or null says nothing. */
export function isTotalOrMissing(value: unknown): value is number | null | undefined {
  return value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
}
