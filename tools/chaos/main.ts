import { parseArgs } from "node:util";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { killPlugins } from "../local-stack/plugins.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import type { Arena } from "./arena.js";
import { type Outcome, runChaos } from "./chaos-run.js";
import { planCreates } from "./creates/creates-plan.js";
import { runCreates } from "./creates/creates-run.js";
import { createCreatesWorld } from "./creates/creates-world.js";
import { createPairsWorld } from "./pairs/pairs-world.js";
import { planPairs } from "./pairs/pairs-plan.js";
import { runPairs } from "./pairs/pairs-run.js";
import { type Kind, kindOf, KINDS, planFastRun, planRun } from "./plan.js";
import type { Size } from "./setting.js";
import { describeRun, describeTotals } from "./totals.js";
import { createWorld } from "./world.js";

// Destroys stacks until each is done, while the emulated service fails at random and the CLI is killed at random. Some
// runs create and change what they destroy, and some declare it twice first.

interface Options extends Size {
  readonly runs: number;
  readonly seed: number;
  /** The number of the only run, to repeat it. */
  readonly only: number | undefined;
  /** Whether a run that passes leaves its folder too. */
  readonly keep: boolean;
  /** What every run is about. Default: the kinds come in turn. */
  readonly kind: Kind | undefined;
  /** Whether everything is killed once in each run, without faults, while Pulumi skips checkpoints. */
  readonly fast: boolean;
}

/** A control plane that is created takes more requests than one that is only deleted. */
const CREATED_SHARE = 0.4;

/** A pair has three control planes. */
const PAIRS_SHARE = 0.25;

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  const env = cliEnvironment(cli, process.env);
  const { runs, seed, only, planes, bystanders } = options;
  console.log(
    `Pulumi ${cli.version}, ${planes} control planes in the stack, ${bystanders} beside it, seed ${seed}`,
  );
  const outcomes = new Map<number, Outcome>();
  for (let run = only ?? 1; run <= (only ?? runs) && !stopped.aborted; run += 1) {
    const outcome = await runOne(run, options, env);
    outcomes.set(run, outcome);
    console.log(describeRun(only === undefined ? `run ${run} of ${runs}` : `run ${run}`, outcome));
    if (outcome.violations.length === 0) continue;
    process.exitCode = 1;
    console.log(`  repeat it with: npm run chaos -- --seed ${seed} --only ${run}${flagsOf(options)}`);
  }
  console.log(describeTotals(outcomes, seed));
  if (stopped.aborted) process.exitCode = INTERRUPTED_EXIT_CODE;
}

async function runOne(run: number, options: Options, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const { seed, planes, bystanders, fast } = options;
  const kind = options.kind ?? kindOf(run);
  if (kind === "creates" && !fast) {
    const plan = planCreates(seed, run, Math.ceil(planes * CREATED_SHARE), bystanders);
    const world = await createCreatesWorld(plan, bystanders, env);
    return end(world, plan, options, () => runCreates(world, plan));
  }
  if (kind === "pairs" && !fast) {
    const plan = planPairs(seed, run, Math.ceil(planes * PAIRS_SHARE));
    const world = await createPairsWorld(plan, bystanders, env);
    return end(world, plan, options, () => runPairs(world, plan));
  }
  const plan = fast ? planFastRun(seed, run, planes) : planRun(seed, run, planes, kind === "sets");
  const world = await createWorld(plan, options, env);
  return end(world, plan, options, () => runChaos(world, plan));
}

/** Runs a plan, and keeps its traces when it has failed. */
async function end(
  world: Arena,
  plan: object,
  options: Options,
  runPlan: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    const outcome = await runPlan();
    const failed = outcome.violations.length > 0;
    if (failed || options.keep) keepTraces(world, plan, outcome.violations);
    else world.stack.remove();
    return outcome;
  } finally {
    killPlugins(world.stack.folder);
    await world.emulator.close();
  }
}

/** Writes what happened into the run's folder, and prints where that is. */
function keepTraces(
  { stack, emulator, transcript }: Arena,
  plan: object,
  violations: readonly string[],
): void {
  stack.write("plan.json", JSON.stringify(plan, undefined, 2));
  stack.write("requests.json", JSON.stringify(emulator.requests, undefined, 1));
  stack.write("transcript.txt", transcript.join("\n"));
  for (const violation of violations.slice(0, 10)) console.log(`  ${violation}`);
  console.log(`  its folder: ${stack.folder}`);
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: "5" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      only: { type: "string" },
      keep: { type: "boolean", default: false },
      kind: { type: "string" },
      fast: { type: "boolean", default: false },
      planes: { type: "string", default: "100" },
      bystanders: { type: "string", default: "20" },
    },
  });
  const whole = (name: Exclude<keyof typeof values, "keep" | "kind" | "fast">) => {
    const number = Number(values[name]);
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new Error(`--${name} must be a whole number from 0 on, not "${values[name] ?? ""}"`);
    }
    return number;
  };
  const kind = KINDS.find((one) => one === values.kind);
  if (kind !== values.kind) throw new Error(`--kind must be one of ${KINDS.join(", ")}`);
  return {
    runs: whole("runs"),
    seed: whole("seed"),
    only: values.only === undefined ? undefined : whole("only"),
    keep: values.keep,
    kind,
    fast: values.fast,
    planes: whole("planes"),
    bystanders: whole("bystanders"),
  };
}

function flagsOf({ planes, bystanders, kind, fast }: Options): string {
  const size = planes === 100 && bystanders === 20 ? "" : ` --planes ${planes} --bystanders ${bystanders}`;
  return `${size}${kind === undefined ? "" : ` --kind ${kind}`}${fast ? " --fast" : ""}`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
