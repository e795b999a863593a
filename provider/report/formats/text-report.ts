import { safe, type SafeText } from "../../text/safe-text.js";
import { type Column, renderTable, wrapText } from "../../text/table.js";
import type { Report } from "../report-model.js";
import { describeNights } from "./describe-night.js";
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

/** Where text is printed. */
export interface TextOptions {
  /** Cells in a line. Default: as many as it takes. */
  readonly width?: number | undefined;
  /** Whether colors may be used. Default: false. */
  readonly color?: boolean;
}

/** Narrower terminals break lines by themselves. */
const LEAST_WIDTH = 70;

/** Renders a report as plain text: the totals, what is left and why, what is kept, what is gone. */
export function renderText(report: Report, { width = Infinity, color = false }: TextOptions = {}): string {
  const { left, kept, gone, files } = report;
  const room = Math.max(LEAST_WIDTH, width);
  const head = [describeTotals(report), describeSpan(report), describeUnread(report)].filter(
    (line) => line !== undefined,
  );
  const skipped = files.map(describeSkipped).filter((line) => line !== undefined);
  const nights = describeNights(report).map(({ headline, why, facts, isComplete }) => [
    ...wrapText(headline, room).map((line) => (color && !isComplete ? `\u001b[31m${line}\u001b[0m` : line)),
    ...[...why, ...facts].flatMap((line) => wrapped(line, "  ", room)),
  ]);
  const blocks = [
    ...nights,
    head.flatMap((line) => wrapText(line, room)),
    section("Left", left, room, color ? "\u001b[31m" : ""),
    section("Kept", kept, room, ""),
    section("Gone", gone, room, color ? "\u001b[32m" : ""),
    skipped.flatMap((line) => wrapText(line, room)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function section(
  title: string,
  lines: readonly ReportLine[],
  room: number,
  paint: string,
): readonly string[] {
  if (lines.length === 0) return [];
  const heading = paint === "" ? title : `${paint}${title}\u001b[0m`;
  const [names, ...rows] = table(lines, room);
  const explained = rows.flatMap((row, at) => {
    const line = lines[at];
    if (line === undefined) return [`  ${row}`];
    return [`  ${row}`, ...(title === "Left" ? explain(line, room) : explainRemoved(line, room))];
  });
  return [`${heading} (${lines.length})`, `  ${names ?? ""}`, ...explained];
}

function table(lines: readonly ReportLine[], room: number): readonly string[] {
  const heading = [safe`name`, safe`id`, safe`outcome`, safe`attempts`, safe`time`];
  const rows = lines.map((line) => [
    nameOf(line),
    idOf(line),
    outcomeOf(line),
    safe`${line.attempts}`,
    durationOf(line),
  ]);
  return renderTable([heading, ...rows], columnsFor(room));
}

/** Width of the columns besides name and id, with indentation and gaps: the longest outcome, and minutes. */
const OTHER_COLUMNS = 42;
const WHOLE_ID = 36;
const SHORT_ID = 13;
const LEAST_NAME = 14;

/** The name gets what the other columns leave. In a narrow terminal, the id is cut. */
function columnsFor(room: number): readonly Column[] {
  const id = room - OTHER_COLUMNS - WHOLE_ID < LEAST_NAME ? SHORT_ID : WHOLE_ID;
  const name = Math.min(room - OTHER_COLUMNS - id, 100);
  return [{ maxWidth: name }, { maxWidth: id }, { maxWidth: 14 }, { align: "right" }, { align: "right" }];
}

const INDENT = " ".repeat(6);

function explain(line: ReportLine, room: number): readonly string[] {
  const { said, facts } = explanationOf(line);
  const answer = answerOf(line);
  return [
    ...(answer === "" ? [] : wrapped(answer, INDENT, room)),
    ...said.flatMap((text) => wrapped(text, INDENT, room)),
    ...facts.flatMap(([name, value]) => wrapped(value, `${INDENT}${name.padEnd(10)}`, room)),
  ];
}

/** A control plane that is kept or gone needs no explanation, except when members were removed from it. */
function explainRemoved(line: ReportLine, room: number): readonly string[] {
  const removed = describeRemoved(line);
  return removed === undefined ? [] : wrapped(removed, INDENT, room);
}

function wrapped(text: SafeText, first: string, room: number): readonly string[] {
  return wrapText(text, room - first.length).map(
    (part, at) => (at === 0 ? first : " ".repeat(first.length)) + part,
  );
}
