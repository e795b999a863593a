import { safe, safeText } from "../../text/safe-text.js";
import { countMore, fitLines, markdownCode, markdownCodeCell } from "../../text/markdown.js";
import type { Report } from "../report-model.js";
import { describeNights, flawOfNights, isDryRun } from "./describe-night.js";
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

/** What is listed at most. What does not fit is counted, and the JSON format has all. */
const MAX_EXPLAINED = 200;
const MAX_ROWS = 1_000;

/** Texts of one explanation: as many as a line that this package writes can have. */
const MAX_SAID = 17;

/** A summary of GitHub Actions holds 1 MiB. These are the bytes of its parts; headings and counts take what is left. */
const MAX_BYTES = {
  ...{ left: 250_000, explanations: 350_000 },
  ...{ kept: 100_000, gone: 150_000, removals: 40_000, files: 40_000 },
} as const;

/** Renders a report as GitHub Flavored Markdown, for job summaries and comments. */
export function renderMarkdown(report: Report): string {
  const { left, kept, gone, files } = report;
  const span = describeSpan(report);
  const skipped = files.map(describeSkipped).filter((line) => line !== undefined);
  const blocks = [
    `## Control planes: ${titleOf(report)}`,
    ...describeNights(report).map(({ headline, why, facts }) =>
      [markdownCode(headline), ...[...why, ...facts].map((line) => `- ${markdownCode(line)}`)].join("\n"),
    ),
    span === undefined ? describeTotals(report) : `${describeTotals(report)} (${span})`,
    describeUnread(report) ?? "",
    ...(left.length === 0 ? [] : ["### Left", table(left, MAX_BYTES.left), explanations(left)]),
    ...(kept.length === 0 ? [] : ["### Kept", table(kept, MAX_BYTES.kept), removals(kept)]),
    ...(gone.length === 0
      ? []
      : [
          `<details>\n<summary>Gone (${gone.length})</summary>`,
          ...[table(gone, MAX_BYTES.gone), removals(gone), "</details>"],
        ]),
    list(
      skipped.map((line) => `- ${markdownCode(line)}`),
      MAX_BYTES.files,
    ),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function titleOf(report: Report): string {
  const { left, isComplete } = report;
  const flaw = flawOfNights(report);
  const night = flaw === undefined ? "" : `, the night ${flaw}`;
  if (isComplete) return isDryRun(report) ? "dry run, nothing to do" : "nothing is left";
  if (left.length > 0) return `${left.length} ${isDryRun(report) ? "in the stack, dry run" : "left"}${night}`;
  return flaw === undefined ? "not known" : `not known${night}`;
}

function table(lines: readonly ReportLine[], maxBytes: number): string {
  const rows = lines.slice(0, MAX_ROWS).map((line) => {
    const cells = [
      markdownCodeCell(nameOf(line)),
      markdownCodeCell(idOf(line)),
      outcomeOf(line),
      String(line.attempts),
      durationOf(line),
      markdownCodeCell(answerOf(line)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const shown = fitLines(rows, maxBytes);
  return [
    "| name | id | outcome | attempts | time | answer |",
    "| --- | --- | --- | ---: | ---: | --- |",
    ...shown,
    ...countMore(lines.length - shown.length).flatMap((more) => ["", more]),
  ].join("\n");
}

/** Joins the entries of a list that fit, and counts the others. An entry can have entries of its own. */
function list(entries: readonly string[], maxBytes: number, count = entries.length): string {
  const shown = fitLines(entries.slice(0, MAX_EXPLAINED), maxBytes);
  return [...shown, ...countMore(count - shown.length).map((more) => `- ${more}`)].join("\n");
}

/** Lists the groups from which members were removed. */
function removals(lines: readonly ReportLine[]): string {
  const removed = lines.flatMap((line) => {
    const what = describeRemoved(line);
    const subject = nameOf(line) === "" ? idOf(line) : nameOf(line);
    return what === undefined ? [] : [`- ${markdownCode(safe`${subject}: ${what}`)}`];
  });
  return list(removed, MAX_BYTES.removals);
}

/** Explains what is left, as far as something is known about it. */
function explanations(lines: readonly ReportLine[]): string {
  const first = lines.slice(0, MAX_EXPLAINED);
  const explained = first.flatMap((line) => {
    const { said, facts } = explanationOf(line);
    const entries = [
      ...said.slice(0, MAX_SAID).map(markdownCode),
      ...countMore(said.length - MAX_SAID),
      ...facts.map(([name, value]) => `${name}: ${markdownCode(value)}`),
    ];
    if (entries.length === 0) return [];
    const subject = nameOf(line) === "" ? idOf(line) : safe`${nameOf(line)} (${safeText(idOf(line), 120)})`;
    return [[`- ${markdownCode(subject)}`, ...entries.map((entry) => `  - ${entry}`)].join("\n")];
  });
  return list(explained, MAX_BYTES.explanations, explained.length + lines.length - first.length);
}
