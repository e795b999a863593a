import { storableText } from "../text/safe-text.js";
import { OUTCOMES, type RemovedMembers, type ReportLine } from "./line-model.js";
import { decisiveNights, lastNightLines, type NightLine, parseNightLine } from "./night-line.js";
import { parseReportLine, type SkipReason } from "./parse-report-line.js";
import { parseSelectionLine, type SelectionLine } from "./selection-line.js";

/** A report file as it was read. */
export interface ReportSource {
  /** Its name for people: a path, or `standard input`. */
  readonly name: string;
  readonly text: string;
}

/**
 * A report of one or more files. Its schema is `pulumi-konnect-control-planes/schemas/report.schema.json`.
 *
 * @category Automation API
 */
export interface Report {
  /** Grows if the meaning of a report changes. */
  readonly schemaVersion: 1;
  /**
   * Whether no control plane is left, every line could be read, and the last run of `night` or `close` on each stack was complete.
   */
  readonly isComplete: boolean;
  /** Number of runs of `night` and `close`, or of processes of the provider. */
  readonly runs: number;
  /** Start of the first operation (RFC 3339, UTC). */
  readonly startedAt?: string;
  /** End of the last operation (RFC 3339, UTC). */
  readonly endedAt?: string;
  /** Number of control planes by their last outcome. */
  readonly totals: Readonly<Partial<Record<ReportLine["outcome"], number>>>;
  /** Control planes that may still exist, each with its last line. */
  readonly left: readonly ReportLine[];
  /** Control planes that were kept on purpose, likewise. */
  readonly kept: readonly ReportLine[];
  /** Control planes that are proven to be gone, likewise. */
  readonly gone: readonly ReportLine[];
  /** The runs of `night` and `close`, oldest first. */
  readonly nights?: readonly NightLine[];
  /** What the programs selected, oldest first. */
  readonly selections?: readonly SelectionLine[];
  /** The files. */
  readonly files: readonly ReportedFile[];
}

/**
 * How much of a file is in the report.
 *
 * @category Automation API
 * @schema report.schema.json
 */
export interface ReportedFile {
  /** A path, `standard input`, or the stack. */
  readonly name: string;
  /** Number of lines in the report. */
  readonly lines: number;
  /** Number of lines that are not, by reason. */
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** The first lines that are skipped, at most 5. */
  readonly firstSkipped: readonly {
    /** Number of the line in the file, counted from 1. */
    readonly line: number;
    /** Why it is skipped. */
    readonly reason: SkipReason;
  }[];
}

type SkippedLine = ReportedFile["firstSkipped"][number];

/** What an outcome means for a teardown. */
const MEANINGS: Readonly<Record<ReportLine["outcome"], "left" | "kept" | "gone">> = {
  deleted: "gone",
  "already-gone": "gone",
  gone: "gone",
  kept: "kept",
  adopted: "left",
  "adopted-unread": "left",
  created: "left",
  updated: "left",
  unreadable: "left",
  interrupted: "left",
  failed: "left",
  "would-be-deleted": "left",
  "would-stay": "left",
};

const MAX_SKIPPED_SHOWN = 5;

/**
 * Builds the report of several files. The last line about each control plane counts, whichever file holds it. A line
 * that cannot be read is named and counted. It may have told of a failure, so the report is not complete.
 *
 * @param unreported lines about control planes that no file names. They belong to no process of the provider.
 */
export function buildReport(
  sources: readonly ReportSource[],
  unreported: readonly ReportLine[] = [],
): Report {
  const read = sources.map(readSource);
  const reported = read.flatMap((source) => source.lines);
  const lines = [...reported, ...unreported].sort((a, b) => compareText(a.time, b.time));
  const all = lastLines(lines);
  const meaning = (wanted: "left" | "kept" | "gone") =>
    all.filter(({ outcome }) => MEANINGS[outcome] === wanted);
  const [left, kept, gone] = [meaning("left"), meaning("kept"), meaning("gone")];
  const files = read.map(({ file }) => file);
  const nights = lastNightLines(read.flatMap((source) => source.nights));
  const selections = read.flatMap((source) => source.selections).sort((a, b) => compareText(a.time, b.time));
  const isWhole = decisiveNights(nights).every(({ ending }) => ending === "complete");
  return {
    schemaVersion: 1,
    isComplete: left.length === 0 && countUnread(files) === 0 && isWhole,
    runs: nights.length > 0 ? nights.length : new Set(reported.map(({ runId }) => runId)).size,
    ...span(lines),
    totals: countOutcomes(all),
    left,
    kept,
    gone,
    ...(nights.length > 0 && { nights }),
    ...(selections.length > 0 && { selections }),
    files,
  };
}

/** Returns the number of lines that may have told of a failure, and that could not be read. */
export function countUnread(files: readonly ReportedFile[]): number {
  return files.reduce((sum, { skipped }) => sum + skipped.torn + skipped.newer, 0);
}

