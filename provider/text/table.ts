import { safe, safeName, type SafeText } from "./safe-text.js";

/** A column of a table: how wide it may be, in terminal cells, and where its cells line up. */
export interface Column {
  /** Default: as wide as its widest cell. */
  readonly maxWidth?: number;
  /** The exact width, for tables of which several line up. */
  readonly width?: number;
  /** Default: left. */
  readonly align?: "left" | "right";
}

const GAP = "  ";

/**
 * Renders rows as lines of aligned columns with two blanks between them. Lines end without blanks. A cell that is wider
 * than its column ends with `…`.
 */
export function renderTable(
  rows: readonly (readonly SafeText[])[],
  columns: readonly Column[],
): readonly string[] {
  const widths = columns.map(
    ({ maxWidth = Infinity, width }, at) => width ?? Math.min(maxWidth, columnWidth(rows, at)),
  );
  return rows.map((row) => {
    const cells = columns.map(({ align = "left" }, at) => {
      const cell = cutToWidth(row[at] ?? safe``, widths[at] ?? 0);
      const blanks = " ".repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)));
      return align === "right" ? blanks + cell : cell + blanks;
    });
    return cells.join(GAP).trimEnd();
  });
}

/** Returns the width of the widest cell of a column. */
export function columnWidth(rows: readonly (readonly string[])[], at: number): number {
  // There can be more rows than a function takes arguments.
  return rows.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? "")), 0);
}

/**
 * Breaks text into lines of at most a width in terminal cells, at blanks where there are any.
 *
 * @param breaksWords whether a word that is longer than a line goes on in the next one; default: it stays whole
 */
export function wrapText(text: SafeText, width: number, { breaksWords = false } = {}): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let lineWidth = 0;
  const words = text.split(" ");
  for (const word of breaksWords ? words.flatMap((each) => partsOf(each, width)) : words) {
    const wordWidth = displayWidth(word);
    if (line === "") {
      line = word;
      lineWidth = wordWidth;
    } else if (lineWidth + 1 + wordWidth <= width) {
      line += ` ${word}`;
      lineWidth += 1 + wordWidth;
    } else {
      lines.push(line);
      line = word;
      lineWidth = wordWidth;
    }
  }
  return [...lines, line];
}

/** Returns the parts of a word, each of which fits a width. */
function partsOf(word: string, width: number): readonly string[] {
  if (displayWidth(word) <= width) return [word];
  const parts = [""];
  for (const character of word) {
    const part = parts.at(-1) ?? "";
    if (displayWidth(part + character) <= width) parts[parts.length - 1] = part + character;
    else parts.push(character);
  }
  return parts;
}

/** Returns how many cells of a terminal a string takes: two for wide characters, none for combining marks. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Most strings. Each character takes one cell. */
const ASCII = /^[ -~]*$/;

const MARK = /\p{M}/u;

/** East Asian scripts, full-width forms and emoji. Source: Unicode Standard Annex 11, as far as JavaScript knows it. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

function cutToWidth(text: SafeText, width: number): SafeText {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let cutWidth = 0;
  for (const character of text) {
    cutWidth += displayWidth(character);
    if (cutWidth >= width) break;
    cut += character;
  }
  return safe`${safeName(cut, cut.length)}…`;
}
