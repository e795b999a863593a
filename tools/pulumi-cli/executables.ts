import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The name and the text of PATH in `env`; Windows spells the name as it likes. */
export function pathVariable(env: NodeJS.ProcessEnv): { name: string; value: string } {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  return { name, value: env[name] ?? "" };
}

/** The executable `name` in `folder`, or undefined. */
export function executableIn(folder: string, name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return endings.map((ending) => join(folder, name + ending)).find(isExecutable);
}

/** The first executable `name` on the PATH of `env`, absolute, or undefined. */
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