function readSource({ name, text }: ReportSource): {
  readonly lines: readonly ReportLine[];
  readonly nights: readonly NightLine[];
  readonly selections: readonly SelectionLine[];
  readonly file: ReportedFile;
} {
  const lines: ReportLine[] = [];
  const nights: NightLine[] = [];
  const selections: SelectionLine[] = [];
  const skipped = { torn: 0, foreign: 0, newer: 0 };
  const [unread, foreign]: [SkippedLine[], SkippedLine[]] = [[], []];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const trimmed = raw.trim();
    if (trimmed === "") continue;
    const night = parseNightLine(trimmed);
    if (night !== undefined) {
      nights.push(night);
      continue;
    }
    const selection = parseSelectionLine(trimmed);
    if (selection !== undefined) {
      selections.push(selection);
      continue;
    }
    const parsed = parseReportLine(trimmed);
    if (parsed.ok) {
      lines.push(parsed.line);
      continue;
    }
    skipped[parsed.reason] += 1;
    const first = parsed.reason === "foreign" ? foreign : unread;
    if (first.length < MAX_SKIPPED_SHOWN) first.push({ line: index + 1, reason: parsed.reason });
  }
  const firstSkipped = [...unread, ...foreign].slice(0, MAX_SKIPPED_SHOWN).sort((a, b) => a.line - b.line);
  const reported = lines.length + nights.length + selections.length;
  const file = { name: storableText(name, 300), lines: reported, skipped, firstSkipped };
  return { lines, nights, selections, file };
}

/**
 * Returns the last line about each control plane, by name. The same id at two addresses is two control planes.
 *
 * The lines of an id without an address have an entry of their own, because they may be about any address.
 */
function lastLines(lines: readonly ReportLine[]): readonly ReportLine[] {
  const entries = new Map<string, Map<string, ReportLine>>();
  for (const line of lines) {
    const { address = "" } = line.controlPlane;
    const byAddress = entries.get(subjectOf(line)) ?? new Map<string, ReportLine>();
    const earlier = byAddress.get(address);
    byAddress.set(address, earlier === undefined ? line : follow(earlier, line));
    entries.set(subjectOf(line), byAddress);
  }
  return [...entries.values()]
    .flatMap(joinUnknownAddress)
    .sort((a, b) => compareText(sortKey(a), sortKey(b)));
}

/**
 * Joins the entry without an address with the other one when only one address is known. What is left counts, so that a
 * success hides no failure that may have happened elsewhere.
 */
function joinUnknownAddress(byAddress: ReadonlyMap<string, ReportLine>): readonly ReportLine[] {
  const unknown = byAddress.get("");
  const [known, ...others] = [...byAddress].flatMap(([address, line]) => (address === "" ? [] : [line]));
  if (unknown === undefined || known === undefined || others.length > 0) return [...byAddress.values()];
  const isUnknownLast = isLeft(unknown) === isLeft(known) ? unknown.time > known.time : isLeft(unknown);
  return [isUnknownLast ? follow(known, unknown) : follow(unknown, known)];
}

/**
 * Joins two lines about a control plane into the one that counts. A line without a name gets the one of the earlier line.
 *
 * A second destroy of a set, or a refresh, meets the members that the first one has deleted. They stay deleted.
 */
function follow(earlier: ReportLine, line: ReportLine): ReportLine {
  if (earlier.outcome === "deleted" && ["already-gone", "gone"].includes(line.outcome)) return earlier;
  const { name } = earlier.controlPlane;
  const membersRemoved = joinRemoved(earlier.membersRemoved, line.membersRemoved);
  return {
    ...line,
    ...(membersRemoved !== undefined && { membersRemoved }),
    controlPlane: { ...(name !== undefined && { name }), ...line.controlPlane },
  };
}

function isLeft({ outcome }: ReportLine): boolean {
  return MEANINGS[outcome] === "left";
}

/** An operation that fails may have removed members, and the next one deletes the group. */
function joinRemoved(
  earlier: RemovedMembers | undefined,
  later: RemovedMembers | undefined,
): RemovedMembers | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  return { count: earlier.count + later.count, members: [...earlier.members, ...later.members] };
}

/** Returns the id, or the name of one that was not created. */
function subjectOf({ controlPlane: { id, name = "" } }: ReportLine): string {
  return id === "" ? `\u0000${name}` : id;
}

function sortKey({ controlPlane: { name = "", id, address = "" } }: ReportLine): string {
  return [name, id, address].join("\u0000");
}

/** Compares by code units, so that every machine sorts alike. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function span(lines: readonly ReportLine[]): Pick<Report, "startedAt" | "endedAt"> {
  const endedAt = lines.at(-1)?.time;
  if (endedAt === undefined) return {};
  const startedAt = lines.map((line) => line.startedAt).reduce((a, b) => (a < b ? a : b));
  return { startedAt, endedAt };
}

function countOutcomes(lines: readonly ReportLine[]): Report["totals"] {
  const counts = OUTCOMES.map((outcome) => {
    return [outcome, lines.filter((line) => line.outcome === outcome).length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
