import { countControlPlanes } from "../../text/message.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import { type Column, renderTable, wrapText } from "../../text/table.js";
import type { Report } from "../report-model.js";
import type { ReportLine } from "../line-model.js";
import { type Cause, causesOf, ownExplanationOf } from "./causes.js";
import {
  describeRemoved,
  describeSkipped,
  describeSpan,
  describeTotals,
  describeUnread,
  durationOf,
  idOf,
  nameOf,
  outcomeOf,
} from "./describe-line.js";
import { describeNights } from "./describe-night.js";
import { describeSelections } from "./describe-selection.js";
import { stateOf } from "./describe-state.js";
import { type Section, sectionsOf } from "./sections.js";

/** Where text is printed. */
export interface TextOptions {
  /** Cells in a line. Default: as many as it takes. */
  readonly width?: number | undefined;
  /** Whether colors may be used. Default: false. */
  readonly color?: boolean;
}

/** Narrower terminals break lines by themselves. */
const LEAST_WIDTH = 70;

/** Renders a report as plain text: how it ends, the nights, the totals, what is left and why, what is kept, what is gone. */
export function renderText(report: Report, { width = Infinity, color = false }: TextOptions = {}): string {
  const room = Math.max(LEAST_WIDTH, width);
  const paint = (text: string, code: number) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const { kind, title } = stateOf(report);
  const head = [describeTotals(report), describeSpan(report), describeUnread(report)].filter(
    (line) => line !== undefined,
  );
  const skipped = report.files.map(describeSkipped).filter((line) => line !== undefined);
  // Without a night and a selection, the totals say it all.
  const hasMore = report.nights !== undefined || report.selections !== undefined;
  const state = hasMore ? wrapText(safe`Control planes: ${title}`, room) : [];
  const blocks = [
    state.map((line) => paint(line, STATE_COLORS[kind])),
    ...describeNights(report).map(({ headline, why, warnings, facts, job, isComplete }) => [
      ...wrapText(headline, room).map((line) => (isComplete ? line : paint(line, RED))),
      ...[
        ...why,
        ...warnings.map((line) => safe`warning: ${line}`),
        ...facts,
        ...(job === undefined ? [] : [safe`job: ${job}`]),
      ].flatMap((line) => wrapped(line, "  ", room)),
    ]),
    ...describeSelections(report).map(({ headline, facts, isSuspicious }) => [
      ...wrapText(headline, room).map((line) => (isSuspicious ? paint(line, YELLOW) : line)),
      ...facts.flatMap((line) => wrapped(line, "  ", room)),
    ]),
    head.flatMap((line) => wrapText(line, room)),
    ...sectionsOf(report).map((section) => [
      `${paint(section.title, SECTION_COLORS[section.id])} (${section.lines.length})`,
      ...(section.isExplained
        ? renderCauses(section, room)
        : renderRows(section.lines, room, explainRemoved)),
    ]),
    skipped.flatMap((line) => wrapText(line, room)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const [RED, GREEN, YELLOW, PLAIN] = [31, 32, 33, 0];
const STATE_COLORS = { left: RED, unknown: YELLOW, empty: PLAIN, complete: GREEN } as const;
const SECTION_COLORS: Readonly<Record<Section["id"], number>> = {
  ...{ left: RED, "would-stay": RED, "would-be-deleted": GREEN },
  ...{ kept: PLAIN, gone: GREEN, before: PLAIN },
};

/** Describes why control planes are left, once for each cause. */
function renderCauses({ lines }: Section, room: number): readonly string[] {
  return causesOf(lines).flatMap((cause) => [
    "",
    ...wrapped(safe`${cause.summary}: ${countControlPlanes(cause.lines.length)}`, "  ", room),
    ...explain(cause, "    ", room),
    ...renderRows(cause.lines, room, (line) => explain(ownExplanationOf(line, cause), INDENT, room)),
  ]);
}

/** Renders a table, with what is said about each control plane below its row. */
function renderRows(
  lines: readonly ReportLine[],
  room: number,
  explainRow: (line: ReportLine, room: number) => readonly string[],
): readonly string[] {
  const [names, ...rows] = table(lines, room);
  const explained = rows.flatMap((row, at) => {
    const line = lines[at];
    return [`  ${row}`, ...(line === undefined ? [] : explainRow(line, room))];
  });
  return [`  ${names ?? ""}`, ...explained];
}

function table(lines: readonly ReportLine[], room: number): readonly string[] {
  const heading = [safe`name`, safe`id`, safe`outcome`, safe`attempts`, safe`time`];
  const rows = lines.map((line) => [
    nameOf(line),
    idOf(line),
    outcomeOf(line),
    ...(line.attempts === 0 ? [safe``, safe``] : [safe`${line.attempts}`, durationOf(line)]),
  ]);
  return renderTable([heading, ...rows], columnsFor(room));
}

/** Width of the columns besides name and id, with indentation and gaps: the longest outcome, and minutes. */
const OTHER_COLUMNS = 44;
const WHOLE_ID = 36;
const SHORT_ID = 13;
const LEAST_NAME = 14;

/** The name gets what the other columns leave. In a narrow terminal, the id is cut. */
function columnsFor(room: number): readonly Column[] {
  const id = room - OTHER_COLUMNS - WHOLE_ID < LEAST_NAME ? SHORT_ID : WHOLE_ID;
  const name = Math.min(room - OTHER_COLUMNS - id, 100);
  return [{ maxWidth: name }, { maxWidth: id }, { maxWidth: 16 }, { align: "right" }, { align: "right" }];
}

const INDENT = " ".repeat(6);

function explain(
  { said, facts }: Pick<Cause, "said" | "facts">,
  indent: string,
  room: number,
): readonly string[] {
  return [
    ...said.flatMap((text) => wrapped(text, indent, room)),
    ...facts.flatMap(([name, value]) => wrapped(value, `${indent}${name.padEnd(10)}`, room)),
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
