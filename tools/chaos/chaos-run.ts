import { rmSync, statSync } from "node:fs";
import { controlPlaneIdsOf } from "../local-stack/index.js";
import { isFinal } from "./faults.js";
import { inspectEnd, inspectOrphans, inspectState, inspectText } from "./inspect.js";
import type { Plan, Strike, StrikeKind } from "./plan.js";
import { strikeDown } from "./strike.js";
import type { World } from "./world.js";

/** The outcome of one run. */
export interface Outcome {
  readonly sets: number;
  readonly strikes: readonly StrikeKind[];
  readonly faults: number;
  readonly destroys: number;
  readonly requests: number;
  /** Destroys that were stopped and ended with exit code 0 although something was left (docs/pulumi-host.md). */
  readonly falseSuccesses: number;
  /** States that a full disk had cut off, and that were imported from the last export (docs/pulumi-host.md). */
  readonly ruinedStates: number;
  readonly emptyAttributes: number;
  readonly elapsedMs: number;
  /** What was wrong. Empty when the run has converged and all inspections passed. */
  readonly violations: readonly string[];
}

interface Destroyed {
  readonly exitCode: number | undefined;
  readonly struck: StrikeKind | undefined;
  readonly left: number;
  readonly pending: number;
  readonly ruined: boolean;
  /** Whether the CLI was killed between creating the file of attributes beside the state and filling it. */
  readonly emptyAttributes: boolean;
  readonly violations: readonly string[];
}

/** Runs destroys until nothing is left, and inspects everything after each. */
export async function runChaos(world: World, plan: Plan): Promise<Outcome> {
  const { emulator } = world;
  const beganMs = performance.now();
  const endEvents = world.playEvents();
  const destroys: Destroyed[] = [];
  const violations: string[] = [];
  try {
    do {
      const destroyed = await destroy(world, plan, plan.strikes[destroys.length]);
      destroys.push(destroyed);
      violations.push(...destroyed.violations.map((what) => `destroy ${destroys.length}: ${what}`));
    } while (!isDone(destroys) && destroys.length < mostDestroys(plan) && violations.length === 0);
  } catch (error) {
    violations.push(`the run broke off: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    endEvents();
  }
  if (!isDone(destroys)) violations.push(`something is left after ${destroys.length} destroys`);
  else violations.push(...inspectEnd(world, plan));
  violations.push(...inspectText(world));
  return {
    sets: plan.sets,
    strikes: destroys.flatMap(({ struck }) => struck ?? []),
    faults: emulator.requests.filter(({ fault }) => fault).length,
    destroys: destroys.length,
    requests: emulator.requests.length,
    falseSuccesses: destroys.filter(({ exitCode, left }) => exitCode === 0 && left > 0).length,
    ruinedStates: destroys.filter(({ ruined }) => ruined).length,
    emptyAttributes: destroys.filter((destroyed) => destroyed.emptyAttributes).length,
    elapsedMs: performance.now() - beganMs,
    violations,
  };
}

function isDone(destroys: readonly Destroyed[]): boolean {
  const last = destroys.at(-1);
  return last?.exitCode === 0 && last.left === 0 && last.pending === 0;
}

/**
 * Returns the number of destroys after which a run has failed.
 *
 * Without --continue-on-error, each final answer may cost a destroy, and a long outage one or two more.
 */
function mostDestroys({ strikes, faults }: Plan): number {
  return strikes.length + faults.filter(({ name }) => isFinal(name)).length + 4;
}

async function destroy(world: World, plan: Plan, strike: Strike | undefined): Promise<Destroyed> {
  const violations: string[] = [];
  const args = [
    ...["destroy", "--yes", "--skip-preview", "--parallel", String(plan.parallel)],
    ...(plan.continueOnError ? ["--continue-on-error"] : []),
  ];
  const before = world.emulator.requests.length;
  const command = world.start(args, strike?.kind === "full disk" ? strike.kind : undefined);
  const hit = strike !== undefined && (await strikeDown(world, command, strike));
  const struck = hit ? strike.kind : undefined;
  const { exitCode, output } = await command.result;
  violations.push(...(await inspectOrphans(world, before)));
  const emptyAttributes = exitCode === undefined && removeEmptyAttributes(world);
  // A CLI that a signal ended has left its lock. A pipeline has to remove that, too.
  if (exitCode === undefined) await world.run(["cancel", "--yes"]);
  else if (output.includes("currently locked")) {
    violations.push("the stack is locked although every CLI ended by itself");
  }

  const { resources, pending, ruined } = await readState(world, struck);
  violations.push(...inspectState(world, new Set(resources.flatMap(controlPlaneIdsOf))));
  if (exitCode === 0 && resources.length > 0 && (struck === undefined || struck === "plugin")) {
    violations.push(`the exit code is 0 although ${resources.length} resources are left in the state`);
  }
  return { exitCode, struck, left: resources.length, pending, ruined, emptyAttributes, violations };
}

/**
 * Removes an empty file of attributes beside the state, as a person would: with one, the CLI fails with "failed to load
 * checkpoint: EOF" although the state is whole. Returns whether there was one.
 */
function removeEmptyAttributes({ stack }: World): boolean {
  const file = `${stack.stateFile}.attrs`;
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0;
  if (isEmpty) rmSync(file);
  return isEmpty;
}

/** Reads the state. When a full disk has cut it off, imports the last export first, as a person would. */
async function readState(world: World, struck: StrikeKind | undefined) {
  try {
    return { ...(await world.saveState()), ruined: false };
  } catch (error) {
    if (struck !== "full disk") throw error;
    await world.restoreState();
    return { ...(await world.saveState()), ruined: true };
  }
}
