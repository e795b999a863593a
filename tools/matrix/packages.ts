import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../commands.js";
import { withoutKonnectAndPulumi } from "../environment.js";
import { ROOT } from "../repository.js";
import type { PulumiRelease } from "./rows.js";

const NPM_TIMEOUT_MS = 300_000;

/** Packs the provider as it would be published. Returns the path of the tarball. */
export async function packProvider(work: string, signal: AbortSignal): Promise<string> {
  const folder = path.join(work, "packed");
  mkdirSync(folder);
  const output = await npm(["pack", "--workspace=provider", `--pack-destination=${folder}`], signal);
  return path.join(folder, output.trim().split("\n").at(-1) ?? "");
}

/** Returns the version of `@pulumi/pulumi` that each release is today. */
export async function findReleases(signal: AbortSignal): Promise<Readonly<Record<PulumiRelease, string>>> {
  const newest = await npm(["view", "@pulumi/pulumi", "version"], signal);
  return {
    oldest: pulumiIn("provider/package.json", "peerDependencies"),
    tested: pulumiIn("package.json", "dependencies"),
    newest: newest.trim(),
  };
}

/** Returns the version with which the range of Pulumi in a manifest begins. */
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
    env: withoutKonnectAndPulumi(process.env),
    timeoutMs: NPM_TIMEOUT_MS,
    signal,
  });
}
