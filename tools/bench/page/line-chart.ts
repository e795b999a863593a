import { THEME } from "./theme.js";

/** A chart with a logarithmic scale of seconds, and a line for each series. */
export interface LineChart {
  readonly title: string;
  /** What the lines show, for readers who cannot see them. */
  readonly description: string;
  readonly yTitle: string;
  readonly xTitle: string;
  readonly xScale: "linear" | "logarithmic";
  /** The values at which the axis has a label, in their order. */
  readonly xTicks: readonly number[];
  readonly series: readonly Series[];
}

/** A line of a chart. */
export interface Series {
  readonly label: string;
  /** Its place in the palette. */
  readonly color: number;
  readonly isDashed: boolean;
  readonly points: readonly { readonly x: number; readonly ms: number }[];
}

const WIDTH = 760;
const HEIGHT = 460;
/** Where the lines are drawn. The labels stand to the right of it. */
const PLOT = { left: 70, right: 540, top: 56, bottom: 400 };
const LABEL_GAP = 18;
const FONTS = "ui-sans-serif,system-ui,-apple-system,'Segoe UI','Liberation Sans',sans-serif";

/**
 * Renders a chart as an SVG document. It has a dark background of its own, so it is readable on a light and on a dark page.
 * Its labels are text, not paths.
 */
export function renderLineChart(chart: LineChart): string {
  const points = chart.series.flatMap((series) => series.points);
  const scale = chart.xScale === "linear" ? linearScale : logScale;
  const x = scale(
    points.map((point) => point.x),
    [PLOT.left, PLOT.right],
  );
  const ticks = ticksAround(points.map(({ ms }) => ms / 1_000));
  const y = logScale(ticks, [PLOT.bottom, PLOT.top]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description">`,
    `<title id="title">${chart.title}</title>`,
    `<desc id="description">${chart.description}</desc>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" fill="${THEME.background}" stroke="${THEME.border}"/>`,
    `<g font-family="${FONTS}" font-size="13" fill="${THEME.text}">`,
    text(PLOT.left, 30, chart.yTitle, "start"),
    text((PLOT.left + PLOT.right) / 2, HEIGHT - 16, chart.xTitle, "middle"),
    ...ticks.flatMap((tick) => [
      line(PLOT.left, y(tick), PLOT.right, y(tick)),
      text(PLOT.left - 8, y(tick) + 4, String(tick), "end"),
    ]),
    ...chart.xTicks.flatMap((tick) => [
      line(x(tick), PLOT.top, x(tick), PLOT.bottom),
      text(x(tick), PLOT.bottom + 20, tick.toLocaleString("en"), "middle"),
    ]),
    ...chart.series.flatMap((series) => drawSeries(series, x, (ms) => y(ms / 1_000))),
    ...drawLabels(chart.series, (ms) => y(ms / 1_000)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

type Scale = (value: number) => number;

/** Returns a logarithmic scale from the range of some values to places from one to the other. */
export function logScale(values: readonly number[], places: readonly [number, number]): Scale {
  const scale = linearScale(values.map(Math.log), places);
  return (value) => scale(Math.log(value));
}

/** Returns a linear scale from the range of some values to places from one to the other. */
export function linearScale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const least = Math.min(...values);
  const greatest = Math.max(...values);
  return (value) => round(from + ((to - from) * (value - least)) / (greatest - least));
}

/** Returns the numbers 1, 2 and 5, times powers of ten, from the greatest below all values to the least above them. */
export function ticksAround(values: readonly number[]): readonly number[] {
  const decades = Array.from({ length: 12 }, (_, index) => index - 4);
  const ticks = decades.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  const first = ticks.findLastIndex((tick) => tick <= Math.min(...values));
  const last = ticks.findIndex((tick) => tick > Math.max(...values));
  return ticks.slice(first, last + 1);
}

/** Moves heights apart that are too close to each other, from top to bottom. Keeps their order. */
export function spreadOut(heights: readonly number[], gap: number): readonly number[] {
  const places: number[] = [];
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  let last = -Infinity;
  for (const index of order) {
    last = Math.max(heights[index] ?? 0, last + gap);
    places[index] = last;
  }
  return places;
}

function drawSeries({ points, color, isDashed }: Series, x: Scale, y: Scale): readonly string[] {
  const fill = colorOf(color);
  const places = points.map((point) => [x(point.x), y(point.ms)] as const);
  const dashes = isDashed ? ' stroke-dasharray="6 4"' : "";
  return [
    `<polyline points="${places.map((place) => place.join(",")).join(" ")}" fill="none" stroke="${fill}" stroke-width="2"${dashes}/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${fill}"/>`),
  ];
}

function drawLabels(all: readonly Series[], y: Scale): readonly string[] {
  const heights = spreadOut(
    all.map(({ points }) => y(points.at(-1)?.ms ?? 0)),
    LABEL_GAP,
  );
  return all.map(({ label, color }, index) =>
    text(PLOT.right + 12, round((heights[index] ?? 0) + 4), label, "start", colorOf(color)),
  );
}

function colorOf(color: number): string {
  return THEME.palette[color] ?? THEME.text;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${THEME.border}"/>`;
}

function text(x: number, y: number, content: string, anchor: string, fill?: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${fill === undefined ? "" : ` fill="${fill}"`}>${content}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
