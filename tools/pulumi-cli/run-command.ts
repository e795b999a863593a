import { spawn, type ChildProcess } from "node:child_process";

const KILL_AFTER_MS = 3_000;
const KEPT_OUTPUT_CHARACTERS = 20_000;

/** How to run a command; times in milliseconds. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Runs a command to its end and answers its standard output; its failure is one line that says why. */
export function runCommand(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted();
    // A process group of its own: a stop reaches the compilers and downloads that the command has started, too.
    const detached = process.platform !== "win32";
    const { cwd, env } = options;
    const child = spawn(command, args, {
      ...(cwd && { cwd }),
      env,
      detached,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (output.stdout = keepEnd(output.stdout + chunk.toString())));
    child.stderr.on("data", (chunk: Buffer) => (output.stderr = keepEnd(output.stderr + chunk.toString())));
    let stopped: string | undefined;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (reason: string): void => {
      stopped ??= reason;
      stopGroup(child, "SIGINT");
      killTimer ??= setTimeout(() => stopGroup(child, "SIGKILL"), KILL_AFTER_MS);
    };
    const onAbort = (): void => stop("interrupted");
    const timer = setTimeout(() => stop(`no end after ${options.timeoutMs / 1000} s`), options.timeoutMs);
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const settle = (failure: string | undefined): void => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      options.signal?.removeEventListener("abort", onAbort);
      if (failure === undefined) resolve(output.stdout);
      else reject(new Error(failure));
    };
    child.on("error", (error) => settle(error.message));
    child.on("close", (code, killedBy) => {
      if (code === 0 && stopped === undefined) settle(undefined);
      else {
        settle(
          stopped ?? lastLine(output.stderr) ?? lastLine(output.stdout) ?? `ended by ${killedBy ?? code}`,
        );
      }
    });
  });
}

function stopGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    // The group outlives its first process for as long as a compiler or a download of its runs.
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

function keepEnd(text: string): string {
  return text.slice(-KEPT_OUTPUT_CHARACTERS);
}

/** The last line, together with the one that it continues by its indentation. */
function lastLine(text: string): string | undefined {
  const end = /[^\n]*(\n[ \t]+[^\n]*)*$/.exec(text.trimEnd())?.[0] ?? "";
  const line = end.replace(/\s*\n\s*/g, " ").trim();
  return line === "" ? undefined : line;
}
