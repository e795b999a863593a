/**
 * Makes text from outside safe to print, throw and store: one line, bounded, no secret in it, and nothing that a
 * terminal, a pipeline or Pulumi's own renderer would obey. What was there stays visible.
 *
 * @param maxLength in characters; a longer text ends in how much was cut
 */
export function harmless(text: string, maxLength: number): string {
  const line = disarm(redact(text.slice(0, SCAN_LIMIT)).replace(/\s+/g, " ").trim());
  const unread = Math.max(0, text.length - SCAN_LIMIT);
  if (line.length <= maxLength && unread === 0) return line;
  const cut = line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut}… (${line.length - cut.length + unread} more characters)`;
}

/**
 * Breaks up what would be obeyed in one line: also what only the joining of harmless texts has made. Idempotent.
 *
 * Sources: the `actions/runner` parser takes `##[` anywhere and `::` after any space; Azure's agent `##vso[` anywhere;
 * GitLab and Travis match their marks anywhere; Pulumi's `diag/colors` takes any `<{%`. Buildkite's (`---`, `+++`)
 * count at a line's very start only, where no text from outside ever stands.
 */
export function disarm(line: string): string {
  return line
    .replace(INVISIBLE, visibleEscape)
    .replace(/(?<=\p{M}{6})\p{M}/gu, visibleEscape) // no language piles up so many; they climb over other lines
    .replace(/<(?=\{%)/g, "< ") // Pulumi's colour tag: the CLI panics on one that it does not know
    .replace(/##(?=\w*\[)/g, "## ") // GitHub, Azure Pipelines, TeamCity, Octopus
    .replace(/:(?=:)/g, ": ") // GitHub's workflow commands
    .replace(/(section)_(?=start|end)/gi, "$1 _") // GitLab's collapsible sections
    .replace(/(fold|time):(?=(?:start|end):)/gi, "$1: "); // Travis's
}

/** Removes what looks like a secret: bearer values, Konnect tokens, user information in URLs. */
export function redact(text: string): string {
  return text
    .replace(/\b(?:bearer(?:\s|%20|\+)+)+[^\s"',;]+/gi, "Bearer [removed]")
    .replace(/\b(authorization\W{0,20}basic\s+)[^\s"',;]+/gi, "$1[removed]")
    .replace(/([ks]pat_)[A-Za-z0-9_-]+/gi, "$1[removed]")
    .replace(/(\\?\/\\?\/)[^\s/?#]+@/g, "$1[removed]@");
}

// No renderer needs more; it bounds the work that a hostile body can cause.
const SCAN_LIMIT = 64 * 1024;

// Control, format, private and unassigned characters, lone surrogates, line separators, and whatever else Unicode
// lets a renderer leave out: escapes, zero-width, bidirectional marks, tags, fillers, variation selectors.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function visibleEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
