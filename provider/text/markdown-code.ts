import type { SafeText } from "./safe-text.js";

/**
 * Renders text as a Markdown code span. Nothing in one is a link, HTML, a mention or a reference to an issue. Blank text
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
