import { safe, safeText } from "../text/safe-text.js";
import { columnWidth, renderTable, wrapText } from "../text/table.js";
import {
  cellsOf,
  describeCounts,
  describeEnd,
  describePendingOperations,
  describeStack,
  groupsOf,
  HEADINGS,
  notesOf,
} from "./describe-plan.js";
import type { Plan, PlannedControlPlane } from "./make-plan.js";

/** The width that tables fit where no terminal says another one, in cells. */
const DEFAULT_WIDTH = 100;

/** A narrower terminal breaks lines by itself. */
const LEAST_WIDTH = 70;

const GAP_WIDTH = 2;

/** What a table is indented by. */
const INDENT = "  ";

/** The beginnings of what is said below a row. Only ASCII, because some logs show nothing else. */
const NOTE = "    - note: ";
const IN_THE_WAY = "    ! in the way: ";

/** Width of an id that is shortened to its first part. */
const SHORT_ID_WIDTH = 9;

/** The columns that give way when the table is too wide, one after the other, and what is left of each at least. */
const GIVE_WAY: readonly (readonly [heading: (typeof HEADINGS)[number], leastWidth: number])[] = [
  ["labels", 30],
  ["region", 10],
  ["labels", 20],
  ["region", 6],
  ["labels", 12],
  ["name", 8],
];

/**
 * Renders a plan as text: what would stay and why, what would be deleted, and what is gone or kept.
 *
 * @param width of the terminal, in cells. Default: tables fit 100, and what is said below a row stays in one line, where
 *   a search in a log finds it
 */
export function renderTextPlan(plan: Plan, width?: number): string {
  const stack = describeStack(plan);
  const pending = describePendingOperations(plan);
  if (plan.controlPlanes.length === 0) {
    const gap = pending.length === 0 ? [] : [""];
    return `${[`A destroy of ${stack} deletes no control planes.`, ...gap, ...pending].join("\n")}\n`;
  }
  const subject = `A destroy of ${stack}, ${describeCounts(plan)}.`;
  const room = Math.max(width ?? DEFAULT_WIDTH, LEAST_WIDTH);
  const table = renderGroups(plan, room, width === undefined ? Infinity : room).flatMap((lines) => [
    ...lines,
    "",
  ]);
  return `${[subject, "", ...table, ...describeEnd(plan), ...pending].join("\n")}\n`;
}

/** Renders the groups of a plan, whose columns line up. Labels that do not fit their column go on below it. */
function renderGroups(plan: Plan, room: number, roomBelow: number): readonly (readonly string[])[] {
  const heading = HEADINGS.map((text) => safeText(text, 20));
  const groups = groupsOf(plan).map(({ title, controlPlanes }) => ({
    title,
    rows: controlPlanes.map((controlPlane) => ({
      cells: cellsOf(controlPlane, plan.madeAtMs),
      below: renderNotes(controlPlane, roomBelow),
    })),
  }));
  const all = [heading, ...groups.flatMap(({ rows }) => rows.map(({ cells }) => cells))];
  const widths = fitWidths(all, room - INDENT.length - GAP_WIDTH * (HEADINGS.length - 1));
  const labelsAt = HEADINGS.indexOf("labels");
  const columns = HEADINGS.map((name, at) => ({
    width: widths[at] ?? 0,
    align: name === "age" || name === "nodes" ? ("right" as const) : ("left" as const),
  }));
  const render = (cells: (typeof all)[number]) => {
    const labels = cells[labelsAt] ?? safe``;
    const [first = "", ...more] = wrapText(labels, widths[labelsAt] ?? 0, { breaksWords: true });
    const lines = [cells.with(labelsAt, safeText(first, 1_000))];
    for (const part of more) {
      lines.push(HEADINGS.map((_, at) => safeText(at === labelsAt ? part : "", 1_000)));
    }
    return renderTable(lines, columns).map((line) => `${INDENT}${line}`);
  };
  return groups.map(({ title, rows }) => [
    title,
    ...render(heading),
    ...rows.flatMap(({ cells, below }) => [...render(cells), ...below]),
  ]);
}

function renderNotes(controlPlane: PlannedControlPlane, room: number): readonly string[] {
  return notesOf(controlPlane).flatMap(({ isInTheWay, text }) => {
    const start = isInTheWay ? IN_THE_WAY : NOTE;
    return wrapText(text, room - start.length).map(
      (line, at) => `${at === 0 ? start : " ".repeat(start.length)}${line}`,
    );
  });
}

/** Returns the width of each column. Ids give way first, and as a whole, because a part of one says little. */
function fitWidths(rows: readonly (readonly string[])[], room: number): readonly number[] {
  const widths = HEADINGS.map((_, at) => columnWidth(rows, at));
  const excess = () => widths.reduce((sum, width) => sum + width, 0) - room;
  if (excess() > 0) {
    const at = HEADINGS.indexOf("id");
    widths[at] = Math.min(widths[at] ?? 0, SHORT_ID_WIDTH);
  }
  for (const [heading, least] of GIVE_WAY) {
    const at = HEADINGS.indexOf(heading);
    const width = widths[at] ?? 0;
    widths[at] = Math.min(width, Math.max(least, width - Math.max(0, excess())));
  }
  return widths;
}
