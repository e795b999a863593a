import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { Report } from "../report-model.js";
import type { ReportLine } from "../line-model.js";
import { describeNights, type NightInWords } from "./describe-night.js";
import { describeSelections, type SelectionInWords } from "./describe-selection.js";
import {
  answerOf,
  describeRemoved,
  describeSkipped,
  describeUnread,
  explanationOf,
  idOf,
  nameOf,
  outcomeOf,
} from "./describe-line.js";

/**
 * Renders a report as JUnit XML: a test case for each control plane. One that is left is a failure, and one that is kept,
 * or that a dry run would delete, is skipped. Each night and each selection has a test case, too. Lines that cannot be
 * read are an error. Source: the schema of Apache Ant's and Maven's reports, as far as GitLab and Jenkins read it.
 */
export function renderJunit(report: Report): string {
  const { left, kept, gone, files } = report;
  const skipped = files.map(describeSkipped).filter((line) => line !== undefined);
  const all = [...left, ...kept, ...gone];
  const nameOfCase = nameCases(all);
  const unread = describeUnread(report);
  const errors = unread === undefined ? 0 : 1;
  const nights = describeNights(report);
  const selections = describeSelections(report);
  const isFailure = ({ outcome }: ReportLine) => outcome !== "would-be-deleted";
  const failed = left.filter(isFailure);
  const passedOver = [...left.filter((line) => !isFailure(line)), ...kept];
  const counts = {
    tests: all.length + errors + nights.length + selections.length,
    failures: failed.length + nights.filter(({ isComplete }) => !isComplete).length,
    errors,
    skipped: passedOver.length + selections.filter(({ isSuspicious }) => isSuspicious).length,
    time: seconds(all.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
  const { startedAt } = report;
  const timestamp = startedAt === undefined ? {} : { timestamp: startedAt.slice(0, 19) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "pulumi-konnect-control-planes", ...counts })}>`,
    `  <testsuite${attributes({ name: "control planes", ...counts, ...timestamp })}>`,
    ...nights.map(nightCase),
    ...selections.map(selectionCase),
    ...failed.map((line) => testCase(line, nameOfCase(line), failure(line))),
    ...passedOver.map((line) =>
      testCase(line, nameOfCase(line), `<skipped${attributes({ message: outcomeOf(line) })}/>`),
    ),
    ...gone.map((line) => testCase(line, nameOfCase(line), output(line))),
    ...describeFiles(skipped.map(escapeXml).join("\n"), unread),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** A night that was not complete is a failure, even if no control plane is left. */
function nightCase(night: NightInWords, index: number): string {
  const { headline, why, warnings, facts, job, isComplete } = night;
  const said = [...why, ...warnings.map((line) => safe`warning: ${line}`), ...facts];
  const text = [...said, ...(job === undefined ? [] : [safe`job: ${job}`])].map(escapeXml).join("\n");
  const name = index === 0 ? "the whole run" : `the whole run, ${index + 1}`;
  return [
    `    <testcase${attributes({ name, classname: "control-planes.night", time: "0.000" })}>`,
    isComplete
      ? `      <system-out>${escapeXml(headline)}\n${text}</system-out>`
      : `      <failure${attributes({ message: headline, type: "night" })}>${text}</failure>`,
    "    </testcase>",
  ].join("\n");
}

/** A filter without a match is skipped, so that it does not look like a night without work. */
function selectionCase({ headline, facts, isSuspicious }: SelectionInWords, index: number): string {
  const name = index === 0 ? "the selection" : `the selection, ${index + 1}`;
  const text = [headline, ...facts].map(escapeXml).join("\n");
  return [
    `    <testcase${attributes({ name, classname: "control-planes.selection", time: "0.000" })}>`,
    ...(isSuspicious ? [`      <skipped${attributes({ message: headline })}/>`] : []),
    `      <system-out>${text}</system-out>`,
    "    </testcase>",
  ].join("\n");
}

/** Lines that may tell of a failure are an error, so that no reader takes the test run for a success. */
function describeFiles(skipped: string, unread: SafeText | undefined): readonly string[] {
  if (skipped === "") return [];
  if (unread === undefined) return [`    <system-err>${skipped}</system-err>`];
  return [
    `    <testcase${attributes({ name: "report files", classname: "control-planes.report", time: "0.000" })}>`,
    `      <error${attributes({ message: unread, type: "unreadable" })}>${skipped}</error>`,
    "    </testcase>",
  ];
}

/** Names test cases. Readers ignore a repeated name, so a control plane that exists at two addresses gets its address. */
function nameCases(lines: readonly ReportLine[]): (line: ReportLine) => SafeText {
  const counts = new Map<SafeText, number>();
  for (const line of lines) counts.set(nameAndId(line), (counts.get(nameAndId(line)) ?? 0) + 1);
  return (line) => {
    const name = nameAndId(line);
    const { address = "" } = line.controlPlane;
    return address === "" || counts.get(name) === 1 ? name : safe`${name} at ${safeText(address, 240)}`;
  };
}

function nameAndId(line: ReportLine): SafeText {
  return nameOf(line) === "" ? idOf(line) : safe`${nameOf(line)} (${idOf(line)})`;
}

function testCase(line: ReportLine, name: SafeText, result?: string): string {
  const start = `    <testcase${attributes({ name, classname: `control-planes.${line.operation}`, time: seconds(line.durationMs) })}`;
  return result === undefined ? `${start}/>` : `${start}>\n      ${result}\n    </testcase>`;
}

/** A test case that has passed shows what it printed. */
function output(line: ReportLine): string | undefined {
  const removed = describeRemoved(line);
  return removed === undefined ? undefined : `<system-out>${escapeXml(removed)}</system-out>`;
}

function failure(line: ReportLine): string {
  const { said, facts } = explanationOf(line);
  const text = [...said, ...facts.map(([name, value]) => safe`${name}: ${value}`)];
  const words = answerOf(line);
  const message = words === "" ? outcomeOf(line) : safe`${outcomeOf(line)}: ${words}`;
  const type = line.error?.kind ?? line.outcome;
  return `<failure${attributes({ message, type })}>${text.map(escapeXml).join("\n")}</failure>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
}

/** Safe text has no control characters, so what XML cannot hold is not in it. */
function escapeXml(text: SafeText | string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&apos;");
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
