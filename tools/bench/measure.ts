import { statSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { createLocalStack, type LocalStack } from "../local-stack/index.js";
import { ROOT } from "../repository.js";
import type { Contender, Operation } from "./contenders.js";
import { type RunUsage, watchUsage } from "./process-usage.js";

/** What one operation of a contender took. */
export interface Measurement {
  readonly operation: Operation;
  readonly elapsedMs: number;
  /** Undefined on other systems than Linux. */
  readonly usage?: RunUsage;
  /** The size of the state file after the operation. */
  readonly stateBytes: number;
  /** The connections that carried a request. */
  readonly connections: number;
  readonly requests: number;
}

/** The surroundings of a measurement. */
export interface Surroundings {
  /** The environment in which `pulumi` is found. */
  readonly env: NodeJS.ProcessEnv;
  /** The time that the service takes for each answer. */
  readonly latencyMs: number;
  /** Ends the measurement when it aborts. */
  readonly signal: AbortSignal;
}

const TOKEN = "spat_BENCHbenchBENCHbenchBENCHbenchBENCH0123456789";

/** An ordinary dynamic provider takes minutes for a thousand. */
const COMMAND_TIMEOUT_MS = 60 * 60_000;

/** Fast mode. A CLI before 3.104 skips no checkpoints without the first variable. */
const SKIP_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const FAST_PARALLEL = "--parallel=32";

/**
 * Runs the operations of a contender one after the other, with a service and a stack of its own.
 *
 * Rejects when one of them fails, and when it did not do what it should.
 */
export async function measure(
  contender: Contender,
  controlPlanes: number,
  { env, latencyMs, signal }: Surroundings,
): Promise<readonly Measurement[]> {
  const ids = Array.from(
    { length: controlPlanes },
    (_, n) => `9524ec7d-36d9-465d-a8c5-${String(n + 1).padStart(12, "0")}`,
  );
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-bench" } },
    // Names of 12 characters.
    controlPlanes:
      contender.existing === "all" ? ids.map((id) => ({ id, name: `plane-${id.slice(-6)}` })) : [],
    latencyMs,
  });
  const stack = createLocalStack({
    env,
    program: { ...contender.program, "ids.json": JSON.stringify(ids) },
    nodeModules: path.join(ROOT, "node_modules"),
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal,
  });
  try {
    const measurements: Measurement[] = [];
    for (const operation of contender.operations) {
      measurements.push(await run(stack, emulator, operation, contender));
      const left = operation === "destroy" && contender.deletes ? 0 : controlPlanes;
      if (emulator.controlPlanes.size !== left) {
        const found = `${emulator.controlPlanes.size} control planes after ${operation}`;
        throw new Error(`${contender.label} left ${found}, not ${left}`);
      }
    }
    return measurements;
  } finally {
    stack.remove();
    await emulator.close();
  }
}

async function run(
  stack: LocalStack,
  emulator: Emulator,
  operation: Operation,
  { fast, settings }: Contender,
): Promise<Measurement> {
  emulator.reset();
  const command = [operation, "--yes", "--skip-preview", "--non-interactive"];
  const running = stack.start(fast ? [...command, FAST_PARALLEL] : command, {
    ...settings,
    KONNECT_SPAT: TOKEN,
    KONNECT_SERVER_URL: emulator.baseUrl,
    ...(fast && SKIP_CHECKPOINTS),
  });
  const watch = watchUsage(stack.folder);
  const { exitCode, output, elapsedMs } = await running.result.finally(() => watch.end());
  const usage = watch.end();
  if (exitCode !== 0) throw new Error(`pulumi ${operation} failed:\n${output}`);
  return {
    operation,
    elapsedMs: Math.round(elapsedMs),
    ...(usage !== undefined && { usage }),
    stateBytes: statSync(stack.stateFile).size,
    connections: new Set(emulator.requests.map(({ connection }) => connection)).size,
    requests: emulator.requests.length,
  };
}
