import { safe, safeText } from "../../text/safe-text.js";
import { markdownCode, markdownCodeCell } from "../../text/markdown-code.js";
import type { Report } from "../report-model.js";
import type { ReportLine } from "../line-model.js";
import {
  answerOf,
  describeRemoved,
  describeSkipped,
  describeSpan,
  describeTotals,
  describeUnread,
  durationOf,
  explanationOf,
  idOf,
  nameOf,
  outcomeOf,
} from "./describe-line.js";

/** A summary of GitHub Actions holds 1 MiB. What does not fit is counted; the JSON format has all. */
const MAX_EXPLAINED = 200;
const MAX_ROWS = 1_000;

/** Renders a report as GitHub Flavored Markdown, for job summaries and comments. */
export function renderMarkdown(report: Report): string {
  const { left, kept, gone, files, isComplete } = report;
  const span = describeSpan(report);
  const skipped = files.map(describeSkipped).filter((line) => line !== undefined);
  const blocks = [
    `## Control planes: ${isComplete ? "nothing is left" : left.length > 0 ? `${left.length} left` : "not known"}`,
    span === undefined ? describeTotals(report) : `${describeTotals(report)} (${span})`,
    describeUnread(report) ?? "",
    ...(left.length === 0 ? [] : ["### Left", table(left), explanations(left)]),
    ...(kept.length === 0 ? [] : ["### Kept", table(kept), removals(kept)]),
    ...(gone.length === 0
      ? []
      : [
          `<details>\n<summary>Gone (${gone.length})</summary>`,
          ...[table(gone), removals(gone), "</details>"],
        ]),
    ...(skipped.length === 0 ? [] : [skipped.map((line) => `- ${markdownCode(line)}`).join("\n")]),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function table(lines: readonly ReportLine[]): string {
  const rows = lines
    .slice(0, MAX_ROWS)
    .map((line) => [
      markdownCodeCell(nameOf(line)),
      markdownCodeCell(idOf(line)),
      outcomeOf(line),
      String(line.attempts),
      durationOf(line),
      markdownCodeCell(answerOf(line)),
    ]);
  const more = lines.length - rows.length;
  return [
    "| name | id | outcome | attempts | time | answer |",
    "| --- | --- | --- | ---: | ---: | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    ...(more > 0 ? ["", `… and ${more} more`] : []),
  ].join("\n");
}

/** Lists the groups from which members were removed. */
function removals(lines: readonly ReportLine[]): string {
  const removed = lines.flatMap((line) => {
    const what = describeRemoved(line);
    const subject = nameOf(line) === "" ? idOf(line) : nameOf(line);
    return what === undefined ? [] : [`- ${markdownCode(safe`${subject}: ${what}`)}`];
  });
  const more = removed.length - MAX_EXPLAINED;
  return [...removed.slice(0, MAX_EXPLAINED), ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

function explanations(lines: readonly ReportLine[]): string {
  const explained = lines.slice(0, MAX_EXPLAINED).flatMap((line) => {
    const { said, facts } = explanationOf(line);
    const entries = [
      ...said.map(markdownCode),
      ...facts.map(([name, value]) => `${name}: ${markdownCode(value)}`),
    ];
    if (entries.length === 0) return [];
    const subject = nameOf(line) === "" ? idOf(line) : safe`${nameOf(line)} (${safeText(idOf(line), 120)})`;
    return [[`- ${markdownCode(subject)}`, ...entries.map((entry) => `  - ${entry}`)].join("\n")];
  });
  return explained.join("\n");
}
