import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Plan } from "../plan/make-plan.js";
import { PLAN_FORMATS, type PlanFormat } from "../plan/plan-formats.js";
import { REPORT_FORMATS, type ReportFormat } from "../report/formats/report-formats.js";
import type { ReportLine } from "../report/line-model.js";
import { type NightLine, parseNightLine } from "../report/night-line.js";
import { buildReport, type Report } from "../report/report-model.js";

/** The ends of the names of the files, by format. */
const FILES = {
  text: "txt",
  markdown: "md",
  junit: "xml",
  html: "html",
  json: "json",
} as const satisfies Readonly<Record<ReportFormat, string>>;

/** The same for the plan. */
const PLAN_FILES = {
  text: "txt",
  markdown: "md",
  html: "html",
  json: "json",
} as const satisfies Readonly<Record<PlanFormat, string>>;

/** The folder that holds the report of one run in every format. */
export interface ReportFolder {
  readonly path: string;
  /** The file with the JSON lines. The provider appends to it, too. */
  readonly linesFile: string;
  /** Appends lines. Never throws: what cannot be written is still in the report. */
  append(...lines: readonly (ReportLine | NightLine)[]): void;
  /** Writes the plan beside the report, in every format. Never throws. */
  writePlan(plan: Plan): Promise<void>;
  /** Writes the report in every format. Rejects when a file cannot be written. */
  render(): Promise<Report>;
}

/**
 * Creates the folder, and the file with the JSON lines in it. It replaces the report of an earlier run, and no other file.
 *
 * @param name the name of the files, without their ends
 * @throws Error of the file system, or one that names a file that is not of an earlier report
 */
export function openReportFolder(folder: string, name: string): ReportFolder {
  const file = (end: string) => path.resolve(folder, `${name}.${end}`);
  mkdirSync(folder, { recursive: true });
  const linesFile = file("jsonl");
  requireOwnFiles(folder, name);
  writeFileSync(linesFile, "");
  // Lines that could not be written. They are written again with the next ones.
  let unwritten = "";
  return {
    path: folder,
    linesFile,
    append(...lines) {
      unwritten += lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      try {
        appendFileSync(linesFile, unwritten);
        unwritten = "";
      } catch {
        // `render` fails as well, and says why.
      }
    },
    async writePlan(plan) {
      try {
        for (const [format, end] of Object.entries(PLAN_FILES)) {
          writeFileSync(file(`plan.${end}`), await PLAN_FORMATS[format as PlanFormat](plan));
        }
      } catch {
        // As above: a report is no reason to stop a teardown.
      }
    },
    async render() {
      const report = buildReport([{ name: linesFile, text: readFileSync(linesFile, "utf8") + unwritten }]);
      for (const [format, end] of Object.entries(FILES)) {
        writeFileSync(file(end), await REPORT_FORMATS[format as ReportFormat](report, {}));
      }
      return report;
    },
  };
}

/** Refuses to overwrite a file that no earlier run has written, and to follow a link. @throws Error that names it */
function requireOwnFiles(folder: string, name: string): void {
  const ends: readonly string[] = ["jsonl", ...Object.values(FILES)];
  const found = readdirSync(folder).filter((file) => {
    const end = file.slice(name.length + 1);
    return file.startsWith(`${name}.`) && (ends.includes(end) || /^plan\.\w+$/.test(end));
  });
  const stats = found.map((file) => ({ file, stat: lstatSync(path.join(folder, file)) }));
  const special = stats.find(({ stat }) => !stat.isFile());
  if (special !== undefined) throw new Error(`${special.file} there is no plain file`);
  if (found.includes(`${name}.jsonl`) && isReport(path.join(folder, `${name}.jsonl`))) return;
  const foreign = stats.find(({ stat }) => stat.size > 0);
  if (foreign !== undefined) throw new Error(`${foreign.file} there is not of an earlier report`);
}

/** Whether the file starts with the line of a run. Every run writes one first. */
function isReport(linesFile: string): boolean {
  const [first = ""] = readFileSync(linesFile, "utf8").split("\n", 1);
  return parseNightLine(first) !== undefined;
}
