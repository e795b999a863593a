import type { SafeText } from "../text/safe-text.js";

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
  /** Runs the command, and returns its exit code. @throws CommandError when it cannot be run */
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
