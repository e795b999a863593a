import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { createLocalStack, type LocalStack } from "../local-stack/index.js";
import { pluginsIn } from "../local-stack/plugins.js";
import { ROOT } from "../repository.js";
import type { Contender } from "./contenders.js";

/** What one contender took. */
export interface Measurement {
  readonly name: string;
  readonly controlPlanes: number;
  readonly up: Run;
  readonly destroy: Run;
  /** The size of the state file after `up`. */
  readonly stateBytes: number;
}

/** One run of the CLI. */
export interface Run {
  readonly elapsedMs: number;
  readonly requests: number;
  /** The most memory that a process of the provider had, resident. Undefined without one, and on other systems than Linux. */
  readonly peakBytes: number | undefined;
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
const COMMAND_TIMEOUT_MS = 30 * 60_000;

const LOOK_EVERY_MS = 200;

/** Runs `up` and `destroy` of a contender, with a service and a stack of its own. Rejects when one of them fails. */
export async function measure(
  { name, program }: Contender,
  controlPlanes: number,
  { env, latencyMs, signal }: Surroundings,
): Promise<Measurement> {
  const ids = Array.from(
    { length: controlPlanes },
    (_, n) => `9524ec7d-36d9-465d-a8c5-${String(n + 1).padStart(12, "0")}`,
  );
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-bench" } },
    // Names of 12 characters.
    controlPlanes: ids.map((id) => ({ id, name: `plane-${id.slice(-6)}` })),
    latencyMs,
  });
  const stack = createLocalStack({
    env,
    program: { ...program, "ids.json": JSON.stringify(ids) },
    nodeModules: path.join(ROOT, "node_modules"),
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal,
  });
  try {
    const up = await run(stack, emulator, "up");
    const stateBytes = statSync(stack.stateFile).size;
    const destroy = await run(stack, emulator, "destroy");
    if (emulator.controlPlanes.size > 0) throw new Error(`${name} has left ${emulator.controlPlanes.size}`);
    return { name, controlPlanes, up, destroy, stateBytes };
  } finally {
    stack.remove();
    await emulator.close();
  }
}

async function run(stack: LocalStack, emulator: Emulator, command: "up" | "destroy"): Promise<Run> {
  emulator.reset();
  const settings = { KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl };
  const running = stack.start([command, "--yes", "--skip-preview", "--non-interactive"], settings);
  let peakBytes: number | undefined;
  const timer = setInterval(() => {
    for (const pid of pluginsIn(stack.folder)) {
      peakBytes = Math.max(peakBytes ?? 0, peakOf(pid) ?? 0) || undefined;
    }
  }, LOOK_EVERY_MS);
  try {
    const { exitCode, output, elapsedMs } = await running.result;
    if (exitCode !== 0) throw new Error(`pulumi ${command} failed:\n${output}`);
    return { elapsedMs, requests: emulator.requests.length, peakBytes };
  } finally {
    clearInterval(timer);
  }
}

/** Returns the most memory that a process has had so far, as Linux counts it. */
function peakOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    // It has just ended, or the system has no /proc.
    return undefined;
  }
}
