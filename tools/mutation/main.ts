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
const DOCUMENT = "docs/mutation.md";
const TABLE = /(<!-- mutation -->\n\n)[^]*?(\n\n<!-- end of mutation -->)/;

function main(args: readonly string[]): number {
  if (!install()) return 1;
  rmSync(inRoot(REPORT), { force: true });
  const status = run(process.execPath, [STRYKER, "run", CONFIG, ...args]);
  if (!existsSync(inRoot(REPORT))) return status || 1;
  const table = renderTable(JSON.parse(readFileSync(inRoot(REPORT), "utf8")) as Report);
  console.log(`\n${table}\n`);
  // Arguments can narrow the run down, to one file for example: such a table is not for the document.
  const whole = args.every((arg) => arg === "--force");
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

function writeTable(table: string): void {
  const text = readFileSync(inRoot(DOCUMENT), "utf8");
  if (!TABLE.test(text)) throw new Error(`${DOCUMENT} has no place for the table`);
  writeFileSync(
    inRoot(DOCUMENT),
    text.replace(TABLE, (_, before: string, after: string) => before + table + after),
  );
  console.log(`written to ${DOCUMENT}`);
}

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

function inRoot(file: string): string {
  return path.join(ROOT, file);
}

process.exitCode = main(process.argv.slice(2));
