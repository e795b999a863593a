import type { Outcome } from "../chaos-run.js";
import { inspectText } from "../inspect.js";
import { runStruck, type Struck } from "../struck-command.js";
import { hasConverged, inspectCommand, inspectEnd } from "./inspect-pairs.js";
import { type PairsPlan, type Stage, STAGES } from "./pairs-plan.js";
import type { PairsWorld } from "./pairs-world.js";

/** A command of a stage, and what a person did after it. */
interface Attempt {
  readonly stage: Stage;
  readonly command: Struck;
  /** Pending operations that a person cleared from the state with a refresh. */
  readonly cleared: number;
  readonly isDone: boolean;
}

/** Declares control planes twice, then once, then destroys them, and inspects everything after each command. */
export async function runPairs(world: PairsWorld, plan: PairsPlan): Promise<Outcome> {
  const beganMs = performance.now();
  const attempts: Attempt[] = [];
  const violations: string[] = [];
  const recorded = await world.saveState();
  try {
    for (const stage of STAGES) {
      world.enter(stage);
      if (violations.length === 0) violations.push(...(await carryOut(world, plan, stage, attempts)));
    }
  } catch (error) {
    violations.push(`the run broke off: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (violations.length === 0) {
    const states = [recorded, ...attempts.map(({ command }) => command.state)];
    violations.push(...inspectEnd(world, plan, states));
  }
  violations.push(...inspectText(world));
  return outcomeOf(world, plan, attempts, { violations, elapsedMs: performance.now() - beganMs });
}

/** Repeats the command of a stage: until one was not hit where it has to fail, else until it has converged. */
async function carryOut(
  world: PairsWorld,
  plan: PairsPlan,
  stage: Stage,
  attempts: Attempt[],
): Promise<readonly string[]> {
  const most = mostCommands(plan, stage);
  for (let nth = 1; nth <= most; nth += 1) {
    const before = await world.saveState();
    const sentBefore = world.emulator.requests.length;
    const command = await runStruck(world, argumentsOf(plan, stage), plan.strikes[stage][nth - 1]);
    const isDone = stage === "twice" ? command.struck === undefined : hasConverged(world, stage, command);
    const wrong = [
      ...command.violations,
      ...inspectCommand(world, plan, stage, { before, sentBefore, command }),
    ];
    const cleared = stage === "destroy" ? 0 : command.state.pending;
    if (cleared > 0) await world.run(["refresh", "--yes", "--skip-preview", "--clear-pending-creates"]);
    attempts.push({ stage, command, cleared, isDone });
    if (wrong.length > 0) return wrong.map((what) => `${stage} ${nth}: ${what}`);
    if (isDone) return [];
  }
  return [`${stage}: it has not converged after ${most} commands`];
}

function argumentsOf({ parallel, continueOnError }: PairsPlan, stage: Stage): readonly string[] {
  return [
    ...[stage === "destroy" ? "destroy" : "up", "--yes", "--skip-preview", "--parallel", String(parallel)],
    ...(continueOnError ? ["--continue-on-error"] : []),
  ];
}

/** Returns the number of commands after which a stage has failed. */
function mostCommands({ strikes, faults }: PairsPlan, stage: Stage): number {
  if (stage === "twice") return strikes.twice.length + 1;
  return strikes[stage].length + faults.filter(({ isCostly }) => isCostly).length + 5;
}

function outcomeOf(
  { emulator }: PairsWorld,
  { pairs }: PairsPlan,
  attempts: readonly Attempt[],
  more: Pick<Outcome, "violations" | "elapsedMs">,
): Outcome {
  const commands = attempts.map(({ command }) => command);
  const converging = attempts.filter(({ stage }) => stage !== "twice");
  return {
    ...more,
    sets: 0,
    strikes: commands.flatMap(({ struck }) => struck ?? []),
    faults: emulator.requests.filter(({ fault }) => fault).length,
    destroys: attempts.filter(({ stage }) => stage === "destroy").length,
    requests: emulator.requests.length,
    falseSuccesses: converging.filter(({ command, isDone }) => command.exitCode === 0 && !isDone).length,
    ruinedStates: commands.filter(({ ruined }) => ruined).length,
    emptyAttributes: commands.filter(({ emptyAttributes }) => emptyAttributes).length,
    pairs: pairs.length,
    ups: attempts.filter(({ stage }) => stage !== "destroy").length,
    cleared: attempts.reduce((total, { cleared }) => total + cleared, 0),
  };
}
