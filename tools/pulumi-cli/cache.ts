import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { executableIn } from "./executables.js";
import { PLUGIN_SCRIPT } from "./plugin-script.js";
import { probeCli } from "./probe.js";
import type { PulumiCli } from "./pulumi-cli.js";
import { CLI_VERSION } from "./versions.js";

const PUBLISH_ATTEMPTS = 3;
const LEFTOVER_AGE_MS = 24 * 3_600_000;

/** The folder of all cached CLIs: PULUMI_CLI_CACHE, else a subfolder of the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.PULUMI_CLI_CACHE) return resolve(env.PULUMI_CLI_CACHE);
  return join(userCacheFolder(env), "pulumi-konnect-control-planes", "pulumi-cli");
}

/** The home folder of `env`, or the user's where `env` names none. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  return unlessEmpty(process.platform === "win32" ? env.USERPROFILE : env.HOME) ?? userInfo().homedir;
}

/** The folder of the CLI of this version, platform and recipe; it exists only when it is complete. */
export async function cacheEntry(env: NodeJS.ProcessEnv): Promise<string> {
  const recipe = createHash("sha256").update(PLUGIN_SCRIPT);
  for (const module of ["pulumi", "language-nodejs"]) {
    recipe.update(await readFile(join(__dirname, "go", module, "go.mod")));
  }
  const name = `${CLI_VERSION}-${process.platform}-${process.arch}-${recipe.digest("hex").slice(0, 8)}`;
  return join(cacheFolder(env), name);
}

/** The CLI in `folder`, when running it shows that it is whole and of the wanted version. */
export async function trustedCli(folder: string, env: NodeJS.ProcessEnv): Promise<PulumiCli | Error> {
  const binDir = join(folder, "bin");
  const path = executableIn(binDir, "pulumi");
  if (path === undefined) return new Error("there is no bin/pulumi");
  // Companions elsewhere on PATH belong to another version.
  const probe = await probeCli(path, { ...env, PATH: binDir, Path: binDir });
  if (!probe.works) return new Error(probe.problem);
  if (probe.version !== CLI_VERSION) return new Error(`it is version ${probe.version}, not ${CLI_VERSION}`);
  return { path, binDir, version: probe.version, source: "cache" };
}

/** A folder beside `entry`, on the same file system, that no look-up takes for an entry. */
export function siblingOf(entry: string, purpose: string): string {
  return join(dirname(entry), `.${basename(entry)}.${purpose}-${process.pid}-${randomUUID().slice(0, 8)}`);
}

/** Deletes what a killed process has left beside `entry` more than a day ago; a failure here matters to nobody. */
export async function sweepLeftovers(entry: string): Promise<void> {
  const folder = dirname(entry);
  for (const name of await readdir(folder)) {
    if (!/^\..+\.(tmp|broken)-/.test(name)) continue;
    const age = await stat(join(folder, name))
      .then(({ mtimeMs }) => Date.now() - mtimeMs)
      .catch(() => 0);
    if (age > LEFTOVER_AGE_MS) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Moves the finished `staging` folder to `entry` in one step.
 *
 * Where another process was faster its working copy stays, and `staging` is left for the caller to delete. A copy
 * that does not work is replaced.
 */
export async function publish(staging: string, entry: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(dirname(entry), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(staging, entry);
      return;
    } catch (error) {
      if (!((await trustedCli(entry, env)) instanceof Error)) return;
      if (attempt === PUBLISH_ATTEMPTS) throw error;
      await discard(entry);
    }
  }
}

async function discard(entry: string): Promise<void> {
  const aside = siblingOf(entry, "broken");
  try {
    await rename(entry, aside);
  } catch {
    // Another process has moved it first.
    return;
  }
  await rm(aside, { recursive: true, force: true });
}

function userCacheFolder(env: NodeJS.ProcessEnv): string {
  const home = homeFolder(env);
  if (process.platform === "win32") return unlessEmpty(env.LOCALAPPDATA) ?? join(home, "AppData", "Local");
  const standard = process.platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
  return unlessEmpty(env.XDG_CACHE_HOME) ?? standard;
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
