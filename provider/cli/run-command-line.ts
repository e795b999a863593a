import { safe, safeText } from "../text/safe-text.js";
import { VERSION } from "../version.js";
import { type Command, CommandError, type CommandIo, EXIT_FAILED } from "./command.js";
import { planCommand } from "./plan-command.js";
import { reportCommand } from "./report-command.js";

const PROGRAM = "pulumi-konnect-control-planes";

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [planCommand, reportCommand];

/** Runs a command line, without the path of the program. Returns the exit code. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version") return print(io, VERSION);
  if (name === "--help" || name === "-h") return print(io, overview());
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) {
    const what =
      name === undefined ? safe`a command is missing` : safe`unknown command "${safeText(name, 60)}"`;
    return refuse(io, what, "");
  }
  const optionsEnd = rest.indexOf("--");
  const options = optionsEnd < 0 ? rest : rest.slice(0, optionsEnd);
  if (options.includes("--help") || options.includes("-h")) return print(io, command.help);
  try {
    return await command.run(rest, io);
  } catch (error) {
    return refuse(io, messageOf(error), ` ${command.name}`);
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

function refuse({ stderr }: CommandIo, message: string, command: string): number {
  stderr.write(`${PROGRAM}: ${message}\n`);
  stderr.write(`Try: ${PROGRAM}${command} --help\n`);
  return EXIT_FAILED;
}

/** Returns the message of a failure. `parseArgs` explains after its first sentence how to pass such an argument. */
function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (isArgumentError(error)) return safeText(message.replace(/\. .*/s, ""), 300);
  return safe`internal error: ${safeText(message, 300)}`;
}

function isArgumentError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}
