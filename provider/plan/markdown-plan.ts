import { markdownCode, markdownCodeCell } from "../text/markdown-code.js";
import { safe, safeName, type SafeText } from "../text/safe-text.js";
import {
  cellsOf,
  describeCounts,
  describeEnd,
  describeStack,
  explainRemarks,
  HEADINGS,
} from "./describe-plan.js";
import type { Plan } from "./make-plan.js";

/** A summary of GitHub Actions holds 1 MiB, and a comment 64 KiB. What does not fit is counted. */
const MAX_ROWS = 1_000;

/** A cell of a page need not show more. */
const MAX_CELL_LENGTH = 300;

/** Renders a plan as GitHub Flavored Markdown, for job summaries and comments. Foreign text stands in code spans. */
export function renderMarkdownPlan(plan: Plan): string {
  const { controlPlanes, madeAtMs } = plan;
  const explained = explainRemarks(plan);
  const rows = controlPlanes.slice(0, MAX_ROWS).map((each) => tableRow(cellsOf(each, madeAtMs)));
  const table = [tableLine(HEADINGS), tableLine(HEADINGS.map(alignmentOf)), ...rows].join("\n");
  const blocks = [
    "## What a destroy deletes",
    `${markdownCode(describeStack(plan))}: ${describeCounts(plan)}.`,
    ...(controlPlanes.length === 0 ? [] : [table]),
    ...moreThan(MAX_ROWS, controlPlanes.length),
    ...(explained.length === 0 ? [] : [listOf(explained.slice(0, MAX_ROWS))]),
    ...moreThan(MAX_ROWS, explained.length),
    ...(controlPlanes.length === 0 ? [] : [describeEnd(plan).join(" ")]),
  ];
  return `${blocks.join("\n\n")}\n`;
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

function listOf(lines: readonly SafeText[]): string {
  return lines.map((line) => `- ${markdownCode(line)}`).join("\n");
}

function moreThan(limit: number, count: number): readonly SafeText[] {
  return count > limit ? [safe`… and ${count - limit} more`] : [];
}
