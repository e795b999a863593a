import path from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { startCommand } from "../commands.js";
import {
  type CommandResult,
  createLocalStack,
  type LocalStack,
  type RunningCommand,
  type StackState,
} from "../local-stack/index.js";
import { ROOT } from "../repository.js";
import { bystanderId, planeId, TOKEN } from "./setting.js";

/** The service and the stack of one run, and everything that the CLI has printed. */
export interface Arena {
  readonly emulator: Emulator;
  readonly stack: LocalStack;
  /** The control planes that are in the service, and not in the stack. */
  readonly bystanders: readonly string[];
  /** The commands and their output, in order. */
  readonly transcript: readonly string[];
  start(args: readonly string[], disk?: "full disk"): RunningCommand;
  run(args: readonly string[]): Promise<CommandResult>;
  /** Reads the state, and keeps a copy for `restoreState`. Rejects when the state is cut off. */
  saveState(): Promise<StackState>;
  /** Imports the copy that was kept last, with the CLI. */
  restoreState(): Promise<void>;
}

/** The folder for temporary files, in the folder of the stack. */
export const TEMPORARY_FOLDER = "tmp";

/** What differs between arenas. */
export interface ArenaOptions {
  readonly program: Readonly<Record<string, string>>;
  /** The number of control planes that exist, and that the stack is to hold. */
  readonly planes: number;
  readonly bystanders: number;
  readonly service: Omit<EmulatorOptions, "tokens" | "controlPlanes">;
  /** The environment of each command, besides the token. */
  readonly settings: NodeJS.ProcessEnv;
  readonly env: NodeJS.ProcessEnv;
}

/** Creates a service with its control planes, and an empty stack. */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  const bystanders = Array.from({ length: options.bystanders }, (_, n) => bystanderId(n + 1));
  const planes = Array.from({ length: options.planes }, (_, n) => planeId(n + 1));
  const emulator = await startEmulator({
    ...options.service,
    tokens: { [TOKEN]: { name: "sa-chaos" } },
    controlPlanes: [...planes, ...bystanders].map((id) => ({ id, name: id.slice(-6) })),
  });
  const stack = createLocalStack({
    env: options.env,
    program: options.program,
    nodeModules: path.join(ROOT, "node_modules"),
  });
  const settings = {
    KONNECT_SPAT: TOKEN,
    KONNECT_SERVER_URL: emulator.baseUrl,
    TMPDIR: path.join(stack.folder, TEMPORARY_FOLDER),
    ...options.settings,
  };
  stack.write(path.join(TEMPORARY_FOLDER, "README"), "The provider shares its ledgers here.\n");
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
  return {
    emulator,
    stack,
    bystanders,
    transcript,
    start,
    run: (args) => start(args).result,
    async saveState() {
      const state = await stack.state();
      stack.write("state.json", state.exported);
      return state;
    },
    async restoreState() {
      const imported = await stack.run(["stack", "import", "--file", "state.json", "--non-interactive"]);
      if (imported.exitCode !== 0) throw new Error(`pulumi stack import failed:\n${imported.output}`);
    },
  };
}

/** Returns settings that let a run end soon, and the two of Pulumi that let it write the state only at the end. */
export function settingsOf(plan: {
  readonly concurrency: number;
  readonly skipCheckpoints: boolean;
}): NodeJS.ProcessEnv {
  return {
    KONNECT_CONCURRENCY: String(plan.concurrency),
    // A request without an answer takes this long.
    KONNECT_REQUEST_TIMEOUT_SECONDS: "2",
    ...(plan.skipCheckpoints && { PULUMI_EXPERIMENTAL: "1", PULUMI_SKIP_CHECKPOINTS: "1" }),
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
