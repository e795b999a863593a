import type { Outcome } from "../chaos-run.js";
import { inspectText } from "../inspect.js";
import { runStruck, type Struck } from "../struck-command.js";
import { type CreatesPlan, type Stage, STAGES } from "./creates-plan.js";
import type { CreatesWorld } from "./creates-world.js";
import { inspectCommand, inspectRequests, inspectStage } from "./inspect-creates.js";
import { mend, type Mended } from "./mend.js";

/** A command of a stage, and what a person did after it. */
interface Attempt {
  readonly stage: Stage;
  readonly command: Struck;
  readonly mended: Mended;
  readonly isDone: boolean;
}

/** Creates, changes and destroys, each until it has converged, and inspects everything after each command. */
export async function runCreates(world: CreatesWorld, plan: CreatesPlan): Promise<Outcome> {
  const beganMs = performance.now();
  const attempts: Attempt[] = [];
  const violations: string[] = [];
  for (const stage of STAGES) {
    if (violations.length > 0) break;
    const leave = world.enter(stage);
    try {
      violations.push(...(await converge(world, plan, stage, attempts)));
    } catch (error) {
      violations.push(`${stage}: it broke off: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      leave();
    }
  }
  violations.push(...inspectRequests(world), ...inspectText(world));
  return outcomeOf(world, plan, attempts, { violations, elapsedMs: performance.now() - beganMs });
}

/** Repeats the command of a stage until it has converged. Returns what was wrong. */
async function converge(
  world: CreatesWorld,
  plan: CreatesPlan,
  stage: Stage,
  attempts: Attempt[],
): Promise<readonly string[]> {
  let most = mostCommands(plan, stage);
  for (let nth = 1; nth <= most; nth += 1) {
    const before = world.own();
    const command = await runStruck(world, argumentsOf(plan, stage), plan.strikes[stage][nth - 1]);
    const isDone = hasConverged(world, stage, command);
    const inspected = inspectCommand(world, stage, before, command);
    const mended = await mend(world, plan, stage, command);
    attempts.push({ stage, command, mended, isDone });
    // Without --continue-on-error, each control plane that is left over or kept may cost a command of its own.
    most += mended.adopted + mended.deleted + mended.detached;
    const wrong = [...command.violations, ...inspected, ...mended.violations];
    if (isDone) wrong.push(...inspectStage(world, stage, command));
    if (wrong.length > 0) return wrong.map((what) => `${stage} ${nth}: ${what}`);
    if (isDone) return [];
  }
  return [`${stage}: it has not converged after ${most} commands`];
}

function argumentsOf({ parallel, continueOnError }: CreatesPlan, stage: Stage): readonly string[] {
  return [
    ...[stage === "destroy" ? "destroy" : "up", "--yes", "--skip-preview", "--parallel", String(parallel)],
    ...(continueOnError ? ["--continue-on-error"] : []),
  ];
}

function hasConverged(
  { declared }: CreatesWorld,
  stage: Stage,
  { exitCode, state, struck }: Struck,
): boolean {
  const expected = stage === "destroy" ? 0 : declared.size;
  // A command that was stopped can end with 0 although it has not done everything.
  const isWhole = exitCode === 0 && (stage === "destroy" || struck === undefined);
  return isWhole && state.pending === 0 && state.resources.length === expected;
}

/** Returns the number of commands after which a stage has failed. */
function mostCommands({ strikes, faults, outages }: CreatesPlan, stage: Stage): number {
  const until = STAGES.slice(0, STAGES.indexOf(stage) + 1);
  const costly = faults.filter(({ isCostly, stage: when }) => isCostly && until.includes(when)).length;
  return strikes[stage].length + costly + 3 * outages.length + 5;
}

function outcomeOf(
  { emulator }: CreatesWorld,
  { planes, groups }: CreatesPlan,
  attempts: readonly Attempt[],
  more: Pick<Outcome, "violations" | "elapsedMs">,
): Outcome {
  const commands = attempts.map(({ command }) => command);
  const sum = (of: (mended: Mended) => number) =>
    attempts.reduce((total, { mended }) => total + of(mended), 0);
  return {
    ...more,
    sets: 0,
    pairs: 0,
    ups: attempts.filter(({ stage }) => stage !== "destroy").length,
    cleared: sum(({ cleared }) => cleared),
    strikes: commands.flatMap(({ struck }) => struck ?? []),
    faults: emulator.requests.filter(({ fault }) => fault).length,
    destroys: attempts.filter(({ stage }) => stage === "destroy").length,
    requests: emulator.requests.length,
    falseSuccesses: attempts.filter(({ command, isDone }) => command.exitCode === 0 && !isDone).length,
    ruinedStates: commands.filter(({ ruined }) => ruined).length,
    emptyAttributes: commands.filter(({ emptyAttributes }) => emptyAttributes).length,
    creates: {
      planes,
      groups: groups.size,
      adopted: sum(({ adopted }) => adopted),
      deleted: sum(({ deleted }) => deleted),
      detached: sum(({ detached }) => detached),
    },
  };
}
