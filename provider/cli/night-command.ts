import { runNight } from "../night/run-night.js";
import { areNumbers } from "../night/open-stack.js";
import { openReportFolder, type ReportFolder } from "../night/report-folder.js";
import type { TimeLimit } from "../night/stop-watch.js";
import { safe, safeText } from "../text/safe-text.js";
import { type Command, commandError, type CommandIo, parseCommandArguments, usageError } from "./command.js";

const COMMON_HELP = `  --time-limit T   stops after this time, for example 110m (s, m or h); set it below the job's
                   own limit, which would kill it
  --report FOLDER  where the report is written as JSON lines, text, JSON, Markdown, JUnit XML
                   and HTML, in place of an earlier one; default: reports/NAME-<time>
  --help           shows this text

Run it in the folder of the Pulumi project. The token comes from the environment:
KONNECT_SPAT, KONNECT_TOKEN or KONNECT_TOKEN_FILE.

Exit codes:
  0  nothing is left`;

const ENDS = `
  1  something is left, or a step was not made; the report says which
  2  it could not begin: nothing was changed`;

const NIGHT_HELP = `Usage: pulumi-konnect-control-planes night --stack NAME [options]

Runs pulumi up, which selects and records control planes, makes the plan, destroys the
stack, and reports.

Options:
  --stack NAME     the stack
  --dry-run        ends after the plan, and deletes nothing
${COMMON_HELP.replace("NAME", "night")}; dry run: nothing stands in the way${ENDS}`;

const CLOSE_HELP = `Usage: pulumi-konnect-control-planes close --stack NAME --label KEY=VALUE… [options]

Does what night does, for the control planes that also have these labels. It uses the
configuration of the stack, and keeps its state in a temporary folder.

Options:
  --stack NAME     the stack whose Pulumi.NAME.yaml says what to select
  --label KEY=VAL  a label; at least one must have more than a number for a value, because
                   other repositories have a pull request with the same number
  --dry-run        ends after the plan, and deletes nothing
${COMMON_HELP.replace("NAME", "close")}${ENDS}`;

/** `night`: selects, plans, destroys and reports. */
export const nightCommand: Command = {
  name: "night",
  summary: "select, plan, destroy and report, unattended",
  help: NIGHT_HELP,
  run(args, io) {
    const { stack, report, options } = parseArguments(args, "night");
    return run({ command: "night", stack, labels: {}, ...options }, report, io);
  },
};

/** `close`: does what `night` does for the control planes with some labels, and keeps no state. */
export const closeCommand: Command = {
  name: "close",
  summary: "do the same for what has some labels, and keep no state",
  help: CLOSE_HELP,
  run(args, io) {
    const { stack, report, label, options } = parseArguments(args, "close");
    if (stack.includes("/")) throw usageError(safe`--stack must be the plain name of the stack`);
    return run({ command: "close", stack, labels: parseLabels(label), ...options }, report, io);
  },
};

function run(options: Parameters<typeof runNight>[0], report: string, io: CommandIo): Promise<number> {
  return runNight(options, openFolder(report, options.command), {
    env: io.env,
    width: io.stdout.isTTY === true ? io.stdout.columns : undefined,
    print: (text) => void io.stdout.write(text),
    printError: (text) => void io.stderr.write(text),
  });
}

function openFolder(report: string, name: string): ReportFolder {
  try {
    return openReportFolder(report, name);
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    const why = error instanceof Error && "code" in error ? String(error.code) : message;
    throw commandError(
      safe`the report cannot be written to ${safeText(report, 200)} (${safeText(why, 200)}); nothing was changed`,
    );
  }
}

function parseArguments(args: readonly string[], command: "night" | "close") {
  const text = { type: "string" } as const;
  const { values } = parseCommandArguments({
    args: [...args],
    options: {
      ...{ stack: text, "time-limit": text, report: text, "dry-run": { type: "boolean" } },
      ...(command === "close" && { label: { type: "string", multiple: true } }),
    },
  }) as { readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>> };
  const { stack, report = defaultFolder(command), label = [] } = values;
  for (const [name, value] of Object.entries(values)) {
    if (value === "") throw usageError(safe`--${safeText(name, 20)} is empty; is a variable not set?`);
  }
  if (typeof stack !== "string") throw usageError(safe`--stack is missing`);
  return {
    stack,
    report: String(report),
    label: label as readonly string[],
    options: {
      isDryRun: values["dry-run"] === true,
      timeLimit: parseTimeLimit(values["time-limit"] as string | undefined),
    },
  };
}

function defaultFolder(command: string): string {
  return `reports/${command}-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}`;
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The longest time for which Node can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** Parses a time such as `110m`. @throws UsageError that says what is allowed */
export function parseTimeLimit(text: string | undefined): TimeLimit | undefined {
  if (text === undefined) return undefined;
  const [, count = "", unit = "s"] = /^(\d+)([smh])$/.exec(text) ?? [];
  const ms = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (ms >= 1 && ms <= LONGEST_MS) return { ms, text };
  throw usageError(safe`--time-limit must be a time such as 90s, 110m or 2h, not "${safeText(text, 40)}"`);
}

/**
 * Parses labels of the form `key=value`.
 *
 * @throws UsageError if one has another form, or if all values are numbers, which other repositories may use too
 */
export function parseLabels(given: readonly string[]): Readonly<Record<string, string>> {
  if (given.length === 0) throw usageError(safe`--label is missing`);
  const entries = given.map((text) => {
    const [, key = "", value = ""] = /^([A-Za-z0-9][A-Za-z0-9._/-]*)=(.+)$/s.exec(text) ?? [];
    if (key !== "") return [key, value] as const;
    throw usageError(safe`--label must be KEY=VALUE, not "${safeText(text, 80)}"; is a variable not set?`);
  });
  if (areNumbers(entries.map(([, value]) => value))) {
    throw usageError(
      safe`--label ${safeText(given.join(" "), 80)} names only a number, which other repositories have, too; add a label that names yours, for example --label repo=shop`,
    );
  }
  const labels = Object.fromEntries(entries);
  if (Object.keys(labels).length === entries.length) return labels;
  throw usageError(safe`--label names a key twice`);
}
