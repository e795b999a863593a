/** The path under which the service serves every operation. Source: specification, part 9. */
export const BASE_PATH = "/v2";

/**
 * Matches a path against a template such as "/v2/control-planes/{id}".
 * Returns the decoded value of each place in braces, or undefined if the path does not match.
 */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const expected = template.split("/");
  const segments = path.split("/");
  if (segments.length !== expected.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of expected.entries()) {
    const segment = segments[at] ?? "";
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? segment !== part : segment === "") return undefined;
    if (name !== undefined) values[name] = decode(segment);
  }
  return values;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The service would answer 400 for such an id, so it must still reach the operation.
    return segment;
  }
}
