import { safe, safeText } from "../text/safe-text.js";
import { VERSION } from "../version.js";
import {
  type Command,
  CommandError,
  type CommandIo,
  EXIT_FAILED,
  usageError,
  UsageError,
} from "./command.js";
import { checkpointsCommand } from "./checkpoints-command.js";
import { closeCommand, nightCommand } from "./night-command.js";
import { planCommand } from "./plan-command.js";
import { reportCommand } from "./report-command.js";

const PROGRAM = "pulumi-konnect-control-planes";

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  nightCommand,
  closeCommand,
  planCommand,
  reportCommand,
  checkpointsCommand,
];

/** Runs a command line, without the path of the program. Returns the exit code. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version") return print(io, VERSION);
  if (name === "--help" || name === "-h") return print(io, overview());
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) {
    const what =
      name === undefined ? safe`a command is missing` : safe`unknown command "${safeText(name, 60)}"`;
    return refuse(io, usageError(what), "");
  }
  const optionsEnd = rest.indexOf("--");
  const options = optionsEnd < 0 ? rest : rest.slice(0, optionsEnd);
  if (options.includes("--help") || options.includes("-h")) return print(io, command.help);
  try {
    return await command.run(rest, io);
  } catch (error) {
    return refuse(io, error, ` ${command.name}`);
  }
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    `Usage: ${PROGRAM} <command> [options]`,
    "",
    "Commands:",
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `${PROGRAM} <command> --help shows the options of a command.`,
  ].join("\n");
}

function print({ stdout }: CommandIo, text: string): number {
  stdout.write(`${text}\n`);
  return 0;
}

/** Prints what is wrong. The help explains wrong arguments, but not a file that is missing. */
function refuse({ stderr }: CommandIo, error: unknown, command: string): number {
  stderr.write(`${PROGRAM}: ${messageOf(error)}\n`);
  if (error instanceof UsageError) stderr.write(`Try: ${PROGRAM}${command} --help\n`);
  return EXIT_FAILED;
}

function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return safe`internal error: ${safeText(error instanceof Error ? error.message : String(error), 300)}`;
}
