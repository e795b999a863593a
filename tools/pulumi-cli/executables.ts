import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { pathVariable } from "../environment.js";

/** Returns the path of the executable `name` in a folder, or undefined. */
export function executableIn(folder: string, name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return endings.map((ending) => join(folder, name + ending)).find(isExecutable);
}

/** Returns the absolute path of the first executable `name` on PATH, or undefined. */
export function executableOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  for (const folder of pathVariable(env).value.split(delimiter)) {
    if (folder === "") continue;
    const found = executableIn(resolve(folder), name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
