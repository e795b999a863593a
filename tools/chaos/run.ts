import { inspectEnd, inspectOrphans, inspectState, inspectText } from "./inspect.js";
import type { Plan, Strike, StrikeKind } from "./plan.js";
import { strikeDown } from "./strike.js";
import type { World } from "./world.js";

/** What one run came to. */
export interface Outcome {
  readonly strikes: readonly StrikeKind[];
  readonly faults: number;
  readonly destroys: number;
  readonly requests: number;
  /** Stopped destroys that ended with 0 although they had left something: docs/pulumi-host.md. */
  readonly falseSuccesses: number;
  /** States that a full disk left cut off, and that were put back from the last export: docs/pulumi-host.md. */
  readonly ruinedStates: number;
  readonly elapsedMs: number;
  /** Empty when the run has converged and nothing was wrong on the way. */
  readonly violations: readonly string[];
}

interface Destroyed {
  readonly exitCode: number | undefined;
  readonly struck: StrikeKind | undefined;
  readonly left: number;
  readonly pending: number;
  readonly ruined: boolean;
  readonly violations: readonly string[];
}

/** Destroys until done, and inspects everything on the way. */
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
    violations.push(`broken off: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    endEvents();
  }
  if (!isDone(destroys)) violations.push(`not done after ${destroys.length} destroys`);
  else violations.push(...inspectEnd(world));
  violations.push(...inspectText(world));
  return {
    strikes: destroys.flatMap(({ struck }) => struck ?? []),
    faults: emulator.requests.filter(({ fault }) => fault).length,
    destroys: destroys.length,
    requests: emulator.requests.length,
    falseSuccesses: destroys.filter(({ exitCode, left }) => exitCode === 0 && left > 0).length,
    ruinedStates: destroys.filter(({ ruined }) => ruined).length,
    elapsedMs: performance.now() - beganMs,
    violations,
  };
}

function isDone(destroys: readonly Destroyed[]): boolean {
  const last = destroys.at(-1);
  return last?.exitCode === 0 && last.left === 0 && last.pending === 0;
}

// Without --continue-on-error each final answer may cost a destroy of its own, and a long outage one or two more.
function mostDestroys({ strikes, faults }: Plan): number {
  const final = faults.filter(({ fault }) => [500, 401, 403, 404, 409, 302].includes(fault.status ?? 0));
  return strikes.length + final.length + 4;
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
  // As a pipeline has to: a CLI that a signal ended cannot take its lock back, and one that has only just started lets
  // itself be ended by any signal.
  if (exitCode === undefined) await world.run(["cancel", "--yes"]);
  else if (output.includes("currently locked")) violations.push("locked although every CLI ended by itself");

  const { resources, pending, ruined } = await readState(world, struck);
  violations.push(...inspectState(world, new Set(resources.map(({ id }) => id))));
  if (exitCode === 0 && resources.length > 0 && (struck === undefined || struck === "plugin")) {
    violations.push(`exit code 0 although ${resources.length} control planes are left in the state`);
  }
  return { exitCode, struck, left: resources.length, pending, ruined, violations };
}

/** Reads the state. A full disk may have cut it off: then the last export is imported, as a person would. */
async function readState(world: World, struck: StrikeKind | undefined) {
  try {
    return { ...(await world.exportState()), ruined: false };
  } catch (error) {
    if (struck !== "full disk") throw error;
    await world.restoreState();
    return { ...(await world.exportState()), ruined: true };
  }
}
