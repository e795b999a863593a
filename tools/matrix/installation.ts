import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../commands.js";
import { withFirstOnPath, withoutKonnectAndPulumi } from "../environment.js";
import { compilers } from "./programs.js";
import type { Row } from "./rows.js";
import type { NodeVersion, Toolchain } from "./toolchain.js";

const INSTALL_TIMEOUT_MS = 300_000;

/** The packages of a project, installed with the Node that will run it. */
export interface Installation {
  /** The content of its package.json. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Moves the packages into a project's folder, runs `work`, and moves them back. A link would change how they resolve. */
  lendTo<T>(folder: string, work: () => Promise<T>): Promise<T>;
}

/** What to install. */
export interface InstallOptions {
  readonly row: Row;
  readonly node: NodeVersion;
  /** The version of `@pulumi/pulumi`. */
  readonly pulumi: string;
  /** The path of the packed provider. */
  readonly tarball: string;
  readonly toolchain: Toolchain;
  /** The folder for projects, stores and caches. */
  readonly work: string;
}

/** Returns a key that is the same for rows that can share an installation. */
export function installationKey({ node, pulumi, manager, program }: Row): string {
  return [node, pulumi, manager, ...Object.keys(compilers(program))].join(" ");
}

/** Installs the packed provider and Pulumi into an empty project. Fails when a package's `engines` refuse the Node. */
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
    async lendTo(project, work) {
      const lent = path.join(project, "node_modules");
      renameSync(packages, lent);
      try {
        return await work();
      } finally {
        renameSync(lent, packages);
      }
    },
  };
}

async function runManager({ row, node, toolchain, work }: InstallOptions, folder: string): Promise<void> {
  const command = await toolchain.manager(row.manager);
  // These are where pnpm keeps its store and its caches.
  const stores = ["PNPM_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];
  const env = {
    ...withFirstOnPath(node.binDir, withoutKonnectAndPulumi(process.env)),
    ...Object.fromEntries(stores.map((name) => [name, path.join(work, name)])),
  };
  const run = (...args: readonly string[]) =>
    runCommand(command, args, { cwd: folder, env, timeoutMs: INSTALL_TIMEOUT_MS, signal: toolchain.signal });
  if (row.manager === "npm") {
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    await run("install", "--engine-strict", "--prefer-offline", ...quiet);
    return;
  }
  // From version 11 on, pnpm fails unless it is told what to do about install scripts. That of protobufjs, a dependency
  // of Pulumi, is not needed.
  const workspace = { engineStrict: true, allowBuilds: { protobufjs: false } };
  writeFileSync(path.join(folder, "pnpm-workspace.yaml"), JSON.stringify(workspace));
  await run("install");
}
