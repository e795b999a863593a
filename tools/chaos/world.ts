import path from "node:path";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { startCommand } from "../commands.js";
import {
  type Adopted,
  type CommandResult,
  createLocalStack,
  type LocalStack,
  type RunningCommand,
  type StackState,
} from "../local-stack/index.js";
import { ROOT } from "../repository.js";
import type { Plan } from "./plan.js";
import { bystanderId, planeId, type Size, TOKEN } from "./setting.js";

/** Any program does: a plain destroy does not run it. */
const PROGRAM = {
  "Pulumi.yaml": "name: chaos\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "chaos", private: true }),
  "index.js": "",
};

/** The service and the stack of one run, and everything that the CLI has printed. */
export interface World {
  readonly emulator: Emulator;
  readonly stack: LocalStack;
  readonly planes: readonly string[];
  readonly bystanders: readonly string[];
  /** The commands and their output, in order. */
  readonly transcript: readonly string[];
  start(args: readonly string[], disk?: "full disk"): RunningCommand;
  run(args: readonly string[]): Promise<CommandResult>;
  /** Reads the state, and keeps a copy for `restoreState`. Rejects when the state is cut off. */
  saveState(): Promise<StackState>;
  /** Imports the copy that was kept last, with the CLI. */
  restoreState(): Promise<void>;
  /** Lets the planned events happen when their requests have come. Returns the function that stops this. */
  playEvents(): () => void;
}

/** Creates the service of one run, with the planned faults, and a stack that has adopted its control planes. */
export async function createWorld(plan: Plan, size: Size, env: NodeJS.ProcessEnv): Promise<World> {
  const planes = Array.from({ length: size.planes }, (_, n) => planeId(n + 1));
  const bystanders = Array.from({ length: size.bystanders }, (_, n) => bystanderId(n + 1));
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-chaos" } },
    controlPlanes: [...planes, ...bystanders].map((id) => ({ id, name: id.slice(-6) })),
    latencyMs: plan.latencyMs,
  });
  for (const { plane, fault } of plan.faults) {
    emulator.script({ method: "DELETE", id: planeId(plane) }, fault);
  }
  const stack = createLocalStack({ env, program: PROGRAM, nodeModules: path.join(ROOT, "node_modules") });
  const settings = {
    KONNECT_SPAT: TOKEN,
    KONNECT_CONCURRENCY: String(plan.concurrency),
    // A request without an answer takes this long.
    KONNECT_REQUEST_TIMEOUT_SECONDS: "2",
    ...(plan.skipCheckpoints && { PULUMI_SKIP_CHECKPOINTS: "true" }),
  };
  const transcript: string[] = [];
  const start = (args: readonly string[], disk?: "full disk") => {
    const allArgs = [...args, "--non-interactive"];
    const command = disk ? startOnFullDisk(stack, allArgs, settings) : stack.start(allArgs, settings);
    void command.result.then(({ exitCode, output, elapsedMs }) =>
      transcript.push(
        `$ pulumi ${args.join(" ")}\n${output}\nexit code ${exitCode ?? "none"} after ${Math.round(elapsedMs)} ms\n`,
      ),
    );
    return command;
  };
  const restoreState = async () => {
    const imported = await stack.run(["stack", "import", "--file", "state.json", "--non-interactive"]);
    if (imported.exitCode !== 0) throw new Error(`pulumi stack import failed:\n${imported.output}`);
  };
  const saveState = async () => {
    const state = await stack.state();
    stack.write("state.json", state.exported);
    return state;
  };
  await stack.writeAdopted(emulator.baseUrl, adoptAll(planes, plan));
  await saveState();
  return {
    emulator,
    stack,
    planes,
    bystanders,
    transcript,
    start,
    run: (args) => start(args).result,
    saveState,
    restoreState,
    playEvents: () => playEvents(emulator, plan),
  };
}

/** So long ago that a 404 needs no second look. */
const CREATED_AT = "2026-01-01T00:00:00Z";

/** Returns a state that holds control planes as resources of their own, or in a number of sets. */
function adoptAll(planes: readonly string[], { sets, created }: Plan): Adopted {
  const named = planes.map((id) => ({ id, name: id.slice(-6) }));
  if (sets === 0) {
    return {
      controlPlanes: named.map(({ id, name }, index) => ({
        resource: `plane-${index + 1}`,
        id,
        name,
        ...(created ? { inputs: { name }, createdAt: CREATED_AT } : { inputs: { controlPlaneId: id } }),
      })),
    };
  }
  return {
    sets: Array.from({ length: sets }, (_, nth) => ({
      resource: `set-${nth + 1}`,
      members: named.filter((_, index) => index % sets === nth),
    })),
  };
}

/**
 * Starts `pulumi` with a limit on the size of files. That stands for a disk with room for a lock and not for the state, and
 * needs no privilege.
 */
function startOnFullDisk(
  stack: LocalStack,
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
): RunningCommand {
  return startCommand("sh", ["-c", 'ulimit -f 8; exec pulumi "$@"', "sh", ...args], {
    cwd: stack.folder,
    env: { ...stack.env, ...settings },
  });
}

function playEvents(emulator: Emulator, plan: Plan): () => void {
  let toCome = [...plan.events];
  const timer = setInterval(() => {
    const due = toCome.filter(({ afterRequests }) => emulator.requests.length >= afterRequests);
    toCome = toCome.filter((event) => !due.includes(event));
    for (const event of due) {
      if (event.kind === "outage") {
        emulator.script({ method: "DELETE" }, { status: 503, times: event.requests });
      } else emulator.remove(planeId(event.plane));
    }
  }, 10);
  return () => clearInterval(timer);
}
