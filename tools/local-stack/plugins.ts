import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Gives the ids of the dynamic-provider processes that work in a folder: that of the program. */
export function pluginsIn(folder: string): number[] {
  return process.platform === "linux" ? fromProc(folder) : fromLsof(folder);
}

/** Kills them. Gives how many there were. */
export function killPlugins(folder: string): number {
  const plugins = pluginsIn(folder);
  for (const pid of plugins) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // it has just ended by itself
    }
  }
  return plugins.length;
}

function fromProc(folder: string): number[] {
  const works = (pid: string) => {
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === folder &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("dynamic-provider")
      );
    } catch {
      return false; // not a process, or it has just ended
    }
  };
  return readdirSync("/proc").filter(works).map(Number);
}

// macOS has no /proc. The fields are "p<pid>" and "n<folder>"; a node process in that folder is the plugin, since the
// program itself does not run in a destroy.
function fromLsof(folder: string): number[] {
  let listed: string;
  try {
    listed = execFileSync("lsof", ["-a", "-d", "cwd", "-c", "node", "-F", "pn"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return []; // lsof ends with 1 when it finds nothing
  }
  const entries = listed.matchAll(/^p(\d+)\n(?:f.*\n)?n(.*)$/gm);
  return [...entries].filter(([, , cwd]) => cwd === folder).map(([, pid]) => Number(pid));
}
