import { CONTENDERS, type ContenderId, type Operation } from "../contenders.js";
import type { BenchResult } from "../result-file.js";
import { renderLineChart } from "./line-chart.js";
import type { Point } from "./statistics.js";
import { summarize } from "./summary.js";

const OPERATION: Operation = "destroy";

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
  plugin: 7,
  "plugin-fast": 7,
  empty: 8,
};

/**
 * Renders how the time of a destroy grows with the number of control planes, as an SVG document on logarithmic scales.
 * Returns undefined when fewer than two sizes were measured.
 */
export function renderGrowth(result: BenchResult): string | undefined {
  const summary = summarize(result);
  const all = summary.contenders
    .map((contender) => ({ contender, points: summary.times(contender, OPERATION) }))
    .filter(({ points }) => points.length > 1);
  if (all.length === 0) return undefined;
  const description = all
    .map(({ contender, points }) => `${CONTENDERS[contender].label}: ${describePoints(points)}`)
    .join(". ");
  return renderLineChart({
    title: "Time of pulumi destroy by number of control planes",
    description: `${description}.`,
    yTitle: "seconds of pulumi destroy",
    xTitle: "control planes",
    xScale: "logarithmic",
    xTicks: summary.sizes,
    series: all.map(({ contender, points }) => ({
      label: CONTENDERS[contender].label,
      color: COLORS[contender],
      isDashed: CONTENDERS[contender].fast,
      points: points.map(({ controlPlanes, ms }) => ({ x: controlPlanes, ms })),
    })),
  });
}

function describePoints(points: readonly Point[]): string {
  return points
    .map(({ controlPlanes, ms }) => `${controlPlanes.toLocaleString("en")} in ${(ms / 1_000).toFixed(1)} s`)
    .join(", ");
}
