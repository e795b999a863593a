import { THEME } from "../../screenshot/screen-svg.js";
import { CONTENDERS, type ContenderId, type Operation } from "../contenders.js";
import type { BenchResult } from "../result-file.js";
import type { Point } from "./statistics.js";
import { summarize } from "./summary.js";

/** A line of the picture. */
interface Series {
  readonly contender: ContenderId;
  readonly points: readonly Point[];
}

const OPERATION: Operation = "destroy";

const WIDTH = 760;
const HEIGHT = 460;
/** Where the lines are drawn. The labels stand to the right of it. */
const PLOT = { left: 70, right: 540, top: 56, bottom: 400 };
const LABEL_GAP = 18;
const FONTS = "ui-sans-serif,system-ui,-apple-system,'Segoe UI','Liberation Sans',sans-serif";

/** The color of each line, as its place in the palette. Fast mode has the color of its normal mode, and dashes. */
const COLORS: Readonly<Record<ContenderId, number>> = {
  ordinary: 1,
  each: 4,
  fast: 4,
  set: 2,
  floor: 3,
  "fast-floor": 3,
  "create-ordinary": 5,
  create: 6,
  "fast-ordinary": 9,
  "fast-8": 12,
  "set-8": 10,
};

/**
 * Renders how the time of a destroy grows with the number of control planes, as an SVG document on logarithmic scales.
 *
 * Returns undefined when fewer than two sizes were measured. The document has a dark background of its own, so it is
 * readable on a light and on a dark page. Its labels are text, not paths.
 */
export function renderGrowth(result: BenchResult): string | undefined {
  const summary = summarize(result);
  const all = summary.contenders
    .map((contender) => ({ contender, points: summary.times(contender, OPERATION) }))
    .filter(({ points }) => points.length > 1);
  if (all.length === 0) return undefined;
  const points = all.flatMap((series) => series.points);
  const x = logScale(
    points.map(({ controlPlanes }) => controlPlanes),
    [PLOT.left, PLOT.right],
  );
  const ticks = ticksAround(points.map(({ ms }) => ms / 1_000));
  const y = logScale(ticks, [PLOT.bottom, PLOT.top]);
  const description = all
    .map((series) => `${CONTENDERS[series.contender].label}: ${describePoints(series.points)}`)
    .join(". ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description">`,
    `<title id="title">Time of pulumi destroy by number of control planes</title>`,
    `<desc id="description">${description}.</desc>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" fill="${THEME.background}" stroke="${THEME.border}"/>`,
    `<g font-family="${FONTS}" font-size="13" fill="${THEME.text}">`,
    text(PLOT.left, 30, "seconds of pulumi destroy", "start"),
    text((PLOT.left + PLOT.right) / 2, HEIGHT - 16, "control planes", "middle"),
    ...ticks.flatMap((tick) => [
      line(PLOT.left, y(tick), PLOT.right, y(tick)),
      text(PLOT.left - 8, y(tick) + 4, String(tick), "end"),
    ]),
    ...summary.sizes.flatMap((size) => [
      line(x(size), PLOT.top, x(size), PLOT.bottom),
      text(x(size), PLOT.bottom + 20, size.toLocaleString("en"), "middle"),
    ]),
    ...all.flatMap((series) => drawSeries(series, x, (ms) => y(ms / 1_000))),
    ...drawLabels(all, (ms) => y(ms / 1_000)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

type Scale = (value: number) => number;

/** Returns a logarithmic scale from the range of some values to places from one to the other. */
export function logScale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const least = Math.log(Math.min(...values));
  const greatest = Math.log(Math.max(...values));
  return (value) => round(from + ((to - from) * (Math.log(value) - least)) / (greatest - least));
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

function drawSeries({ contender, points }: Series, x: Scale, y: Scale): readonly string[] {
  const color = colorOf(contender);
  const places = points.map(({ controlPlanes, ms }) => [x(controlPlanes), y(ms)] as const);
  const dashes = CONTENDERS[contender].fast ? ' stroke-dasharray="6 4"' : "";
  return [
    `<polyline points="${places.map((place) => place.join(",")).join(" ")}" fill="none" stroke="${color}" stroke-width="2"${dashes}/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`),
  ];
}

function drawLabels(all: readonly Series[], y: Scale): readonly string[] {
  const heights = spreadOut(
    all.map(({ points }) => y(points.at(-1)?.ms ?? 0)),
    LABEL_GAP,
  );
  return all.map(({ contender }, index) =>
    text(
      PLOT.right + 12,
      round((heights[index] ?? 0) + 4),
      CONTENDERS[contender].label,
      "start",
      colorOf(contender),
    ),
  );
}

function colorOf(contender: ContenderId): string {
  return THEME.palette[COLORS[contender]] ?? THEME.text;
}

function describePoints(points: readonly Point[]): string {
  return points
    .map(({ controlPlanes, ms }) => `${controlPlanes.toLocaleString("en")} in ${(ms / 1_000).toFixed(1)} s`)
    .join(", ");
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
