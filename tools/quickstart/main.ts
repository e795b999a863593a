import path from "node:path";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { createLocalStack, type LocalStack } from "../local-stack/index.js";
import { rootProject } from "../local-stack/root-project.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { ROOT } from "../repository.js";
import { renderOutcomes } from "./outcome-table.js";

// Shows what the provider is for: the real CLI adopts and destroys five control planes on an emulator of the service, and
// each of them meets other answers. It writes only to a temporary folder and to the cache of the CLI.

const TOKEN = "spat_quickstart";
const COMMAND_TIMEOUT_MS = 180_000;

const PLANES = [
  { name: "payments", id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", fate: "is deleted at once" },
  { name: "orders", id: "4d1c7a52-93b8-4f0e-8c67-51e0d2a9b3f4", fate: "answers 503 twice" },
  { name: "legacy", id: "72e9b0d4-16fc-4b3a-a5d8-0c84e7f1926b", fate: "is deleted by hand after step 1" },
  { name: "search", id: "a85f3e07-c24d-4691-b7e2-9d6018c5fa3e", fate: "answers 429 with Retry-After: 2" },
  { name: "audit", id: "e3107b9c-48a6-4d5f-92c1-7fb6a05d8e24", fate: "may not be deleted with this token" },
];

const DESTROY = "destroy --yes --skip-preview --continue-on-error";

const idOf = (name: string) => PLANES.find((plane) => plane.name === name)?.id ?? "";

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  stopped.throwIfAborted();
  const stack = createLocalStack({
    env: cliEnvironment(cli, process.env),
    program: rootProject({ controlPlanes: PLANES.map(({ id, name }) => ({ id, name })) }),
    nodeModules: path.join(ROOT, "node_modules"),
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal: stopped,
  });
  try {
    say(
      `Pulumi ${cli.version} (${cli.source}), a local file backend, and an emulator of the service with five control planes:`,
    );
    for (const { name, fate } of PLANES) console.log(`  ${name.padEnd(10)}${fate}`);
    await withEmulator((emulator) => tearDown(emulator, stack));
  } finally {
    stack.remove();
  }
  say(
    "The folder of this run is removed. “Use it” in README.md shows how to do the same with the real service.",
  );
}

async function withEmulator(work: (emulator: Emulator) => Promise<void>): Promise<void> {
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-ci", deny: { delete: [idOf("audit")] } } },
    controlPlanes: PLANES.map(({ id, name }) => ({ id, name })),
  });
  try {
    await work(emulator);
  } finally {
    await emulator.close();
  }
}

async function tearDown(emulator: Emulator, stack: LocalStack): Promise<void> {
  say(
    "1. Adopt them: nothing is written to the service. Pulumi shows each adoption as created, and counts the stack itself.",
  );
  await pulumi(stack, emulator, "up --yes --skip-preview", 0);

  emulator.remove(idOf("legacy"));
  emulator.script({ method: "DELETE", id: idOf("orders") }, { status: 503, times: 2 });
  emulator.script(
    { method: "DELETE", id: idOf("search") },
    { status: 429, headers: { "retry-after": "2" }, body: { message: "API rate limit exceeded" } },
  );

  say("2. Destroy: retries as they happen, and one refusal. The exit code is 1, so that a pipeline notices.");
  await pulumi(stack, emulator, DESTROY, 1);
  const { resources } = await stack.state();
  const kept = resources.map(({ urn }) => urn.split("::").at(-1));
  say(`3. Still in the state: ${kept.join(", ")}. The role is granted, and the same command runs again.`);
  emulator.grant(TOKEN, { name: "sa-ci" });
  await pulumi(stack, emulator, DESTROY, 0);

  say("The outcome, from the emulator's request log:");
  const rows = PLANES.map(({ id, name }) => ({ name, requests: emulator.requestsFor(id, "DELETE") }));
  console.log(renderOutcomes(rows));
  if (emulator.controlPlanes.size > 0) throw new Error("control planes are left in the service");
}

/** Runs `pulumi` and prints its output as it arrives. Rejects when it ends with another exit code. */
async function pulumi(
  stack: LocalStack,
  emulator: Emulator,
  args: string,
  expectedExitCode: number,
): Promise<void> {
  console.log(`$ pulumi ${args}`);
  const command = stack.start([...args.split(" "), "--non-interactive"], {
    KONNECT_SPAT: TOKEN,
    KONNECT_SERVER_URL: emulator.baseUrl,
  });
  command.onOutput((text) => process.stdout.write(text));
  const { exitCode, signal } = await command.result;
  if (exitCode !== expectedExitCode) {
    throw new Error(`pulumi ended with ${String(exitCode ?? signal)}, not with ${expectedExitCode}`);
  }
}

function say(text: string): void {
  console.log(`\n${text}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
