import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/** What processes have taken. */
export interface Usage {
  /** Processor time, in user and in system mode. */
  readonly cpuMs: number;
  /** The most resident memory. For processes that run at the same time, the sum of what each of them had at most. */
  readonly peakBytes: number;
}

/** What a run of the CLI has taken. */
export interface RunUsage {
  /** The CLI, the language host and the program. */
  readonly cli: Usage;
  /** The dynamic-provider host. */
  readonly host: Usage;
}

/** A watch over the processes of a folder. */
export interface UsageWatch {
  /** Ends the watch. Returns undefined on a system without /proc. */
  end(): RunUsage | undefined;
}

type Role = keyof RunUsage;

const ROLES: readonly Role[] = ["cli", "host"];

const LOOK_EVERY_MS = 50;

/** Linux counts the time of processes in hundredths of a second, on every architecture that Node supports. */
const TICK_MS = 10;

/**
 * Watches the processes that work in a folder or below it.
 *
 * Looks every 50 ms, so it misses the processor time of the last 50 ms of each process. Reads /proc, which only Linux
 * has.
 */
export function watchUsage(folder: string): UsageWatch {
  if (process.platform !== "linux") return { end: () => undefined };
  const strangers = new Set<string>();
  const cpuMs = { cli: new Map<string, number>(), host: new Map<string, number>() };
  const peakBytes = { cli: 0, host: 0 };
  const look = () => {
    // By command line, because a process that is just being started shares its parent's memory and command line.
    const alive = { cli: new Map<string, number>(), host: new Map<string, number>() };
    for (const pid of readdirSync("/proc")) {
      if (strangers.has(pid)) continue;
      if (!worksIn(folder, pid)) {
        strangers.add(pid);
        continue;
      }
      const command = commandLineOf(pid);
      const usage = usageOf(pid);
      if (command === undefined || usage === undefined) continue;
      const role = command.includes("dynamic-provider/index.js") ? "host" : "cli";
      cpuMs[role].set(pid, usage.cpuMs);
      alive[role].set(command, usage.peakBytes);
    }
    for (const role of ROLES) peakBytes[role] = Math.max(peakBytes[role], sum(alive[role]));
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  const of = (role: Role): Usage => ({
    cpuMs: sum(cpuMs[role]),
    peakBytes: peakBytes[role],
  });
  return {
    end() {
      clearInterval(timer);
      return { cli: of("cli"), host: of("host") };
    },
  };
}

/** Returns what a process has taken so far, or undefined when it has ended. Needs /proc. */
export function usageOf(pid: string): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    // The name of the program, in parentheses, may contain blanks. What follows it starts with the third field, and the
    // times are the 14th and the 15th: proc_pid_stat(5).
    const [userTicks, systemTicks] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    if (peakKb === undefined) return undefined;
    return { cpuMs: (Number(userTicks) + Number(systemTicks)) * TICK_MS, peakBytes: Number(peakKb) * 1_024 };
  } catch {
    return undefined;
  }
}

function worksIn(folder: string, pid: string): boolean {
  try {
    const place = readlinkSync(`/proc/${pid}/cwd`);
    return place === folder || place.startsWith(folder + path.sep);
  } catch {
    // It is no process, it has just ended, or it belongs to somebody else.
    return false;
  }
}

/** Returns the command line of a process, or undefined when it has just ended. */
function commandLineOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") || undefined;
  } catch {
    return undefined;
  }
}

function sum(values: ReadonlyMap<string, number>): number {
  return [...values.values()].reduce((total, value) => total + value, 0);
}
