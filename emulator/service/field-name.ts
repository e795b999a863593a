/** Returns the parts of a JSON pointer. Source: RFC 6901, section 4. */
export function partsOfPointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the name of a field, such as nodes[0].hostname. */
export function fieldName(parts: readonly string[]): string {
  return parts
    .map((part, at) => (/^\d+$/.test(part) && at > 0 ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
}
