import { stripVTControlCharacters } from "node:util";

/** Consecutive lines of an output, by what the first and the last of them begin with. White space before does not count. */
export interface Excerpt {
  readonly first: string;
  readonly last: string;
}

/** The line between two excerpts that do not follow each other. */
export const OMISSION = "⋮";

/**
 * Returns the lines of all excerpts, in the order of the output.
 *
 * A dimmed line with three dots stands for what is left out between two of them. Throws when an excerpt is not in the
 * output after the one before it.
 */
export function takeExcerpts(output: string, excerpts: readonly Excerpt[]): readonly string[] {
  const lines = output.split(/\r?\n/).map((line) => line.trimEnd());
  const taken: string[] = [];
  let next = 0;
  for (const { first, last } of excerpts) {
    const start = findLine(lines, first, next);
    const end = findLine(lines, last, start);
    if (taken.length > 0 && start > next) taken.push(`\u001b[2m${OMISSION}\u001b[0m`);
    taken.push(...lines.slice(start, end + 1));
    next = end + 1;
  }
  return taken;
}

function findLine(lines: readonly string[], beginning: string, from: number): number {
  const found = lines.findIndex(
    (line, index) => index >= from && stripVTControlCharacters(line).trimStart().startsWith(beginning),
  );
  if (found < 0) throw new Error(`no line of the output begins with "${beginning}" after line ${from}`);
  return found;
}
