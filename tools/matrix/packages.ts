import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../pulumi-cli/run-command.js";
import type { PulumiRelease } from "./rows.js";

const ROOT = path.resolve(__dirname, "../..");

/** Packs the provider as it would be published, and gives the tarball. */
export async function packProvider(work: string, signal: AbortSignal): Promise<string> {
  const folder = path.join(work, "packed");
  mkdirSync(folder);
  const output = await npm(["pack", "--workspace=provider", `--pack-destination=${folder}`], signal);
  return path.join(folder, output.trim().split("\n").at(-1) ?? "");
}

/** Finds out which versions of `@pulumi/pulumi` the releases are. */
export async function findReleases(signal: AbortSignal): Promise<Readonly<Record<PulumiRelease, string>>> {
  const newest = await npm(["view", "@pulumi/pulumi", "version"], signal);
  return {
    oldest: pulumiIn("provider/package.json", "peerDependencies"),
    tested: pulumiIn("package.json", "dependencies"),
    newest: newest.trim(),
  };
}

/** Gives the version of Pulumi that a range in a manifest begins with. */
function pulumiIn(file: string, kind: "dependencies" | "peerDependencies"): string {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, file), "utf8")) as Record<
    typeof kind,
    Readonly<Record<string, string>>
  >;
  const [version] = /\d+\.\d+\.\d+/.exec(manifest[kind]["@pulumi/pulumi"] ?? "") ?? [];
  if (version === undefined) throw new Error(`${file} names no version of @pulumi/pulumi`);
  return version;
}

function npm(args: readonly string[], signal: AbortSignal): Promise<string> {
  return runCommand("npm", [...args, "--loglevel=error"], {
    cwd: ROOT,
    env: process.env,
    timeoutMs: 300_000,
    signal,
  });
}
