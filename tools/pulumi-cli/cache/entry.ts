import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { homeFolder } from "../../environment.js";
import { PLUGIN_SCRIPT } from "../makers/plugin-script.js";
import { CLI_VERSION } from "../versions.js";
import { findForeignHand, findForeignHandAbove, type TrustedUser } from "./ownership.js";

/** A change of the layout of an entry changes this, so that older code never meets a newer entry. */
const LAYOUT = "bin and manifest.json";

/** Returns the folder of all cached CLIs: PULUMI_CLI_CACHE, or else a subfolder of the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.PULUMI_CLI_CACHE) return resolve(env.PULUMI_CLI_CACHE);
  return join(userCacheFolder(env), "pulumi-konnect-control-planes", "pulumi-cli");
}

/** Returns the folder of the CLI of this version, platform and recipe inside the cache. It exists only when complete. */
export async function cacheEntry(folder: string): Promise<string> {
  const recipe = createHash("sha256").update(LAYOUT).update(PLUGIN_SCRIPT);
  for (const module of ["pulumi", "language-nodejs"]) {
    recipe.update(await readFile(join(__dirname, "../go", module, "go.mod")));
  }
  const digest = recipe.digest("hex").slice(0, 8);
  return join(folder, `${CLI_VERSION}-${process.platform}-${process.arch}-${digest}`);
}

/** Fails when the cache folder exists, and another user owns it, may write to it, or may put another in its place. */
export async function requireOwnFolder(folder: string, user: TrustedUser): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats === undefined) return;
  const reason = findForeignHand(stats, user) ?? findForeignHandAbove(await stat(dirname(folder)), user);
  if (reason === undefined) return;
  throw new Error(
    `Pulumi CLI: the cache folder ${folder} is not safe: ${reason}.\n` +
      "Delete it, or take the right to write away from others (chmod go-w), or set PULUMI_CLI_CACHE to another folder.",
  );
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
