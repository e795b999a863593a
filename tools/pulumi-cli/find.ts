import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { withoutKonnectAndPulumi } from "../environment.js";
import { ROOT } from "../repository.js";
import { cacheEntry, cacheFolder, requireOwnFolder } from "./cache/entry.js";
import { verifyEntry, writeManifest } from "./cache/manifest.js";
import { thisUser, type TrustedUser } from "./cache/ownership.js";
import { publish } from "./cache/publish.js";
import { Interrupted, withStaging } from "./cache/staging.js";
import type { PulumiCli } from "./cli.js";
import { executableIn, executableOnPath } from "./executables.js";
import { goBuild } from "./makers/go-build.js";
import type { CliMaker } from "./makers/maker.js";
import { release } from "./makers/release.js";
import { probeCli } from "./probe.js";
import * as versions from "./versions.js";

/** Where to look for a CLI, and whom to tell about it. */
export interface FindOptions {
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Receives a line about each thing that takes long or goes wrong. Default: prints it on standard error. */
  readonly report?: (line: string) => void;
  /** The ways to get a CLI when there is none, in order. Default: a download, then a build with Go. */
  readonly makers?: readonly CliMaker[];
  /** The user whose cache is trusted. Default: the one who runs this process. */
  readonly user?: TrustedUser;
  /** The folder of the package `@pulumi/pulumi`. Default: the one that npm has installed here. */
  readonly pulumiPackage?: string;
}

/** It has the script that starts the host of dynamic providers. Some installations of the CLI lack that one. */
const PULUMI_PACKAGE = join(ROOT, "node_modules/@pulumi/pulumi");

const NOT_ON_PATH = "there is none";

interface Search {
  /** The environment of every process that the search starts: without secrets. */
  readonly env: NodeJS.ProcessEnv;
  readonly user: TrustedUser;
  readonly entry: string;
  readonly report: (line: string) => void;
}

/**
 * Finds a Pulumi CLI that runs: on PATH, or else in the cache, or else a new one, which is kept in the cache.
 *
 * Rejects with one message that says what was tried and what to install. Rejects at once when another user owns the cache
 * folder or may write to it.
 */
export async function findPulumiCli(options: FindOptions = {}): Promise<PulumiCli> {
  const { user = thisUser(), makers = [release, goBuild], pulumiPackage = PULUMI_PACKAGE } = options;
  const { report = (line) => void process.stderr.write(`${line}\n`) } = options;
  const env = withoutKonnectAndPulumi(options.env ?? process.env);
  const onPath = await findOnPath(env, pulumiPackage);
  if (!(onPath instanceof Error)) return onPath;
  const isAbsent = onPath.message === NOT_ON_PATH;
  if (!isAbsent) report(`Pulumi CLI: not using pulumi on PATH: ${onPath.message}`);

  const folder = cacheFolder(options.env ?? process.env);
  await requireOwnFolder(folder, user);
  const search: Search = { env, user, report, entry: await cacheEntry(folder) };
  if (existsSync(search.entry)) {
    const cached = await cachedCli(search.entry, user);
    if (!(cached instanceof Error)) return cached;
    report(`Pulumi CLI: not using the one in the cache: ${cached.message}`);
  }
  const failures = [`pulumi on PATH: ${onPath.message}`];
  for (const maker of makers) {
    const made = await makeCli(maker, isAbsent ? "not on PATH" : "none that can be used on PATH", search);
    if (!(made instanceof Error)) return { ...made, source: maker.source };
    failures.push(`${maker.attempt}: ${made.message}`);
  }
  throw new Error(nothingWorks(failures));
}

async function findOnPath(env: NodeJS.ProcessEnv, spare: string): Promise<PulumiCli | Error> {
  const path = executableOnPath("pulumi", env);
  if (path === undefined) return new Error(NOT_ON_PATH);
  const probe = await probeCli(path, env, spare);
  if (!probe.works) return new Error(`${path}: ${probe.problem}`);
  const { version } = probe;
  if (!versions.isAtLeast(version, versions.MINIMUM_PATH_VERSION)) {
    return new Error(`${path} is v${version}, and v${versions.MINIMUM_PATH_VERSION} or newer is needed`);
  }
  const cli = { path, binDir: dirname(path), version, source: "PATH" } as const;
  return probe.needsSpare ? { ...cli, companions: spare } : cli;
}

async function cachedCli(entry: string, user: TrustedUser): Promise<PulumiCli | Error> {
  try {
    const version = await verifyEntry(entry, user);
    const binDir = join(entry, "bin");
    const path = executableIn(binDir, "pulumi");
    if (path === undefined) return new Error("there is no bin/pulumi");
    return { path, binDir, version, source: "cache" };
  } catch (error) {
    return asError(error);
  }
}

async function makeCli(maker: CliMaker, why: string, search: Search): Promise<PulumiCli | Error> {
  const { entry, env, user, report } = search;
  try {
    await withStaging(entry, async (staging, signal) => {
      await maker.make({ staging, cache: entry, why, env, signal, report });
      await requireCli(staging, env);
      await writeManifest(staging, versions.CLI_VERSION);
      signal.throwIfAborted();
      await publish(staging, entry, user);
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    report(`Pulumi CLI: ${maker.attempt} failed: ${asError(error).message}`);
    return asError(error);
  }
  return cachedCli(entry, user);
}

/** Fails unless `folder` holds a CLI of the wanted version that runs, with all its companions. */
async function requireCli(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const binDir = join(folder, "bin");
  const path = executableIn(binDir, "pulumi");
  if (path === undefined) throw new Error("the result has no bin/pulumi");
  // Companions elsewhere on PATH belong to another version.
  const probe = await probeCli(path, { ...env, PATH: binDir, Path: binDir });
  if (!probe.works) throw new Error(`the result is of no use: ${probe.problem}`);
  if (probe.version !== versions.CLI_VERSION) {
    throw new Error(`the result is version ${probe.version}, not ${versions.CLI_VERSION}`);
  }
}

function nothingWorks(failures: readonly string[]): string {
  return [
    "There is no Pulumi CLI, and it was not possible to download or build one.",
    ...failures.map((failure) => `  - ${failure}`),
    `Install Pulumi v${versions.MINIMUM_PATH_VERSION} or newer (${versions.PULUMI_INSTALL_PAGE}),`,
    `or Go ${versions.MINIMUM_GO_VERSION} or newer (${versions.GO_INSTALL_PAGE}) with access to the Go module proxy. Then run this again.`,
  ].join("\n");
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
