import assert from "node:assert/strict";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { withFirstOnPath } from "../environment.js";
import {
  type CommandResult,
  createLocalStack,
  type LocalStack,
  type RunningCommand,
} from "../local-stack/index.js";
import { executableOf, pluginsIn } from "../local-stack/plugins.js";
import { waitForOutput } from "../waiting.js";
import type { Installation } from "./installation.js";
import { packagesFolder, programFiles } from "./programs.js";
import type { Row } from "./rows.js";
import type { NodeVersion } from "./toolchain.js";

const TOKEN = "spat_matrix";
const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const COMMAND_TIMEOUT_MS = 120_000;

/** An interrupted destroy that takes longer than this has not noticed the interruption. */
const INTERRUPT_MS = 5_000;

/** What a row runs with. */
export interface RowOptions {
  readonly row: Row;
  readonly node: NodeVersion;
  readonly installation: Installation;
  /** The environment in which `pulumi` is found. */
  readonly env: NodeJS.ProcessEnv;
  /** Stops the row when it aborts. */
  readonly signal: AbortSignal;
}

/** A stack, with what it runs on. */
interface Life {
  readonly stack: LocalStack;
  readonly emulator: Emulator;
  readonly node: NodeVersion;
}

/**
 * Runs `up`, a `destroy` that is interrupted, and a `destroy` that meets one 503.
 *
 * Returns how long the interrupted one took from the signal to its end. Rejects when anything is not as it should be.
 */
export async function runRow(options: RowOptions): Promise<{ interruptMs: number }> {
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-ci" } },
    controlPlanes: [{ id: ID, name: "edge" }],
  });
  try {
    return await withStack(options, emulator, async (stack) => {
      const life = { stack, emulator, node: options.node };
      await adopt(life);
      const interruptMs = await destroyInterrupted(life);
      await destroyThroughOutage(life);
      return { interruptMs };
    });
  } finally {
    await emulator.close();
  }
}

async function withStack<T>(
  { row: { program: kind, main }, node, installation, env, signal }: RowOptions,
  emulator: Emulator,
  work: (stack: LocalStack) => Promise<T>,
): Promise<T> {
  const files = programFiles({ kind, main, manifest: installation.manifest, controlPlaneId: ID });
  // The address is in the stack configuration, because the host has to pass that on to the provider.
  const config = { config: { "konnect:baseUrl": emulator.baseUrl } };
  const stack = createLocalStack({
    env: withFirstOnPath(node.binDir, env),
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal,
    program: { ...files, "Pulumi.dev.yaml": JSON.stringify(config) },
  });
  try {
    return await installation.lendTo(path.join(stack.folder, packagesFolder(main)), () => work(stack));
  } finally {
    stack.remove();
  }
}

async function adopt({ stack, emulator, node }: Life): Promise<void> {
  const { exitCode, output } = await pulumi(stack, "up --yes --skip-preview");
  assert.equal(exitCode, 0, output);
  const outputs = await stack.run(["stack", "output", "--json"]);
  assert.deepEqual(JSON.parse(outputs.stdout), { node: node.version }, "the Node of the program");
  assert.deepEqual(statuses(emulator, "GET"), [200]);
}

/** Interrupts a destroy that waits for a minute. Returns how long it took to end. */
async function destroyInterrupted({ stack, emulator, node }: Life): Promise<number> {
  emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "60" } });
  const destroy = start(stack, "destroy --yes --skip-preview");
  await waitForOutput(destroy, /503, retry 2 of 10/, 60_000);
  for (const executable of pluginsIn(stack.folder).map(executableOf)) {
    if (executable === undefined) continue;
    assert.equal(path.dirname(executable), node.binDir, "the Node of the provider");
  }
  const startedMs = performance.now();
  destroy.kill("SIGINT");
  const early = await Promise.race([destroy.result, delay(INTERRUPT_MS, undefined)]);
  if (early === undefined) {
    // The second signal ends it, whatever the provider does.
    destroy.kill("SIGINT");
    const { output } = await destroy.result;
    throw new Error(`the provider did not notice the interruption\n${output}`);
  }
  const interruptMs = performance.now() - startedMs;
  assert.equal(early.exitCode, 1, early.output);
  assert.match(early.output, /Interrupted: control plane .* was not deleted/);
  const { resources, pending } = await stack.state();
  assert.deepEqual(
    [resources.length, pending],
    [1, 0],
    "resources and pending operations after an interrupt",
  );
  assert.deepEqual(statuses(emulator, "DELETE"), [503]);
  return interruptMs;
}

async function destroyThroughOutage({ stack, emulator }: Life): Promise<void> {
  emulator.reset();
  emulator.script({ method: "DELETE" }, { status: 503 });
  const { exitCode, output } = await pulumi(stack, "destroy --yes --skip-preview");
  assert.equal(exitCode, 0, output);
  assert.match(output, /503, retry 2 of 10 in /, "a line about the retry");
  assert.deepEqual(statuses(emulator, "DELETE"), [503, 204]);
  assert.equal(emulator.controlPlanes.size, 0, "control planes that are left");
  const { urns, pending } = await stack.state();
  assert.deepEqual([urns, pending], [[], 0], "the state");
}

function start(stack: LocalStack, args: string): RunningCommand {
  return stack.start([...args.split(" "), "--non-interactive"], { KONNECT_SPAT: TOKEN });
}

function pulumi(stack: LocalStack, args: string): Promise<CommandResult> {
  return start(stack, args).result;
}

function statuses(emulator: Emulator, method: string): readonly (number | undefined)[] {
  return emulator.requestsFor(ID, method).map(({ status }) => status);
}
