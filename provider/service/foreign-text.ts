/**
 * Makes text from outside safe to print, throw and store: one line, bounded, nothing in it that a terminal,
 * a pipeline or Pulumi's own renderer would obey. What was there stays visible.
 *
 * @param maxLength in characters; a longer text ends in how much was cut
 */
export function harmless(text: string, maxLength: number): string {
  const line = redact(text.slice(0, SCAN_LIMIT))
    .replace(/\s+/g, " ")
    .trim()
    .replace(INVISIBLE, visibleEscape)
    .replace(/<(?=\{%)/g, "< ") // Pulumi's colour tag: the CLI panics on one that it does not know
    .replace(/##(?=\[|vso)/g, "## ") // Azure Pipelines and GitHub, anywhere in a line
    .replace(/:(?=:)/g, ": ") // GitHub's workflow commands
    .replace(/(section)_(?=start|end)/gi, "$1 _"); // GitLab's collapsible sections
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut}… (${text.length - cut.length} more characters)`;
}

/** Removes what looks like a secret: bearer values, Konnect tokens, user information in URLs. */
export function redact(text: string): string {
  return text
    .replace(/\bbearer\s+[^\s"',;]+/gi, "Bearer [removed]")
    .replace(/\b(authorization["']?\s*[:=]\s*["']?)basic\s+[^\s"',;]+/gi, "$1Basic [removed]")
    .replace(/([ks]pat_)[A-Za-z0-9_-]+/g, "$1[removed]")
    .replace(/(\/\/)[^\s/?#]+@/g, "$1[removed]@");
}

// No renderer needs more; it bounds the work that a hostile body can cause.
const SCAN_LIMIT = 64 * 1024;

// Control and format characters (escapes, zero-width, bidirectional marks, tags), line separators, lone surrogates.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function visibleEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
