import type { SafeText } from "./safe-text.js";

/**
 * Renders text as a Markdown code span. A code span holds no link, HTML, mention or a reference to an issue. Blank text
 * becomes an empty text.
 *
 * Source: CommonMark section 6.1; the filters of GitHub and GitLab leave out code.
 */
export function markdownCode(text: SafeText): string {
  if (text.trim() === "") return "";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/**
 * Renders text as a code span in a cell of a table. A pipe would end the cell even there, and a backslash before it would
 * end the escape, so a blank parts the two.
 */
export function markdownCodeCell(text: SafeText): string {
  return markdownCode(text)
    .replace(/\\(?=\|)/g, "\\ ")
    .replaceAll("|", "\\|");
}

/** Returns the first lines, as many as fit into a number of bytes with their line breaks. A line can be several lines. */
export function fitLines(lines: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > maxBytes);
  return end < 0 ? lines : lines.slice(0, end);
}

/** Returns a line with the number of lines that are left out, or none when all are there. */
export function countMore(count: number): readonly string[] {
  return count > 0 ? [`… and ${count} more, which the JSON format has`] : [];
}
