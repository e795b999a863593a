import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/**
 * Gives the executables of the dynamic-provider processes that work in a folder or below it. Where the system does not
 * show its processes as files, it gives none.
 */
export function providerExecutables(folder: string): readonly string[] {
  try {
    return readdirSync("/proc").flatMap((pid) => executableOf(pid, folder));
  } catch {
    return [];
  }
}

function executableOf(pid: string, folder: string): readonly string[] {
  try {
    if (path.relative(folder, readlinkSync(`/proc/${pid}/cwd`)).startsWith("..")) return [];
    const isProvider = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("cmd/dynamic-provider");
    return isProvider ? [readlinkSync(`/proc/${pid}/exe`)] : [];
  } catch {
    return []; // not a process, or it has just ended
  }
}
