import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type RunningCommand, startCommand, type CommandResult } from "./command.js";
import { parseState, type StoredResource } from "./state.js";

export type { CommandResult, RunningCommand } from "./command.js";
export type { StoredResource } from "./state.js";

/** What a stack is made of. */
export interface LocalStackOptions {
  /** Environment in which `pulumi` is found; everything of the user's own Pulumi and settings is taken out of it. */
  readonly env: NodeJS.ProcessEnv;
  /** Folder of a Pulumi program, copied; or its files by path. */
  readonly program: string | Readonly<Record<string, string>>;
  /** Folder whose packages the program may use: a link leads to it. Without it, packages are the caller's care. */
  readonly nodeModules?: string;
}

/** A stack on a file backend in a folder of its own: nothing of the user's own Pulumi is read or written. */
export interface LocalStack {
  /** Folder of the program. */
  readonly folder: string;
  /** Environment in which `pulumi` runs. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs `pulumi` to its end. Never rejects for an exit code. */
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** Starts `pulumi` and gives control over it. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): RunningCommand;
  /** Writes a file of the program. */
  write(file: string, text: string): void;
  /** Gives the state as it is stored: its text, its resources, and operations that did not end. */
  state(): Promise<{ text: string; resources: readonly StoredResource[]; pending: number }>;
  /** Removes everything. */
  remove(): void;
}

const STACK = "dev";

/** Makes a stack named `dev`. */
export async function createLocalStack({
  env,
  program,
  nodeModules,
}: LocalStackOptions): Promise<LocalStack> {
  // The real path: the host compares it with what Node makes of it.
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "control-planes-")));
  const folder = path.join(root, "program");
  for (const part of ["program", "backend", "home"]) mkdirSync(path.join(root, part));
  if (typeof program === "string") cpSync(program, folder, { recursive: true, filter: isSource });
  else for (const [file, text] of Object.entries(program)) writeInto(folder, file, text);
  if (nodeModules !== undefined) symlinkSync(nodeModules, path.join(folder, "node_modules"), "dir");

  const stackEnv = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(PULUMI|KONNECT)_/.test(name))),
    PULUMI_BACKEND_URL: `file://${path.join(root, "backend")}`,
    PULUMI_HOME: path.join(root, "home"),
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_STACK: STACK,
  };
  const start = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    startCommand("pulumi", args, { cwd: folder, env: { ...stackEnv, ...more } });
  const run = (args: readonly string[], more?: NodeJS.ProcessEnv) => start(args, more).result;

  const made = await run(["stack", "init", STACK, "--non-interactive"]);
  if (made.exitCode !== 0) throw new Error(`pulumi stack init failed:\n${made.output}`);
  return {
    folder,
    env: stackEnv,
    start,
    run,
    write: (file, text) => writeFileSync(path.join(folder, file), text),
    async state() {
      const exported = await run(["stack", "export"]);
      if (exported.exitCode !== 0) throw new Error(`pulumi stack export failed:\n${exported.output}`);
      return parseState(exported.stdout);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function writeInto(folder: string, file: string, text: string): void {
  const at = path.join(folder, file);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, text);
}

function isSource(file: string): boolean {
  return (
    !["node_modules", "dist"].includes(path.basename(file)) && !/^Pulumi\..+\.yaml$/.test(path.basename(file))
  );
}
