import { rmSync, statSync } from "node:fs";
import type { StackState } from "../local-stack/index.js";
import type { Arena } from "./arena.js";
import { inspectOrphans } from "./inspect.js";
import type { Strike, StrikeKind } from "./plan.js";
import { strikeDown } from "./strike.js";

/** How a command ended that may have been struck, after everything that a person does before the next one. */
export interface Struck {
  readonly exitCode: number | undefined;
  readonly output: string;
  /** What hit it. Undefined when it ended before. */
  readonly struck: StrikeKind | undefined;
  readonly state: StackState;
  /** Whether a full disk had cut the state off, so that the last export was imported. */
  readonly ruined: boolean;
  /** Whether the CLI was killed between creating the file of attributes beside the state and filling it. */
  readonly emptyAttributes: boolean;
  readonly violations: readonly string[];
}

/** Runs a command and strikes it at the planned moment. Then removes locks and broken files, as a person would. */
export async function runStruck(
  arena: Arena,
  args: readonly string[],
  strike: Strike | undefined,
): Promise<Struck> {
  const violations: string[] = [];
  const command = arena.start(args, strike?.kind === "full disk" ? strike.kind : undefined);
  const hit = strike !== undefined && (await strikeDown(arena, command, strike));
  const struck = hit ? strike.kind : undefined;
  const { exitCode, output } = await command.result;
  violations.push(...(await inspectOrphans(arena)));
  const emptyAttributes = exitCode === undefined && removeEmptyAttributes(arena);
  // A CLI that a signal ended has left its lock. A pipeline has to remove that, too.
  if (exitCode === undefined) await arena.run(["cancel", "--yes"]);
  else if (output.includes("currently locked")) {
    violations.push("the stack is locked although every CLI ended by itself");
  }
  const { state, ruined } = await readState(arena, struck);
  return { exitCode, output, struck, state, ruined, emptyAttributes, violations };
}

/**
 * Removes an empty file of attributes beside the state, as a person would: with one, the CLI fails with "failed to load
 * checkpoint: EOF" although the state is whole. Returns whether there was one.
 */
function removeEmptyAttributes({ stack }: Arena): boolean {
  const file = `${stack.stateFile}.attrs`;
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0;
  if (isEmpty) rmSync(file);
  return isEmpty;
}

/** Reads the state. When a full disk has cut it off, imports the last export first, as a person would. */
async function readState(arena: Arena, struck: StrikeKind | undefined) {
  try {
    return { state: await arena.saveState(), ruined: false };
  } catch (error) {
    if (struck !== "full disk") throw error;
    await arena.restoreState();
    return { state: await arena.saveState(), ruined: true };
  }
}
