import { readFile } from "node:fs/promises";
import { settingsError } from "../service/failure/control-plane-error.js";
import { safe, safeName, safeText, type SafeText } from "../text/safe-text.js";
import { type CommandIo, usageError } from "./command.js";
import { exportStack } from "./export-stack.js";

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
 * @throws UsageError when both options are given
 */
export function parseStateSource(stack: string | undefined, state: string | undefined): StateSource {
  if (stack !== undefined && state !== undefined) {
    throw usageError(safe`--stack and --state are both given; give one of them`);
  }
  if (state === "-") return { kind: "standard input" };
  return state === undefined ? { kind: "stack", stack } : { kind: "file", path: state };
}

/** Reads a state. @throws ControlPlaneError when it cannot be read */
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
