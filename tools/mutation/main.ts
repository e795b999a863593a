import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { ROOT } from "../repository.js";
import { renderScores, type Report } from "./score-table.js";

// Runs Stryker, and writes the scores into docs/mutation.md. Stryker has a folder and a lock file of its own, because it
// would double the packages of every `npm ci`, and needs an older mocha than the project's.

const FOLDER = "tools/mutation";
const CONFIG = `${FOLDER}/stryker.config.json`;
const STRYKER = `${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`;
const REPORT = `${FOLDER}/reports/mutation.json`;
const LAST_RUN = `${FOLDER}/reports/incremental.json`;
const DOCUMENT = "docs/mutation.md";
const TABLE = /(?<=<!-- mutation -->\n)[^]*(?=\n<!-- end of mutation -->)/;

async function main(args: readonly string[]): Promise<number> {
  if (!(await install())) return 1;
  forgetDoubtfulResults();
  rmSync(inRoot(REPORT), { force: true });
  const exitCode = await run(process.execPath, [STRYKER, "run", CONFIG, ...args]);
  if (!existsSync(inRoot(REPORT))) return exitCode;
  const table = renderScores(readReport(REPORT));
  console.log(`\n${table}\n`);
  const isWhole = !args.some((arg) => arg === "-m" || arg.startsWith("--mutate"));
  if (isWhole) writeTable(table);
  return exitCode;
}

/** Installs what is missing in Stryker's folder. Returns whether everything is there now. */
async function install(): Promise<boolean> {
  const inFolder = ["--prefix", FOLDER];
  const { exitCode } = await execa("npm", ["ls", ...inFolder], { cwd: ROOT, reject: false });
  if (exitCode === 0) return true;
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return (await run("npm", ["ci", "--ignore-scripts", ...quiet, ...inFolder])) === 0;
}

/**
 * Deletes the doubtful results of the last run, so that their mutants run again.
 *
 * A mutant of a constant belongs to no test, so Stryker does not notice a new test for it. A timeout may be due to a busy
 * machine.
 */
function forgetDoubtfulResults(): void {
  if (!existsSync(inRoot(LAST_RUN))) return;
  const report = readReport(LAST_RUN);
  const certain = Object.entries(report.files).map(([file, { mutants, ...rest }]) => {
    const kept = mutants.filter(
      ({ status, static: constant }) => status !== "Timeout" && !(constant === true && status === "Survived"),
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

/** Runs a command in the terminal of this one. Returns its exit code, or 1 when a signal ended it. */
async function run(command: string, args: readonly string[]): Promise<number> {
  const { exitCode } = await execa(command, args, { cwd: ROOT, stdio: "inherit", reject: false });
  return exitCode ?? 1;
}

function inRoot(file: string): string {
  return path.join(ROOT, file);
}

main(process.argv.slice(2)).then(
  (exitCode) => (process.exitCode = exitCode),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
