import { chmodSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "../repository.js";

/** The name of the plugin's file, by which Pulumi finds it. */
export const PLUGIN = "pulumi-resource-konnect-control-planes";

/** The folder of what is built. */
export const BUILD = path.join(ROOT, "build");

/**
 * Bundles the plugin with all its packages into one file that Node.js runs. Returns the path of the file.
 *
 * @param folder where the file is written
 */
export async function buildPlugin(folder = path.join(BUILD, "plugin")): Promise<string> {
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
