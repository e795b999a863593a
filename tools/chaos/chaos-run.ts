import { controlPlaneIdsOf } from "../local-stack/index.js";
import { isFinal } from "./faults.js";
import { inspectEnd, inspectState, inspectText } from "./inspect.js";
import type { Plan, Strike, StrikeKind } from "./plan.js";
import { runStruck, type Struck } from "./struck-command.js";
import type { World } from "./world.js";

/** The outcome of one run. */
export interface Outcome {
  readonly sets: number;
  /** The number of control planes that two resources declare. */
  readonly pairs: number;
  readonly strikes: readonly StrikeKind[];
  readonly faults: number;
  readonly ups: number;
  readonly destroys: number;
  readonly requests: number;
  /** Pending operations that a person cleared from the state with a refresh. */
  readonly cleared: number;
  /** Destroys that were stopped and ended with exit code 0 although something was left (docs/internals/pulumi-host.md). */
  readonly falseSuccesses: number;
  /** States that a full disk had cut off, and that were imported from the last export (docs/internals/pulumi-host.md). */
  readonly ruinedStates: number;
  readonly emptyAttributes: number;
  /** Missing in a run that creates nothing. */
  readonly creates?: Creates;
  readonly elapsedMs: number;
  /** What was wrong. Empty when the run has converged and all inspections passed. */
  readonly violations: readonly string[];
}

/** What a run did that creates and changes. */
export interface Creates {
  readonly planes: number;
  readonly groups: number;
  /** Control planes that a kill left over, and that a person adopted or deleted, as the error of the next `up` says. */
  readonly adopted: number;
  readonly deleted: number;
  /** Members that somebody else had added to a group, and that a person removed, as the error of a destroy says. */
  readonly detached: number;
}

interface Destroyed extends Omit<Struck, "output" | "state"> {
  readonly left: number;
  readonly pending: number;
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
    pairs: 0,
    ups: 0,
    cleared: 0,
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
  const args = [
    ...["destroy", "--yes", "--skip-preview", "--parallel", String(plan.parallel)],
    ...(plan.continueOnError ? ["--continue-on-error"] : []),
  ];
  const ended = await runStruck(world, args, strike);
  const { exitCode, struck } = ended;
  const { resources, pending } = ended.state;
  const violations = [
    ...ended.violations,
    ...inspectState(world, new Set(resources.flatMap(controlPlaneIdsOf))),
  ];
  if (exitCode === 0 && resources.length > 0 && (struck === undefined || struck === "plugin")) {
    violations.push(`the exit code is 0 although ${resources.length} resources are left in the state`);
  }
  return { ...ended, left: resources.length, pending, violations };
}
