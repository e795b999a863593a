import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { REPORT_FORMAT_NAMES, REPORT_FORMATS, type ReportFormat } from "../report/formats/report-formats.js";
import { describeSkipped } from "../report/formats/describe-line.js";
import { buildReport, countUnread, type Report, type ReportSource } from "../report/report-model.js";
import { joinSafe, safe, type SafeText, safeText } from "../text/safe-text.js";
import {
  type Command,
  commandError,
  type CommandIo,
  parseCommandArguments,
  parseFormat,
  usageError,
} from "./command.js";

const HELP = `Usage: pulumi-konnect-control-planes report FILE… [--format FORMAT] [--output FILE]

Renders report files, which a run writes when KONNECT_REPORT_FILE or konnect:reportFile
names one. Several files make one report. - is standard input.

Options:
  --format FORMAT  ${REPORT_FORMAT_NAMES.join(", ")} (default: text)
  --output FILE    writes the report to a file, and replaces what is in it
  --help           shows this text

Exit codes:
  0  nothing is left: every control plane is gone, or was kept on purpose
  1  something is left, or lines cannot be read that may tell of something that is left
  2  no report could be made`;

/** Renders report files. */
export const reportCommand: Command = {
  name: "report",
  summary: "render report files as text, JSON, Markdown, JUnit XML or HTML",
  help: HELP,
  async run(args, io) {
    const { files, format, output } = parseArguments(args);
    const sources: ReportSource[] = [];
    for (const file of files) sources.push(await readSource(file, io));
    const report = buildReport(sources);
    refuseForeign(report);
    if (output !== undefined) {
      refuseToReplaceInput(output, files);
      writeOutput(output, await REPORT_FORMATS[format](report, {}));
    } else {
      io.stdout.write(await REPORT_FORMATS[format](report, terminalOf(io)));
    }
    return report.isComplete ? 0 : 1;
  },
};

function parseArguments(args: readonly string[]): {
  readonly files: readonly string[];
  readonly format: ReportFormat;
  readonly output: string | undefined;
} {
  const text = { type: "string" } as const;
  const { values, positionals } = parseCommandArguments({
    args: [...args],
    options: { format: text, output: text },
    allowPositionals: true,
  });
  const { format = "text", output } = values;
  if (positionals.length === 0) throw usageError(safe`report needs at least one file`);
  if (positionals.includes("")) {
    throw usageError(safe`the name of a file is empty; is a variable not set?`);
  }
  if (output === "") throw usageError(safe`--output is empty; it must be the path of a file`);
  return { files: positionals, format: parseFormat(format, REPORT_FORMAT_NAMES), output };
}

async function readSource(file: string, { stdin }: CommandIo): Promise<ReportSource> {
  if (file === "-") return { name: "standard input", text: await readAll(stdin) };
  try {
    return { name: file, text: readFileSync(file, "utf8") };
  } catch (error) {
    throw commandError(
      safe`the report file ${safeText(file, 200)} cannot be read (${codeOf(error)}); no report was made`,
    );
  }
}

async function readAll(stdin: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  return Buffer.concat(chunks).toString("utf8");
}

/** Refuses files that have lines, but none of this package: something else was given by mistake. */
function refuseForeign({ files }: Report): void {
  const skipped = files.map(describeSkipped).filter((line) => line !== undefined);
  if (skipped.length === 0 || files.some(({ lines }) => lines > 0) || countUnread(files) > 0) return;
  throw commandError(safe`there is no line to report: ${joinSafe(skipped, "; ")}`);
}

function refuseToReplaceInput(output: string, files: readonly string[]): void {
  const target = realPathOf(output);
  if (target === undefined || !files.some((file) => file !== "-" && realPathOf(file) === target)) return;
  throw commandError(
    safe`--output names the report file ${safeText(output, 200)} itself, which would be lost; name another file`,
  );
}

function realPathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined; // It does not exist yet.
  }
}

function writeOutput(output: string, text: string): void {
  try {
    writeFileSync(output, text);
  } catch (error) {
    throw commandError(safe`the report cannot be written to ${safeText(output, 200)} (${codeOf(error)})`);
  }
}

/** The error's message repeats the path. */
function codeOf(error: unknown): SafeText {
  return safeText(error instanceof Error && "code" in error ? String(error.code) : String(error), 60);
}

/** Only a terminal has a width and colors. Source of NO_COLOR: no-color.org. */
function terminalOf({ stdout, env }: CommandIo): {
  readonly width?: number | undefined;
  readonly color: boolean;
} {
  if (stdout.isTTY !== true) return { color: false };
  return { width: stdout.columns, color: (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb" };
}
