import { chmodSync, copyFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { VERSION } from "../../provider/version.js";
import { runCommand } from "../commands.js";
import { ROOT } from "../repository.js";

/** The name of the plugin's file, by which Pulumi finds it. */
export const PLUGIN = "pulumi-resource-konnect-control-planes";

/** The folder of what is built. */
export const BUILD = path.join(ROOT, "build");

/** Where the plugin is built by default. */
export const PLUGIN_FILE = path.join(BUILD, "plugin", PLUGIN);

/**
 * Bundles the plugin with all its packages into one file that Node.js runs. Returns the path of the file.
 *
 * @param folder where the file is written
 */
export async function buildPlugin(folder = path.dirname(PLUGIN_FILE)): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, PLUGIN);
  await build({
    entryPoints: [path.join(ROOT, "provider/plugin/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    keepNames: true,
    legalComments: "none",
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "warning",
  });
  chmodSync(outfile, 0o755);
  return outfile;
}

/** The platforms that Pulumi has a name for, and on which a file with a shebang runs. */
const PLATFORMS = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"];

/**
 * Packs the plugin as Pulumi downloads it: `pulumi-resource-NAME-vVERSION-OS-ARCH.tar.gz`. All tarballs have the same content,
 * because Node.js runs the plugin. Returns their paths.
 *
 * @param folder where the tarballs are written
 */
export async function packPlugin(plugin: string, folder = BUILD): Promise<readonly string[]> {
  const [first = "", ...others] = PLATFORMS.map((platform) =>
    path.join(folder, `${PLUGIN}-v${VERSION}-${platform}.tar.gz`),
  );
  const { dir, base } = path.parse(plugin);
  await runCommand("tar", ["-czf", first, "-C", dir, base], { env: process.env, timeoutMs: 60_000 });
  for (const other of others) copyFileSync(first, other);
  return [first, ...others];
}
