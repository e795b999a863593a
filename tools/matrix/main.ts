import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { renderColumns } from "../columns.js";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { type Installation, install, installationKey } from "./installation.js";
import { findReleases, packProvider } from "./packages.js";
import { followReadme } from "./follow-readme-on.js";
import {
  cellsOf,
  type FirstCells,
  type PulumiRelease,
  README_NODES,
  readmeCellsOf,
  type Row,
  ROWS,
} from "./rows.js";
import { runRow } from "./run-row.js";
import { type NodeVersion, Toolchain } from "./toolchain.js";

// Tries the packed provider with versions of Node and Pulumi, package managers and kinds of programs. It works in a
// temporary folder, which it removes at the end. The reasons are in docs/decisions/supported-hosts.md.

const HEAD = ["node", "@pulumi/pulumi", "packages by", "program", "main", "result", "interrupt", "seconds"];

interface Result {
  readonly passed: boolean;
  readonly cells: readonly string[];
}

/** One row of the table, before it runs. */
interface Trial {
  readonly cells: FirstCells;
  /** Returns how long an interrupted destroy took to end, or undefined where none is interrupted. */
  readonly run: (node: NodeVersion, shared: Shared) => Promise<number | undefined>;
}

const TRIALS: readonly Trial[] = [
  ...ROWS.map((row) => ({
    cells: cellsOf(row),
    run: (node: NodeVersion, shared: Shared) => tryRow(row, node, shared),
  })),
  ...README_NODES.map((range) => ({
    cells: readmeCellsOf(range),
    run: (node: NodeVersion, { env, signal }: Shared) => followReadme(node, env, signal),
  })),
];

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
  const trials = TRIALS.filter(({ cells }) => cells.join(" ").includes(values.only));
  if (trials.length === 0) throw new Error(`no row contains "${values.only}"`);
  const work = realpathSync(mkdtempSync(path.join(tmpdir(), "matrix-")));
  try {
    const results = await runTrials(trials, work, stopped);
    console.log(renderColumns([HEAD, ...results.map(({ cells }) => cells)]));
    const failed = results.filter(({ passed }) => !passed).length;
    console.log(`\n${results.length - failed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function runTrials(
  trials: readonly Trial[],
  work: string,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  const shared: Shared = {
    work,
    signal,
    env: cliEnvironment(cli, process.env),
    tarball: await packProvider(work, signal),
    releases: await findReleases(signal),
    toolchain: new Toolchain(path.join(work, "tools"), signal),
    installations: new Map(),
  };
  const results: Result[] = [];
  for (const trial of trials) {
    const result = await attempt(trial, shared);
    signal.throwIfAborted();
    results.push(result);
    console.error(`${results.length} of ${trials.length}: ${result.cells.join(", ")}`);
  }
  return results;
}

/** What all rows use. */
interface Shared {
  readonly work: string;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly tarball: string;
  readonly releases: Readonly<Record<PulumiRelease, string>>;
  readonly toolchain: Toolchain;
  readonly installations: Map<string, Promise<Installation>>;
}

async function attempt({ cells, run }: Trial, shared: Shared): Promise<Result> {
  const startedMs = performance.now();
  const [range, release, ...tried] = cells;
  let [nodeVersion, outcome, interrupt] = [range, "pass", "–"];
  try {
    const node = await shared.toolchain.node(range);
    nodeVersion = node.version.slice(1);
    const interruptMs = await run(node, shared);
    if (interruptMs !== undefined) interrupt = `${(interruptMs / 1000).toFixed(1)} s`;
  } catch (error) {
    shared.signal.throwIfAborted();
    outcome = "FAIL";
    console.error(`${cells.join(", ")}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const pulumi = shared.releases[release];
  return { passed: outcome === "pass", cells: [nodeVersion, pulumi, ...tried, outcome, interrupt, seconds] };
}

async function tryRow(row: Row, node: NodeVersion, shared: Shared): Promise<number> {
  const { env, installations, signal } = shared;
  const pulumi = shared.releases[row.pulumi];
  const key = installationKey(row);
  const installation = installations.get(key) ?? install({ ...shared, row, node, pulumi });
  installations.set(key, installation);
  return (await runRow({ row, node, installation: await installation, env, signal })).interruptMs;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
