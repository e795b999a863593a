import path from "node:path";
import { styleText } from "node:util";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { type RunningCommand, startCommand } from "../commands.js";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { createLocalStack, type LocalStack } from "../local-stack/index.js";
import { rootProject } from "../local-stack/root-project.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { ROOT } from "../repository.js";

// Shows a night of clean-up: the real CLI selects stale control planes on an emulator of the service, and destroys them
// while each meets other answers. It writes only to a temporary folder and to the cache of the CLI.

const TOKEN = "spat_quickstart";
const COMMAND_TIMEOUT_MS = 180_000;

const PREVIEW = { env: "preview" };

const STALE = [
  { name: "payments", id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", fate: "is deleted at once" },
  { name: "orders", id: "4d1c7a52-93b8-4f0e-8c67-51e0d2a9b3f4", fate: "answers 503 twice" },
  { name: "legacy", id: "72e9b0d4-16fc-4b3a-a5d8-0c84e7f1926b", fate: "is deleted by hand after step 1" },
  { name: "search", id: "a85f3e07-c24d-4691-b7e2-9d6018c5fa3e", fate: "answers 429 with Retry-After: 2" },
  { name: "audit", id: "e3107b9c-48a6-4d5f-92c1-7fb6a05d8e24", fate: "may not be deleted with this token" },
];

const KEPT = [
  {
    name: "production",
    labels: { env: "production" },
    age: "20w",
    fate: "stays: its label is env=production",
  },
  { name: "new", labels: PREVIEW, age: "2h", fate: "stays: it is two hours old" },
];

const UP = "up --yes --skip-preview";
const DESTROY = "destroy --yes --skip-preview --continue-on-error";
const REPORT_FILE = "night.jsonl";
const COMMAND_LINE = path.join(ROOT, "provider/bin/pulumi-konnect-control-planes.mjs");

const idOf = (name: string) => STALE.find((plane) => plane.name === name)?.id ?? "";

/** Pulumi prints to a pipe here, so it has to be told that the reader sees colors. */
const COLOR = process.stdout.isTTY ? process.stdout.hasColors() : (process.env.FORCE_COLOR ?? "") !== "";

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  stopped.throwIfAborted();
  const stack = createLocalStack({
    env: cliEnvironment(cli, process.env),
    program: rootProject({ select: { labels: PREVIEW, olderThan: "7d" } }),
    nodeModules: path.join(ROOT, "node_modules"),
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal: stopped,
  });
  try {
    say(
      `Pulumi ${cli.version} (${cli.source}), a local file backend, and an emulator of the service with these control planes:`,
    );
    for (const { name, fate } of [...STALE, ...KEPT]) console.log(`  ${name.padEnd(12)}${fate}`);
    await withEmulator((emulator) => tearDown(emulator, stack));
  } finally {
    stack.remove();
  }
  console.log(
    "The folder of this run is removed. “Installation” in README.md shows how to do the same with the real service.",
  );
}

async function withEmulator(work: (emulator: Emulator) => Promise<void>): Promise<void> {
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-ci", deny: { delete: [idOf("audit")] } } },
    controlPlanes: [
      ...STALE.map(({ id, name }) => ({ id, name, labels: PREVIEW, age: "9d" })),
      ...KEPT.map(({ name, labels, age }) => ({ name, labels, age })),
    ],
  });
  try {
    await work(emulator);
  } finally {
    await emulator.close();
  }
}

async function tearDown(emulator: Emulator, stack: LocalStack): Promise<void> {
  const env = {
    ...stack.env,
    KONNECT_SPAT: TOKEN,
    KONNECT_SERVER_URL: emulator.baseUrl,
    KONNECT_REPORT_FILE: REPORT_FILE,
  };
  const usual = ["--non-interactive", `--color=${COLOR ? "always" : "never"}`];
  const pulumi = (args: string, exitCode: number) =>
    show(`pulumi ${args}`, stack.start([...args.split(" "), ...usual], env), exitCode);
  const konnect = (args: string, exitCode: number) => {
    const options = {
      cwd: stack.folder,
      env,
      timeoutMs: COMMAND_TIMEOUT_MS,
      signal: stopped,
      ownGroup: true,
    };
    const command = startCommand(process.execPath, [COMMAND_LINE, ...args.split(" ")], options);
    return show(`npx pulumi-konnect-control-planes ${args}`, command, exitCode);
  };

  say(
    "1. Select what is labeled env=preview and older than seven days, and record it as one set. Nothing is deleted.",
  );
  await pulumi(UP, 0);
  emulator.remove(idOf("legacy"));
  emulator.script({ method: "DELETE", id: idOf("orders") }, { status: 503, times: 2 });
  emulator.script(
    { method: "DELETE", id: idOf("search") },
    { status: 429, headers: { "retry-after": "2" }, body: { message: "API rate limit exceeded" } },
  );
  say("2. Plan: what a destroy would delete.");
  await konnect("plan", 0);
  say("3. Destroy: retries as they happen, and one refusal. The exit code is 1, so that a pipeline notices.");
  await pulumi(DESTROY, 1);
  say("4. Report: what is gone, what is left, and why. Its exit code is 1, too.");
  await konnect(`report ${REPORT_FILE}`, 1);

  const left = [...emulator.controlPlanes.values()].map(({ name }) => name);
  say(`Left in the service: ${left.join(", ")}. The next night tries audit again.`);
  if (left.length !== KEPT.length + 1) throw new Error("the wrong control planes are left in the service");
}

/** Prints the output of a command as it arrives. Rejects when it ends with another exit code. */
async function show(title: string, command: RunningCommand, expectedExitCode: number): Promise<void> {
  console.log(COLOR ? styleText("bold", `$ ${title}`) : `$ ${title}`);
  command.onOutput((text) => process.stdout.write(text));
  const { exitCode, signal } = await command.result;
  if (exitCode !== expectedExitCode) {
    throw new Error(`${title} ended with ${String(exitCode ?? signal)}, not with ${expectedExitCode}`);
  }
}

function say(text: string): void {
  console.log(`\n${text}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
