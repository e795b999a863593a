import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { renderColumns } from "../columns.js";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { type Installation, install, installationKey } from "./installation.js";
import { findReleases, packProvider } from "./packages.js";
import { cellsOf, type PulumiRelease, type Row, ROWS } from "./rows.js";
import { runRow } from "./run-row.js";
import { Toolchain } from "./toolchain.js";

// Tries the packed provider with versions of Node and Pulumi, package managers and kinds of programs. It works in a
// temporary folder, which it removes at the end. The reasons are in docs/decisions/supported-hosts.md.

const HEAD = ["node", "@pulumi/pulumi", "packages by", "program", "main", "result", "interrupt", "seconds"];

interface Result {
  readonly passed: boolean;
  readonly cells: readonly string[];
}

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
  const rows = ROWS.filter((row) => cellsOf(row).join(" ").includes(values.only));
  if (rows.length === 0) throw new Error(`no row contains "${values.only}"`);
  const work = realpathSync(mkdtempSync(path.join(tmpdir(), "matrix-")));
  try {
    const results = await runRows(rows, work, stopped);
    console.log(renderColumns([HEAD, ...results.map(({ cells }) => cells)]));
    const failed = results.filter(({ passed }) => !passed).length;
    console.log(`\n${results.length - failed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function runRows(rows: readonly Row[], work: string, signal: AbortSignal): Promise<readonly Result[]> {
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
  for (const row of rows) {
    const result = await attempt(row, shared);
    signal.throwIfAborted();
    results.push(result);
    console.error(`${results.length} of ${rows.length}: ${result.cells.join(", ")}`);
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

async function attempt(row: Row, shared: Shared): Promise<Result> {
  const startedMs = performance.now();
  const { env, installations, signal } = shared;
  const pulumi = shared.releases[row.pulumi];
  let [nodeVersion, outcome, interrupt] = [row.node, "pass", "–"];
  try {
    const node = await shared.toolchain.node(row.node);
    nodeVersion = node.version.slice(1);
    const key = installationKey(row);
    const installation = installations.get(key) ?? install({ ...shared, row, node, pulumi });
    installations.set(key, installation);
    const { interruptMs } = await runRow({ row, node, installation: await installation, env, signal });
    interrupt = `${(interruptMs / 1000).toFixed(1)} s`;
  } catch (error) {
    signal.throwIfAborted();
    outcome = "FAIL";
    console.error(`${cellsOf(row).join(", ")}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const cells = [nodeVersion, pulumi, row.manager, row.program, row.main, outcome, interrupt, seconds];
  return { passed: outcome === "pass", cells };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
