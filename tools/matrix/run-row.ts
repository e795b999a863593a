import assert from "node:assert/strict";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import type { CommandResult, RunningCommand } from "../local-stack/command.js";
import { createLocalStack, type LocalStack } from "../local-stack/index.js";
import { providerExecutables } from "./processes.js";
import type { Installation } from "./installation.js";
import { packagesFolder, programFiles } from "./programs.js";
import type { Row } from "./rows.js";
import type { NodeVersion } from "./toolchain.js";

const TOKEN = "spat_matrix";
const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const COMMAND_TIMEOUT_MS = 120_000;

/** An interrupted destroy that ends later than this has not seen that it was interrupted. */
const INTERRUPT_MS = 5_000;

/** What a row runs with. */
export interface RowOptions {
  readonly row: Row;
  readonly node: NodeVersion;
  readonly installation: Installation;
  /** Environment in which `pulumi` is found. */
  readonly env: NodeJS.ProcessEnv;
}

/** One life of a stack, under way. */
interface Life {
  readonly stack: LocalStack;
  readonly emulator: Emulator;
  readonly node: NodeVersion;
}

/**
 * Runs `up`, a `destroy` that is interrupted, and a `destroy` with one 503 in between. Gives the time from the signal
 * to the end of the interrupted one; throws when anything is not as it has to be.
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
  { row: { program: kind, main }, node, installation, env }: RowOptions,
  emulator: Emulator,
  work: (stack: LocalStack) => Promise<T>,
): Promise<T> {
  const files = programFiles({ kind, main, manifest: installation.manifest, controlPlaneId: ID });
  // The address comes by stack configuration: passing it on is the host's part.
  const config = { config: { "konnect:baseUrl": emulator.baseUrl } };
  const stack = await createLocalStack({
    env: { ...env, PATH: [node.binDir, env.PATH].join(path.delimiter) },
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

/** Interrupts a destroy that waits for a minute. */
async function destroyInterrupted({ stack, emulator, node }: Life): Promise<number> {
  emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "60" } });
  const destroy = start(stack, "destroy --yes --skip-preview");
  await printed(destroy, /503, retry 2 of 10/);
  for (const executable of providerExecutables(stack.folder)) {
    assert.equal(path.dirname(executable), node.binDir, "the Node of the provider");
  }
  const startedMs = performance.now();
  destroy.kill("SIGINT");
  const early = await Promise.race([destroy.result, delay(INTERRUPT_MS, undefined)]);
  if (early === undefined) {
    // The second signal ends it whatever the provider does.
    destroy.kill("SIGINT");
    const { output } = await destroy.result;
    throw new Error(`the interrupt was not observed\n${output}`);
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
  const { deployment } = JSON.parse((await stack.state()).text) as { deployment: Record<string, unknown> };
  assert.deepEqual([deployment.resources ?? [], deployment.pending_operations ?? []], [[], []], "the state");
}

function start(stack: LocalStack, args: string): RunningCommand {
  const command = stack.start([...args.split(" "), "--non-interactive"], { KONNECT_SPAT: TOKEN });
  const timer = setTimeout(() => command.kill("SIGKILL"), COMMAND_TIMEOUT_MS);
  void command.result.finally(() => clearTimeout(timer));
  return command;
}

function pulumi(stack: LocalStack, args: string): Promise<CommandResult> {
  return start(stack, args).result;
}

/** Waits until a command has printed what a pattern says, and fails when it ends without. */
async function printed(command: RunningCommand, pattern: RegExp): Promise<void> {
  const ended = new AbortController();
  void command.result.then(() => ended.abort());
  while (!pattern.test(command.output)) {
    if (ended.signal.aborted) throw new Error(`not printed: ${String(pattern)}\n${command.output}`);
    await delay(20);
  }
}

function statuses(emulator: Emulator, method: string): readonly (number | undefined)[] {
  return emulator.requestsFor(ID, method).map(({ status }) => status);
}
