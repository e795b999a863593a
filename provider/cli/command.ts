import { parseArgs, type ParseArgsConfig } from "node:util";
import { joinSafe, safe, safeText, type SafeText } from "../text/safe-text.js";

/** What a command uses of its process. */
export interface CommandIo {
  readonly stdin: AsyncIterable<unknown>;
  readonly stdout: Output & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Output {
  write(text: string): unknown;
}

/** A subcommand of the command line. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly help: string;
  /** Runs the command, and returns its exit code. @throws CommandError if it cannot be run */
  readonly run: (args: readonly string[], io: CommandIo) => Promise<number>;
}

/** A command that could not do its work. Its message is printed, and the exit code is 2. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Creates the error of a command that could not do its work. */
export function commandError(message: SafeText): CommandError {
  return new CommandError(message);
}

/** The exit code of a command that could not do its work. */
export const EXIT_FAILED = 2;

/** Wrong arguments. Its message is printed with the line that leads to the help, and the exit code is 2. */
export class UsageError extends CommandError {}

/** Creates the error of wrong arguments. */
export function usageError(message: SafeText): UsageError {
  return new UsageError(message);
}

/** Parses arguments with Node's own parser. @throws UsageError that lists the options */
export function parseCommandArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Its first sentence says what is wrong. The others explain how to pass such an argument on.
    const words = String(error instanceof Error ? error.message : error).replace(/\. .*/s, "");
    const options = Object.keys(config.options ?? {}).map((name) => safeText(`--${name}`, 30));
    throw usageError(
      safe`${safeText(words, 200)}; allowed are ${joinSafe([...options, safe`--help`], ", ")}`,
    );
  }
}

/** Returns the format that `--format` names. @throws UsageError that lists the formats */
export function parseFormat<Format extends string>(text: string, formats: readonly Format[]): Format {
  const format = formats.find((each) => each === text);
  if (format !== undefined) return format;
  const allowed = safeText(formats.join(", "), 100);
  throw usageError(safe`--format must be one of ${allowed}, not "${safeText(text, 40)}"`);
}
