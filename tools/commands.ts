import { StringDecoder } from "node:string_decoder";
import { execa } from "execa";

/** Longer than any command of a test may take. */
const DEFAULT_TIMEOUT_MS = 15 * 60_000;

/** Longer than Pulumi needs to end a run in good order. */
const DEFAULT_KILL_AFTER_MS = 10_000;

/** How to run a command. */
export interface CommandOptions {
  /** The working directory. Default: that of this process. */
  readonly cwd?: string;
  /** The whole environment: the command inherits nothing from this process. */
  readonly env: NodeJS.ProcessEnv;
  /** The time after which the command is stopped. Default: 15 minutes. */
  readonly timeoutMs?: number;
  /** Stops the command when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** The time that a stopped command gets to end by itself, before it is killed. Default: 10 seconds. */
  readonly killAfterMs?: number;
  /**
   * Whether the command gets a process group of its own (not on Windows). Then a stop reaches everything that it has
   * started, and Ctrl-C in the terminal does not reach it. Default: false.
   */
  readonly ownGroup?: boolean;
}

/** How a command ended, and what it printed. */
export interface CommandResult {
  /** Undefined when a signal ended the command. */
  readonly exitCode: number | undefined;
  /** The signal that ended the command, or undefined when it exited. */
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output and standard error together, in the order in which they arrived. */
  readonly output: string;
  readonly elapsedMs: number;
}

/** A command that has been started. */
export interface RunningCommand {
  /**
   * Resolves when the command has ended and its output is closed. Rejects when it could not be started, and when it was
   * stopped by its time limit or its abort signal. Does not reject because of an exit code or another signal.
   */
  readonly result: Promise<CommandResult>;
  /** What the command has printed so far. */
  readonly output: string;
  /** Returns whether the command has ended. */
  hasEnded(): boolean;
  /** Sends a signal to the command alone. */
  kill(signal: NodeJS.Signals): void;
  /** Sends a signal to the command and to everything that it has started. Needs a process group of its own. */
  killGroup(signal: NodeJS.Signals): void;
  /** Calls back with each piece of output as it arrives. */
  onOutput(listener: (text: string) => void): void;
}

/** Starts a command without standard input, and collects what it prints. */
export function startCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): RunningCommand {
  const { cwd, env, signal, timeoutMs = DEFAULT_TIMEOUT_MS, killAfterMs = DEFAULT_KILL_AFTER_MS } = options;
  const ownGroup = options.ownGroup === true && process.platform !== "win32";
  const startedMs = performance.now();
  const child = execa(command, args, {
    ...(cwd !== undefined && { cwd }),
    env,
    extendEnv: false,
    stdin: "ignore",
    buffer: false,
    reject: false,
    detached: ownGroup,
    // Execa would kill the command five seconds after a SIGTERM. `killAfterMs` says when that is due.
    forceKillAfterDelay: false,
  });
  const printed = { stdout: "", stderr: "", output: "" };
  const listeners: ((text: string) => void)[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    const decoder = new StringDecoder("utf8");
    child[name].on("data", (chunk: Buffer) => {
      const text = decoder.write(chunk);
      printed[name] += text;
      printed.output += text;
      for (const listener of listeners) listener(text);
    });
  }

  const send = (name: NodeJS.Signals) => {
    if (ownGroup) signalGroup(child.pid, name);
    else child.kill(name);
  };
  const kill = () => {
    send("SIGKILL");
    // A process that has left the group may still hold the output open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const watch = stopWhenDue({ timeoutMs, killAfterMs, signal }, () => send("SIGINT"), kill);
  // Execa does the same for a command without a group of its own.
  if (ownGroup) process.once("exit", kill);
  let ended = false;
  const finish = async (): Promise<CommandResult> => {
    const { exitCode, signal: endedBy, shortMessage } = await child;
    ended = true;
    process.off("exit", kill);
    const stopped = watch.end();
    if (stopped !== undefined) throw new Error(stopped);
    if (exitCode === undefined && endedBy === undefined) throw new Error(shortMessage);
    return { ...printed, exitCode, signal: endedBy, elapsedMs: performance.now() - startedMs };
  };
  return {
    result: finish(),
    get output() {
      return printed.output;
    },
    hasEnded: () => ended,
    kill: (name) => void child.kill(name),
    killGroup: (name) => {
      if (!ownGroup) throw new Error("the command has no process group of its own");
      signalGroup(child.pid, name);
    },
    onOutput: (listener) => listeners.push(listener),
  };
}

/**
 * Runs a command in a process group of its own and returns its standard output.
 *
 * Rejects with one line that says why the command failed: its last line of output, or how it ended.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: Omit<CommandOptions, "ownGroup">,
): Promise<string> {
  options.signal?.throwIfAborted();
  const result = await startCommand(command, args, { ...options, ownGroup: true }).result;
  if (result.exitCode === 0) return result.stdout;
  const { stdout, stderr, exitCode, signal } = result;
  throw new Error(lastLine(stderr) ?? lastLine(stdout) ?? `it ended with ${String(exitCode ?? signal)}`);
}

/** Calls `stop` when the time is up or the signal aborts, and `kill` when the watch has not ended by then. */
function stopWhenDue(
  limits: { timeoutMs: number; killAfterMs: number; signal: AbortSignal | undefined },
  stop: () => void,
  kill: () => void,
): { end: () => string | undefined } {
  const { timeoutMs, killAfterMs, signal } = limits;
  let reason: string | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const stopBecause = (why: string) => {
    if (reason !== undefined) return;
    reason = why;
    stop();
    killTimer = setTimeout(kill, killAfterMs);
  };
  const onAbort = () => stopBecause("interrupted");
  const timer = setTimeout(() => stopBecause(`no end after ${timeoutMs / 1_000} s`), timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return {
    /** Ends the watch. Returns why the command was stopped, or undefined. */
    end: () => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      signal?.removeEventListener("abort", onAbort);
      return reason;
    },
  };
}

function signalGroup(leader: number | undefined, name: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    // The group exists for as long as any process in it, even when its leader has ended.
    process.kill(-leader, name);
  } catch {
    // The group has ended in the meantime.
  }
}

/** Returns the last line of a text, joined with the indented lines that continue it, or undefined when it is blank. */
function lastLine(text: string): string | undefined {
  const end = /[^\n]*(\n[ \t]+[^\n]*)*$/.exec(text.trimEnd())?.[0] ?? "";
  const line = end.replace(/\s*\n\s*/g, " ").trim();
  return line === "" ? undefined : line;
}
