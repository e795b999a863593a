import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { type CommandResult, type RunningCommand, startCommand } from "../commands.js";
import { withoutKonnectAndPulumi } from "../environment.js";
import { type Adopted, adoptedState } from "./adopted-state.js";
import type { StackState } from "./checkpoint.js";
import { createStoredStack } from "./file-backend.js";
import { killPlugins } from "./plugins.js";

/** What a stack is made of. */
export interface LocalStackOptions {
  /** The environment in which `pulumi` is found. The variables of Pulumi and Konnect in it are not used. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder of a Pulumi program, which is copied; or its files by path. */
  readonly program: string | Readonly<Record<string, string>>;
  /** The folder of the packages that the program may use, which is linked. Default: none. */
  readonly nodeModules?: string;
  /** The time limit of each command. Default: 15 minutes. */
  readonly timeoutMs?: number;
  /** Stops what runs when it aborts. With it, Ctrl-C in the terminal does not reach `pulumi` directly. */
  readonly signal?: AbortSignal;
}

/** A stack in a file backend, in a folder of its own. Nothing of the user's own Pulumi is read or written. */
export interface LocalStack {
  /** The folder of the program. */
  readonly folder: string;
  /** The environment in which `pulumi` runs. */
  readonly env: NodeJS.ProcessEnv;
  /** The path of the state file. */
  readonly stateFile: string;
  /** Runs `pulumi` to its end. Does not reject because of an exit code. */
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** Starts `pulumi`. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): RunningCommand;
  /** Writes a file of the program. */
  write(file: string, text: string): void;
  /** Reads the state from its file. */
  state(): Promise<StackState>;
  /** Replaces the state by an earlier one: by the `text` of what `state` returned. */
  writeState(text: string): Promise<void>;
  /** Replaces the state by one that holds control planes and sets as adopted at an address. */
  writeAdopted(baseUrl: string, adopted: Adopted): Promise<void>;
  /** Kills what still runs in the stack's folder, and deletes the folder. */
  remove(): void;
}

const STACK = "dev";

/** Creates a stack named `dev`, without a run of the CLI. */
export function createLocalStack(options: LocalStackOptions): LocalStack {
  const { env, program, nodeModules, timeoutMs, signal } = options;
  // The dynamic-provider host compares this path with what Node makes of it, so links in it must be resolved.
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "control-planes-")));
  const folder = path.join(root, "program");
  for (const part of ["program", "backend", "home"]) mkdirSync(path.join(root, part));
  if (typeof program === "string") cpSync(program, folder, { recursive: true, filter: isSource });
  else for (const [file, text] of Object.entries(program)) writeInto(folder, file, text);
  if (nodeModules !== undefined) symlinkSync(nodeModules, path.join(folder, "node_modules"), "dir");
  const project = projectName(folder);
  const stored = createStoredStack(path.join(root, "backend"), project, STACK);

  const stackEnv = {
    ...withoutKonnectAndPulumi(env),
    PULUMI_BACKEND_URL: `file://${path.join(root, "backend")}`,
    PULUMI_HOME: path.join(root, "home"),
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_STACK: STACK,
  };
  const running = new Set<RunningCommand>();
  const start = (args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const command = startCommand("pulumi", args, {
      cwd: folder,
      env: { ...stackEnv, ...more },
      ...(timeoutMs !== undefined && { timeoutMs }),
      signal,
      ownGroup: signal !== undefined,
    });
    running.add(command);
    return command;
  };
  return {
    folder,
    env: stackEnv,
    stateFile: stored.file,
    start,
    run: (args, more) => start(args, more).result,
    write: (file, text) => writeInto(folder, file, text),
    state: () => stored.read(),
    writeState: (text) => stored.write(text),
    writeAdopted: (baseUrl, adopted) => stored.write(adoptedState(project, STACK, baseUrl, adopted)),
    remove() {
      for (const command of running) if (!command.hasEnded()) command.kill("SIGKILL");
      killPlugins(folder);
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function projectName(folder: string): string {
  const project = parse(readFileSync(path.join(folder, "Pulumi.yaml"), "utf8")) as { name?: unknown } | null;
  if (typeof project?.name !== "string") throw new Error("the program's Pulumi.yaml has no name");
  return project.name;
}

function writeInto(folder: string, file: string, text: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** Returns whether a file belongs to a program itself, and was not installed, built or configured into it. */
function isSource(file: string): boolean {
  const name = path.basename(file);
  return !["node_modules", "dist"].includes(name) && !/^Pulumi\..+\.yaml$/.test(name);
}
