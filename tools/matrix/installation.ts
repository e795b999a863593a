import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../pulumi-cli/run-command.js";
import { compilers } from "./programs.js";
import type { Row } from "./rows.js";
import type { NodeVersion, Toolchain } from "./toolchain.js";

const INSTALL_TIMEOUT_MS = 300_000;

/** Packages of a project, installed under the Node that will run it. */
export interface Installation {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Moves the packages into a project's folder for as long as the work takes: no link stands between them. */
  lendTo<T>(folder: string, work: () => Promise<T>): Promise<T>;
}

/** What to install. */
export interface InstallOptions {
  readonly row: Row;
  readonly node: NodeVersion;
  /** Version of `@pulumi/pulumi`. */
  readonly pulumi: string;
  readonly tarball: string;
  readonly toolchain: Toolchain;
  /** Folder for projects, stores and caches. */
  readonly work: string;
}

/** Tells which rows can share an installation. */
export function installationKey({ node, pulumi, manager, program }: Row): string {
  return [node, pulumi, manager, ...Object.keys(compilers(program))].join(" ");
}

/** Installs the packed provider and Pulumi into an empty project, and refuses what a package's `engines` refuse. */
export async function install(options: InstallOptions): Promise<Installation> {
  const { row, pulumi, tarball, work } = options;
  const folder = path.join(work, installationKey(row).replaceAll(/\W+/g, "-"));
  mkdirSync(folder);
  const manifest = {
    name: "matrix",
    private: true,
    dependencies: { "@pulumi/pulumi": pulumi, "pulumi-konnect-control-planes": `file:${tarball}` },
    devDependencies: compilers(row.program),
  };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  await runManager(options, folder);
  const packages = path.join(folder, "node_modules");
  return {
    manifest,
    async lendTo(to, work) {
      const there = path.join(to, "node_modules");
      renameSync(packages, there);
      try {
        return await work();
      } finally {
        renameSync(there, packages);
      }
    },
  };
}

async function runManager({ row, node, toolchain, work }: InstallOptions, folder: string): Promise<void> {
  const command = await toolchain.manager(row.manager);
  const env = {
    ...process.env,
    PATH: [node.binDir, process.env.PATH].join(path.delimiter),
    // Where pnpm keeps its store and its caches.
    ...Object.fromEntries(
      ["PNPM_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"].map((name) => [
        name,
        path.join(work, name),
      ]),
    ),
  };
  const run = (args: readonly string[]) =>
    runCommand(command, args, { cwd: folder, env, timeoutMs: INSTALL_TIMEOUT_MS, signal: toolchain.signal });
  if (row.manager === "npm") {
    await run([
      "install",
      "--engine-strict",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ]);
    return;
  }
  // From 11 on pnpm ends with an error while it is not told what to do about install scripts. That of protobufjs,
  // a dependency of Pulumi, is not needed.
  writeFileSync(
    path.join(folder, "pnpm-workspace.yaml"),
    JSON.stringify({ engineStrict: true, allowBuilds: { protobufjs: false } }),
  );
  await run(["install"]);
}
