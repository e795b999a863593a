import { mkdirSync, writeFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { type StackState, stateOf } from "./checkpoint.js";

/** A stack of a file backend, read and written without the CLI: a start of it takes a fifth of a second or more. */
export interface StoredStack {
  /** The path of the state file. */
  readonly file: string;
  /** Reads the state. Rejects when the file is missing, cut off or compressed. */
  read(): Promise<StackState>;
  /** Replaces the state by the text of a state file of the same stack. Does what `pulumi stack import` does. */
  write(text: string): Promise<void>;
}

/**
 * Creates an empty stack in an empty folder, as `pulumi stack init` does.
 *
 * The CLI adds the rest when it needs it: the version of the backend, and the encryption salt in `Pulumi.<stack>.yaml`.
 */
export function createStoredStack(folder: string, project: string, stack: string): StoredStack {
  const stacks = path.join(folder, ".pulumi/stacks", project);
  const file = path.join(stacks, `${stack}.json`);
  mkdirSync(stacks, { recursive: true });
  const empty = { version: 3, checkpoint: { stack: `organization/${project}/${stack}` } };
  writeFileSync(file, JSON.stringify(empty));
  return {
    file,
    read: () => readState(file),
    async write(text) {
      stateOf(text);
      const next = `${file}.next`;
      await writeFile(next, text);
      await rename(next, file);
    },
  };
}

async function readState(file: string): Promise<StackState> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`there is no state in ${file} (a compressed state, in .json.gz, is not read)`);
  });
  try {
    return stateOf(text);
  } catch (error) {
    throw new Error(`the state in ${file} cannot be read: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
}
