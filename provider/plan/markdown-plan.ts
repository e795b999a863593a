import { countMore, fitLines, markdownCode, markdownCodeCell } from "../text/markdown.js";
import { safeName, type SafeText } from "../text/safe-text.js";
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

/** A summary of GitHub Actions holds 1 MiB. The table and the list take half of it each. What does not fit is counted. */
const MAX_BYTES = 500_000;

/** The longest text of a cell. */
const MAX_CELL_LENGTH = 300;

/** Renders a plan as GitHub Flavored Markdown, for job summaries and comments. Foreign text stands in code spans. */
export function renderMarkdownPlan(plan: Plan): string {
  const { controlPlanes, madeAtMs } = plan;
  const rows = controlPlanes.map((each) => tableRow(cellsOf(each, madeAtMs)));
  const shown = fitLines(rows, MAX_BYTES);
  const explained = explainRemarks(plan).map((line) => `- ${markdownCode(line)}`);
  const listed = fitLines(explained, MAX_BYTES);
  const pending = describePendingOperations(plan);
  const table = [tableLine(HEADINGS), tableLine(HEADINGS.map(alignmentOf)), ...shown].join("\n");
  const blocks = [
    "## What a destroy deletes",
    `${markdownCode(describeStack(plan))}: ${describeCounts(plan)}.`,
    ...(controlPlanes.length === 0 ? [] : [table]),
    ...countMore(rows.length - shown.length),
    ...(listed.length === 0 ? [] : [listed.join("\n")]),
    ...countMore(explained.length - listed.length),
    ...(controlPlanes.length === 0 ? [] : [describeEnd(plan).join(" ")]),
    [pending === undefined ? "" : markdownCode(pending), describeUnknown(plan) ?? ""].join(" ").trim(),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function tableRow(cells: readonly SafeText[]): string {
  return tableLine(cells.map((cell) => markdownCodeCell(safeName(cell, MAX_CELL_LENGTH))));
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function alignmentOf(heading: (typeof HEADINGS)[number]): string {
  return heading === "age" || heading === "nodes" ? "---:" : "---";
}
