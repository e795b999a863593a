import { dirname } from "node:path";
import { cacheEntry, publish, trustedCli } from "./cache.js";
import { executableOnPath } from "./executables.js";
import { goBuild } from "./go-build.js";
import { officialInstaller } from "./installer.js";
import type { CliMaker } from "./maker.js";
import { probeCli } from "./probe.js";
import type { PulumiCli } from "./pulumi-cli.js";
import { Interrupted, withStaging } from "./staging.js";
import {
  GO_INSTALL_PAGE,
  isAtLeast,
  MINIMUM_GO_VERSION,
  MINIMUM_PATH_VERSION,
  PULUMI_INSTALL_PAGE,
} from "./versions.js";

/** Where to look and whom to tell. */
export interface FindOptions {
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gets a line for each thing that is worth knowing while it takes long. Default: standard error. */
  readonly report?: (line: string) => void;
  /** The ways to get a CLI when there is none, in order. Default: Pulumi's installer, then a build with Go. */
  readonly makers?: readonly CliMaker[];
}

const NOT_ON_PATH = "there is none";

type Search = Required<FindOptions>;

/**
 * Finds a Pulumi CLI that runs: on PATH, in the cache, or made now and kept in the cache.
 *
 * Fails with one message that says what was tried and what to install.
 */
export async function findPulumiCli(options: FindOptions = {}): Promise<PulumiCli> {
  const search: Search = {
    env: options.env ?? process.env,
    report: options.report ?? ((line) => void process.stderr.write(`${line}\n`)),
    makers: options.makers ?? [officialInstaller, goBuild],
  };
  const onPath = await findOnPath(search.env);
  if (!(onPath instanceof Error)) return onPath;
  if (onPath.message !== NOT_ON_PATH) {
    search.report(`Pulumi CLI: not using pulumi on PATH: ${onPath.message}`);
  }
  const entry = await cacheEntry(search.env);
  const cached = await trustedCli(entry, search.env);
  if (!(cached instanceof Error)) return cached;
  const failures = [`pulumi on PATH: ${onPath.message}`];
  for (const maker of search.makers) {
    const made = await makeCli(maker, entry, onPath.message === NOT_ON_PATH, search);
    if (!(made instanceof Error)) return { ...made, source: maker.source };
    failures.push(`${maker.attempt}: ${made.message}`);
  }
  throw new Error(nothingWorks(failures));
}

async function findOnPath(env: NodeJS.ProcessEnv): Promise<PulumiCli | Error> {
  const path = executableOnPath("pulumi", env);
  if (path === undefined) return new Error(NOT_ON_PATH);
  const probe = await probeCli(path, env);
  if (!probe.works) return new Error(`${path}: ${probe.problem}`);
  if (!isAtLeast(probe.version, MINIMUM_PATH_VERSION)) {
    return new Error(`${path} is v${probe.version}, and v${MINIMUM_PATH_VERSION} or newer is needed`);
  }
  return { path, binDir: dirname(path), version: probe.version, source: "PATH" };
}

async function makeCli(
  maker: CliMaker,
  entry: string,
  absent: boolean,
  { env, report }: Search,
): Promise<PulumiCli | Error> {
  const why = absent ? "not on PATH" : "none that can be used on PATH";
  try {
    await withStaging(entry, async (staging, signal) => {
      await maker.make({ staging, cache: entry, why, env, signal, report });
      const result = await trustedCli(staging, env);
      if (result instanceof Error) throw new Error(`what it made is of no use: ${result.message}`);
      signal.throwIfAborted();
      await publish(staging, entry, env);
    });
  } catch (error) {
    if (error instanceof Interrupted || !(error instanceof Error)) throw error;
    report(`Pulumi CLI: ${maker.attempt} failed: ${error.message}`);
    return error;
  }
  return trustedCli(entry, env);
}

function nothingWorks(failures: readonly string[]): string {
  return [
    "There is no Pulumi CLI, and none could be installed or built.",
    ...failures.map((failure) => `  - ${failure}`),
    `Install Pulumi v${MINIMUM_PATH_VERSION} or newer (${PULUMI_INSTALL_PAGE}),`,
    `or Go ${MINIMUM_GO_VERSION} or newer (${GO_INSTALL_PAGE}) with access to the Go module proxy; then run this again.`,
  ].join("\n");
}
