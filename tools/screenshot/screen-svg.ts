import type { Run, Screen } from "./screen.js";

/** What the picture is called, and what it shows, for those who do not see it. */
export interface Caption {
  readonly title: string;
  readonly description: string;
}

/** The terminal's 16 colors on its background. All have a contrast of at least 4.5, as WCAG 2.2 asks for. */
export const THEME = {
  background: "#0d1117",
  border: "#3d444d",
  text: "#e6edf3",
  dim: "#9198a1",
  palette: [
    "#848d97",
    "#ff7b72",
    "#7ee787",
    "#e3b341",
    "#79c0ff",
    "#d2a8ff",
    "#76e3ea",
    "#e6edf3",
    "#9198a1",
    "#ffa198",
    "#a5f0ab",
    "#f2cc60",
    "#a5d6ff",
    "#e2c5ff",
    "#b3f0ff",
    "#ffffff",
  ],
} as const;

const FONT_SIZE = 14;
/** The advance of one character. Each run of text is set to its width, because fonts differ. */
const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 20;
const PADDING = 20;
const FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace";

/**
 * Renders a screen as an SVG document with a dark background of its own, readable on a light and on a dark page.
 *
 * The document contains text and shapes only: no script, no link and no font from elsewhere.
 */
export function renderSvg(screen: Screen, columns: number, { title, description }: Caption): string {
  const width = Math.ceil(columns * CELL_WIDTH) + 2 * PADDING;
  const height = screen.length * LINE_HEIGHT + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${THEME.background}" stroke="${THEME.border}"/>`,
    `<g font-family="${FONTS}" font-size="${FONT_SIZE}" fill="${THEME.text}">`,
    ...screen.flatMap(renderLine),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function renderLine(runs: readonly Run[], index: number): readonly string[] {
  const y = PADDING + index * LINE_HEIGHT + FONT_SIZE;
  let column = 0;
  return runs.flatMap((run) => {
    const start = column;
    column += run.text.length;
    // Renderers disagree about blanks in a row, so each piece between them has a place of its own.
    return [...run.text.matchAll(/\S+(?: \S+)*/g)].map((piece) =>
      renderRun({ ...run, text: piece[0] }, start + piece.index, y),
    );
  });
}

function renderRun({ text, color, bold, dim }: Run, column: number, y: number): string {
  const fill = color === undefined ? (dim ? THEME.dim : THEME.text) : THEME.palette[color];
  const attributes = [
    `x="${round(PADDING + column * CELL_WIDTH)}" y="${y}" textLength="${round(text.length * CELL_WIDTH)}"`,
    ...(fill === THEME.text ? [] : [`fill="${fill}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
  ];
  return `<text ${attributes.join(" ")}>${escape(text)}</text>`;
}

/** What XML 1.0 cannot hold: section 2.2, "Char". */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
] as const;

function escape(text: string): string {
  const valid = text.replace(NOT_XML, "\u{fffd}");
  return ENTITIES.reduce((all, [character, entity]) => all.replaceAll(character, entity), valid);
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
