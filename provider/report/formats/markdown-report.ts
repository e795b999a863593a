import { countControlPlanes } from "../../text/message.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import { countMore, fitLines, markdownCode, markdownCodeCell } from "../../text/markdown.js";
import type { Report } from "../report-model.js";
import type { ReportLine } from "../line-model.js";
import { type Cause, causesOf, ownExplanationOf } from "./causes.js";
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
import { describeNights } from "./describe-night.js";
import { describeSelections } from "./describe-selection.js";
import { stateOf } from "./describe-state.js";
import { type Section, sectionsOf } from "./sections.js";

/** What is listed at most. What does not fit is counted, and the JSON format has all. */
const MAX_EXPLAINED = 200;
const MAX_ROWS = 1_000;

/** Texts of one explanation: as many as a line that this package writes can have. */
const MAX_SAID = 17;

/** A summary of GitHub Actions holds 1 MiB. These are the bytes of its parts; headings and counts take what is left. */
const MAX_BYTES = {
  ...{ rows: 220_000, explanations: 330_000 },
  ...{ others: 100_000, removals: 40_000, files: 40_000 },
} as const;

/** Renders a report as GitHub Flavored Markdown, for job summaries and comments. */
export function renderMarkdown(report: Report): string {
  const span = describeSpan(report);
  const skipped = report.files.map(describeSkipped).filter((line) => line !== undefined);
  const blocks = [
    `## Control planes: ${stateOf(report).title}`,
    ...describeNights(report).map(({ headline, why, warnings, facts, job }) =>
      [
        markdownCode(headline),
        ...[...why, ...warnings.map((line) => safe`warning: ${line}`), ...facts].map(entry),
        ...(job === undefined ? [] : [`- [job](${job})`]),
      ].join("\n"),
    ),
    ...describeSelections(report).map(({ headline, facts, isSuspicious }) =>
      [isSuspicious ? `**${headline}**` : headline, ...facts.map(entry)].join("\n"),
    ),
    span === undefined ? describeTotals(report) : `${describeTotals(report)} (${span})`,
    describeUnread(report) ?? "",
    ...sectionsOf(report).flatMap(renderSection),
    list(skipped.map(entry), MAX_BYTES.files),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function entry(text: SafeText): string {
  return `- ${markdownCode(text)}`;
}

/** What is gone is folded. */
function renderSection({ id, title, lines, isExplained }: Section): readonly string[] {
  if (isExplained) return [`### ${title} (${lines.length})`, ...renderCauses(lines)];
  const rows = takeFrom(MAX_ROWS, MAX_BYTES.others)(lines.map((line) => tableRow(line, answerOf(line))));
  const blocks = [...table("answer", rows, lines.length), removals(lines)];
  if (id !== "gone" && id !== "before") return [`### ${title} (${lines.length})`, ...blocks];
  return [`<details>\n<summary>${title} (${lines.length})</summary>`, ...blocks, "</details>"];
}

/** Describes why control planes are left, once for each cause. All causes come before what differs within one. */
function renderCauses(lines: readonly ReportLine[]): readonly string[] {
  const takeWords = takeFrom(MAX_EXPLAINED, MAX_BYTES.explanations);
  const takeRows = takeFrom(MAX_ROWS, MAX_BYTES.rows);
  const causes = causesOf(lines).map((cause) => ({ cause, words: takeWords([describeCause(cause)]) }));
  const blocks = causes.flatMap(({ cause, words }) => {
    if (words.length === 0) return [];
    const rows = takeRows(cause.lines.map((line) => tableRow(line, traceOf(line))));
    const own = cause.lines.flatMap((line) => describeOwn(line, cause));
    const shown = takeWords(own);
    const more = countMore(own.length - shown.length).map((text) => `- ${text}`);
    return [...words, ...table("trace", rows, cause.lines.length), [...shown, ...more].join("\n")];
  });
  const hidden = causes.filter(({ words }) => words.length === 0).map(({ cause }) => cause.lines.length);
  return [...blocks, ...countMore(hidden.reduce((sum, count) => sum + count, 0))];
}

function describeCause(cause: Cause): string {
  const heading = `#### ${markdownCode(cause.summary)}: ${countControlPlanes(cause.lines.length)}`;
  const entries = entriesOf(cause).map((text) => `- ${text}`);
  return entries.length === 0 ? heading : `${heading}\n\n${entries.join("\n")}`;
}

/** Lists what is said about one control plane only. Its trace is in the table. */
function describeOwn(line: ReportLine, cause: Cause): readonly string[] {
  const entries = entriesOf(ownExplanationOf(line, cause));
  if (entries.length === 0) return [];
  const subject = nameOf(line) === "" ? idOf(line) : nameOf(line);
  return [[entry(subject), ...entries.map((text) => `  - ${text}`)].join("\n")];
}

function entriesOf({ said, facts }: Pick<Cause, "said" | "facts">): readonly string[] {
  return [
    ...said.slice(0, MAX_SAID).map(markdownCode),
    ...countMore(said.length - MAX_SAID),
    ...facts.filter(([name]) => name !== "trace").map(([name, value]) => `${name}: ${markdownCode(value)}`),
  ];
}

function traceOf(line: ReportLine): SafeText {
  return explanationOf(line).facts.find(([name]) => name === "trace")?.[1] ?? safe``;
}

function tableRow(line: ReportLine, last: SafeText): string {
  const cells = [
    markdownCodeCell(nameOf(line)),
    markdownCodeCell(idOf(line)),
    outcomeOf(line),
    ...(line.attempts === 0 ? ["", ""] : [String(line.attempts), durationOf(line)]),
    markdownCodeCell(last),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Renders the rows that fit, and counts the others. */
function table(last: "answer" | "trace", rows: readonly string[], count: number): readonly string[] {
  const head = [
    `| name | id | outcome | attempts | time | ${last} |`,
    "| --- | --- | --- | ---: | ---: | --- |",
  ];
  return [[...head, ...rows].join("\n"), ...countMore(count - rows.length)];
}

/** Returns a function that returns those of some strings that fit. All calls share the space. */
function takeFrom(maxCount: number, maxBytes: number): (texts: readonly string[]) => readonly string[] {
  let [count, bytes] = [maxCount, maxBytes];
  return (texts) => {
    const taken = fitLines(texts.slice(0, count), bytes);
    count -= taken.length;
    bytes -= taken.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
    return taken;
  };
}

/** Joins the entries of a list that fit, and counts the others. */
function list(entries: readonly string[], maxBytes: number): string {
  const shown = takeFrom(MAX_EXPLAINED, maxBytes)(entries);
  return [...shown, ...countMore(entries.length - shown.length).map((more) => `- ${more}`)].join("\n");
}

/** Lists the groups from which members were removed. */
function removals(lines: readonly ReportLine[]): string {
  const removed = lines.flatMap((line) => {
    const what = describeRemoved(line);
    const subject = nameOf(line) === "" ? idOf(line) : nameOf(line);
    return what === undefined ? [] : [entry(safe`${subject}: ${what}`)];
  });
  return list(removed, MAX_BYTES.removals);
}
