import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";
import { renderScores, type Report } from "./score-table.js";

// Runs Stryker, and writes the scores into docs/internals/mutation.md. Stryker has a folder and a lock file of its own, because it
// would double the packages of every `npm ci`, and needs an older mocha than the project's.

const FOLDER = "tools/mutation";
const CONFIG = `${FOLDER}/stryker.config.json`;
const STRYKER = `${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`;
const REPORT = `${FOLDER}/reports/mutation.json`;
const LAST_RUN = `${FOLDER}/reports/incremental.json`;
const DOCUMENT = "docs/internals/mutation.md";
const TABLE = /(?<=<!-- mutation -->\n)[^]*(?=\n<!-- end of mutation -->)/;

function main(args: readonly string[]): number {
  if (!install()) return 1;
  forgetDoubtfulResults();
  rmSync(inRoot(REPORT), { force: true });
  const exitCode = run(process.execPath, [STRYKER, "run", CONFIG, ...args]);
  if (!existsSync(inRoot(REPORT))) return exitCode;
  const table = renderScores(readReport(REPORT));
  console.log(`\n${table}\n`);
  const isWhole = !args.some((arg) => arg === "-m" || arg.startsWith("--mutate"));
  if (isWhole) writeTable(table);
  return exitCode;
}

/** Installs what is missing in Stryker's folder. Returns whether everything is there now. */
function install(): boolean {
  const inFolder = ["--prefix", FOLDER];
  if (spawnSync("npm", ["ls", ...inFolder], { cwd: ROOT }).status === 0) return true;
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return run("npm", ["ci", "--ignore-scripts", ...quiet, ...inFolder]) === 0;
}

/**
 * Deletes the doubtful results of the last run, so that their mutants run again.
 *
 * A mutant of a constant belongs to no test, so Stryker does not notice a new test for it. A timeout may be due to a busy
 * machine, and an error while the tests load to the mutant before it.
 */
function forgetDoubtfulResults(): void {
  if (!existsSync(inRoot(LAST_RUN))) return;
  const report = readReport(LAST_RUN);
  const certain = Object.entries(report.files).map(([file, { mutants, ...rest }]) => {
    const kept = mutants.filter(
      ({ status, static: constant }) =>
        !["Timeout", "RuntimeError"].includes(status) && !(constant === true && status === "Survived"),
    );
    return [file, { ...rest, mutants: kept }] as const;
  });
  writeFileSync(inRoot(LAST_RUN), JSON.stringify({ ...report, files: Object.fromEntries(certain) }));
}

function writeTable(table: string): void {
  const text = readFileSync(inRoot(DOCUMENT), "utf8");
  if (!TABLE.test(text)) throw new Error(`${DOCUMENT} has no place for the table`);
  writeFileSync(
    inRoot(DOCUMENT),
    text.replace(TABLE, () => `\n${table}\n`),
  );
  console.log(`The table is in ${DOCUMENT}.`);
}

function readReport(file: string): Report {
  return JSON.parse(readFileSync(inRoot(file), "utf8")) as Report;
}

/**
 * Runs a command in the terminal of this one. Returns its exit code, or 1 when a signal ended it.
 *
 * Uses no execa: in this folder, Node finds Stryker's own release of it, which tsx cannot load.
 */
function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

function inRoot(file: string): string {
  return path.join(ROOT, file);
}

process.exitCode = main(process.argv.slice(2));
