import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { execaSync } from "execa";

const LSOF_TIMEOUT_MS = 10_000;

/** Returns the ids of the dynamic-provider processes that work in a folder or below it. */
export function pluginsIn(folder: string): readonly number[] {
  return process.platform === "linux" ? findInProc(folder) : findWithLsof(folder);
}

/** Kills the dynamic-provider processes that work in a folder or below it, or some of them. Returns how many. */
export function killPlugins(folder: string, most = Infinity): number {
  const plugins = pluginsIn(folder).slice(0, most);
  for (const pid of plugins) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  }
  return plugins.length;
}

/** Returns the path of a process's executable, or undefined when it has ended or the system has no /proc. */
export function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

function findInProc(folder: string): readonly number[] {
  const isPlugin = (pid: string) => {
    try {
      return (
        isWithin(folder, readlinkSync(`/proc/${pid}/cwd`)) &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("dynamic-provider")
      );
    } catch {
      // It is no process, or it has just ended.
      return false;
    }
  };
  return readdirSync("/proc").filter(isPlugin).map(Number);
}

/**
 * Finds the processes on macOS, which has no /proc.
 *
 * The lines that matter are "p<pid>" and "n<folder>". A node process in that folder is a plugin, because the program
 * itself does not run in a destroy.
 */
function findWithLsof(folder: string): readonly number[] {
  const args = ["-a", "-d", "cwd", "-c", "node", "-F", "pn"];
  // lsof ends with 1 when it finds nothing.
  const { stdout } = execaSync("lsof", args, { reject: false, timeout: LSOF_TIMEOUT_MS });
  const processes = stdout.matchAll(/^p(\d+)\n(?:f.*\n)?n(.*)$/gm);
  return [...processes].filter(([, , cwd = ""]) => isWithin(folder, cwd)).map(([, pid]) => Number(pid));
}

function isWithin(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}
