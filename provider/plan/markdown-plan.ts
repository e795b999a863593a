import { countMore, fitLines, markdownCode, markdownCodeCell } from "../text/markdown.js";
import { joinSafe, safeName } from "../text/safe-text.js";
import {
  cellsOf,
  describeCounts,
  describeEnd,
  describePendingOperations,
  describeStack,
  groupsOf,
  HEADINGS,
  type Note,
  notesOf,
} from "./describe-plan.js";
import type { Plan } from "./make-plan.js";

/** A summary of GitHub Actions holds 1 MiB. What does not fit is counted. */
const MAX_BYTES = 1_000_000;

/** The longest text of a cell. */
const MAX_CELL_LENGTH = 300;

/** The longest text of the cell that says what stands in the way, and of the one that says what is worth knowing. */
const MAX_NOTES_LENGTH = 1_500;

/** Renders a plan as GitHub Flavored Markdown, for job summaries and comments. Foreign text stands in code spans. */
export function renderMarkdownPlan(plan: Plan): string {
  const { controlPlanes } = plan;
  const [pending, ...unknown] = describePendingOperations(plan);
  const blocks = [
    "## What a destroy deletes",
    `${markdownCode(describeStack(plan))}: ${describeCounts(plan)}.`,
    ...renderGroups(plan),
    ...(controlPlanes.length === 0 ? [] : [describeEnd(plan).join(" ")]),
    [...(pending === undefined ? [] : [markdownCode(pending)]), ...unknown].join(" "),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** The groups share the space, in their order. */
function renderGroups(plan: Plan): readonly string[] {
  let room = MAX_BYTES;
  return groupsOf(plan).flatMap(({ outcome, title, controlPlanes }) => {
    const isBlocked = outcome === "blocked";
    const head = [...HEADINGS, ...(isBlocked ? ["in the way"] : []), "note"];
    const rows = controlPlanes.map((each) => {
      const notes = notesOf(each);
      const others = notes.filter(({ isInTheWay }) => !isInTheWay);
      const inTheWay = notes.filter((note) => !others.includes(note));
      return tableLine([
        ...cellsOf(each, plan.madeAtMs).map((cell) => markdownCodeCell(safeName(cell, MAX_CELL_LENGTH))),
        ...(isBlocked ? [notesCell(inTheWay), notesCell(others)] : [notesCell(notes)]),
      ]);
    });
    const shown = fitLines(rows, room);
    room -= Buffer.byteLength(shown.join("\n"));
    return [
      `### ${title}`,
      [tableLine(head), tableLine(head.map(alignmentOf)), ...shown].join("\n"),
      ...countMore(rows.length - shown.length),
    ];
  });
}

function notesCell(notes: readonly Note[]): string {
  const text = joinSafe(
    notes.map((note) => note.text),
    "; ",
  );
  return markdownCodeCell(safeName(text, MAX_NOTES_LENGTH));
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function alignmentOf(heading: string): string {
  return heading === "age" || heading === "nodes" ? "---:" : "---";
}
