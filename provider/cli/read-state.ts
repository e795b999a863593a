import { readFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { settingsError } from "../service/failure/control-plane-error.js";
import { safe, safeLines, safeName, safeText, type SafeText } from "../text/safe-text.js";
import { type CommandIo, usageError } from "./command.js";

/** Where the state comes from. */
export type StateSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "standard input" }
  /** The CLI exports it. Without a name, the stack that is selected. */
  | { readonly kind: "stack"; readonly stack: string | undefined };

/** The text of a state, and where it comes from, for messages. */
export interface StateText {
  readonly text: string;
  readonly source: SafeText;
}

/**
 * Returns where the state comes from.
 *
 * @throws UsageError if both options are given
 */
export function parseStateSource(stack: string | undefined, state: string | undefined): StateSource {
  if (stack !== undefined && state !== undefined) {
    throw usageError(safe`--stack and --state are both set; use one of them`);
  }
  if (state === "-") return { kind: "standard input" };
  return state === undefined ? { kind: "stack", stack } : { kind: "file", path: state };
}

/** Reads a state. @throws ControlPlaneError if it cannot be read */
export async function readState(
  source: StateSource,
  { stdin, env }: Pick<CommandIo, "stdin" | "env">,
): Promise<StateText> {
  switch (source.kind) {
    case "standard input":
      return { text: await readAll(stdin), source: safe`standard input` };
    case "file":
      return { text: await readStateFile(source.path), source: safeName(source.path, 200) };
    case "stack":
      return {
        text: await exportStack(source.stack, env),
        source: safe`the output of pulumi stack export`,
      };
  }
}

async function readStateFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw settingsError(safe`the state file ${safeName(path, 200)} cannot be read (${safeText(code, 40)})`);
  }
}

async function readAll(stdin: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) {
    chunks.push(chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The last lines of what the CLI says about its failure. */
const MAX_LINES = 20;

/**
 * Runs `pulumi stack export`, and returns what it prints. Secrets stay encrypted.
 *
 * @param stack name of the stack; undefined for the one that is selected
 * @throws ControlPlaneError if there is no CLI, or when it fails
 */
export async function exportStack(
  stack: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const args = ["stack", "export", "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])];
  const { stdout, stderr, ending } = await run("pulumi", args, env);
  if (ending === undefined) return stdout;
  const said = stderr.split("\n").map((line) => line.trimEnd());
  const lines = said.filter((line) => line !== "").slice(-MAX_LINES);
  throw settingsError(
    safeLines([
      safe`pulumi stack export ${ending}`,
      ...lines.map((line) => safe`  ${safeText(line, 500)}`),
      safe`  Run it in the folder of the Pulumi project, or use --stack NAME or --state FILE.`,
    ]),
  );
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** Describes how the command failed. Undefined if it succeeded. */
  readonly ending: SafeText | undefined;
}

/** Runs a command without a shell, so that no argument is more than an argument. */
function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => (printed[name] += text));
    }
    child.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(error)));
    child.once("close", (code, signal) => {
      const ending = code === 0 ? undefined : describeEnding(code, signal);
      resolve({ ...printed, ending });
    });
  });
}

function describeEnding(code: number | null, signal: NodeJS.Signals | null): SafeText {
  return code === null
    ? safe`was ended by ${safeText(String(signal), 20)}`
    : safe`failed with exit code ${code}`;
}

function notStarted({ code, message }: NodeJS.ErrnoException): Error {
  const what =
    code === "ENOENT"
      ? safe`the Pulumi CLI was not found on PATH`
      : safe`the Pulumi CLI could not be started (${safeText(code ?? message, 100)})`;
  return settingsError(
    safe`${what}
  Install it, or pass the state with --state FILE (--state - reads standard input).`,
  );
}
