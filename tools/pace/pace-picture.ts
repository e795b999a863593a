import { renderLineChart } from "../bench/page/line-chart.js";
import { type Contender, medians, type PaceResult, PLANES } from "./result.js";

const LINES: readonly { readonly contender: Contender; readonly label: string; readonly color: number }[] = [
  { contender: "before", label: "before: a 503 pauses all", color: 1 },
  { contender: "after", label: "now: a 503 delays its own call", color: 2 },
];

/** Renders when the last healthy control plane is gone, by the share of those that always fail, as an SVG document. */
export function renderPace(result: PaceResult): string {
  const series = LINES.map(({ contender, label, color }) => ({
    label,
    color,
    isDashed: false,
    points: medians(result, contender).map(({ bad, lastHealthyMs }) => ({
      x: (100 * bad) / PLANES,
      ms: lastHealthyMs,
    })),
  })).filter(({ points }) => points.length > 0);
  const described = series.map(({ label, points }) => {
    const times = points.map(({ x, ms }) => `${x} % in ${(ms / 1_000).toFixed(1)} s`);
    return `${label}: ${times.join(", ")}.`;
  });
  return renderLineChart({
    title: "Time until the last healthy member of a set of 100 is gone, by the share that always answers 503",
    description: described.join(" "),
    yTitle: "seconds from the first DELETE to that of the last healthy one of 100",
    xTitle: "% that always answer 503 with Retry-After: 20",
    xScale: "linear",
    xTicks: series[0]?.points.map(({ x }) => x) ?? [],
    series,
  });
}
