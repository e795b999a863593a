import { safeText } from "../text/safe-text.js";
import { columnWidth, renderTable } from "../text/table.js";
import {
  cellsOf,
  describeCounts,
  describeEnd,
  describePendingOperations,
  describeStack,
  describeUnknown,
  explainRemarks,
  HEADINGS,
} from "./describe-plan.js";
import type { Plan } from "./make-plan.js";

/** The width that every table fits, in terminal cells. */
const TABLE_WIDTH = 100;

const GAP_WIDTH = 2;

/** Columns that may be cut, and what is left of them at least. All others are shown whole. */
const CUT: Readonly<Partial<Record<(typeof HEADINGS)[number], number>>> = {
  name: 8,
  region: 6,
  labels: 6,
  remark: 22,
};

/** Renders a plan as text: what it is about, a table of at most 100 columns, and what stands in the way in full. */
export function renderTextPlan(plan: Plan): string {
  const { controlPlanes, madeAtMs } = plan;
  const stack = describeStack(plan);
  const pending = [describePendingOperations(plan), describeUnknown(plan)].filter(
    (line) => line !== undefined,
  );
  if (controlPlanes.length === 0) {
    const gap = pending.length === 0 ? [] : [""];
    return `${[`A destroy of ${stack} deletes no control planes.`, ...gap, ...pending].join("\n")}\n`;
  }
  const subject = `A destroy of ${stack}, ${describeCounts(plan)}.`;
  const rows = [
    HEADINGS.map((heading) => safeText(heading, 20)),
    ...controlPlanes.map((controlPlane) => cellsOf(controlPlane, madeAtMs)),
  ];
  const widths = fitWidths(rows);
  const table = renderTable(
    rows,
    HEADINGS.map((heading, at) => ({
      maxWidth: widths[at] ?? 0,
      align: heading === "age" || heading === "nodes" ? "right" : "left",
    })),
  );
  const explained = explainRemarks(plan).map((line) => `  ${line}`);
  const details = explained.length === 0 ? [] : [...explained, ""];
  return `${[subject, "", ...table, "", ...details, ...describeEnd(plan), ...pending].join("\n")}\n`;
}

/** Returns the width of each column. The column that is the farthest above its least width gives way first. */
function fitWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths = HEADINGS.map((_, at) => columnWidth(rows, at));
  const spare = (at: number): number => {
    const heading = HEADINGS[at];
    const least = heading === undefined ? undefined : CUT[heading];
    return least === undefined ? 0 : (widths[at] ?? 0) - least;
  };
  const room = TABLE_WIDTH - GAP_WIDTH * (HEADINGS.length - 1);
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = widths.map((_, at) => at).reduce((a, b) => (spare(b) > spare(a) ? b : a));
    if (spare(widest) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
