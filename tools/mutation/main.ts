import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Report, renderTable } from "./table.js";

// Runs Stryker, and writes what came of it into docs/mutation.md. Stryker has a folder and a lock file of its own: it
// would double the packages of every `npm ci`, and it needs an older mocha than the project's.

const ROOT = path.resolve(__dirname, "../..");
const CONFIG = "tools/mutation/stryker.config.json";
const STRYKER = "tools/mutation/node_modules/@stryker-mutator/core/bin/stryker.js";
const REPORT = "tools/mutation/reports/mutation.json";
const LAST_RUN = "tools/mutation/reports/incremental.json";
const DOCUMENT = "docs/mutation.md";
const TABLE = /(?<=<!-- mutation -->\n)[^]*(?=\n<!-- end of mutation -->)/;

function main(args: readonly string[]): number {
  if (!install()) return 1;
  forgetDoubtful();
  rmSync(inRoot(REPORT), { force: true });
  const status = run(process.execPath, [STRYKER, "run", CONFIG, ...args]);
  if (!existsSync(inRoot(REPORT))) return status;
  const table = renderTable(readReport(REPORT));
  console.log(`\n${table}\n`);
  const whole = !args.some((arg) => arg === "-m" || arg.startsWith("--mutate"));
  if (whole) writeTable(table);
  return status;
}

/** Installs what is missing in Stryker's own folder. */
function install(): boolean {
  const npm = (...args: string[]) => run("npm", [...args, "--prefix", "tools/mutation", "--loglevel=error"]);
  const lacking = spawnSync("npm", ["ls", "--prefix", "tools/mutation"], {
    cwd: ROOT,
    stdio: "ignore",
  }).status;
  return lacking === 0 || npm("ci", "--ignore-scripts", "--no-audit", "--no-fund") === 0;
}

/**
 * Takes out of the last run what it cannot vouch for, so that it is run again: a mutant of a constant belongs to no
 * test, so Stryker does not see that a test for it has come; and a timeout may have been the machine's.
 */
function forgetDoubtful(): void {
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
  console.log(`written to ${DOCUMENT}`);
}

function readReport(file: string): Report {
  return JSON.parse(readFileSync(inRoot(file), "utf8")) as Report;
}

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

function inRoot(file: string): string {
  return path.join(ROOT, file);
}

process.exitCode = main(process.argv.slice(2));
