import { spawn } from "node:child_process";

/** How a command ended, and what it printed. */
export interface CommandResult {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they came. */
  readonly output: string;
  readonly elapsedMs: number;
}

/** A command under way. */
export interface RunningCommand {
  readonly pid: number;
  readonly result: Promise<CommandResult>;
  /** What it has printed so far. */
  readonly output: string;
  kill(signal: NodeJS.Signals): void;
  /** Calls back with each piece of output as it comes. */
  onOutput(listener: (text: string) => void): void;
}

/** Starts a command without standard input, and collects what it prints. */
export function startCommand(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): RunningCommand {
  const startedMs = performance.now();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "", output: "" };
  const listeners: ((text: string) => void)[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      printed.output += text;
      for (const listener of listeners) listener(text);
    });
  }
  const result = new Promise<CommandResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ ...printed, exitCode: code ?? undefined, elapsedMs: performance.now() - startedMs });
    });
  });
  return {
    pid: child.pid ?? 0,
    result,
    get output() {
      return printed.output;
    },
    kill: (signal) => child.kill(signal),
    onOutput: (listener) => listeners.push(listener),
  };
}
