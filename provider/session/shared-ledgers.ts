import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { LedgerRecord, OtherLedgers } from "../hooks/ledger.js";
import { settingsError } from "../service/failure/control-plane-error.js";
import { safe, safeName, safeText } from "../text/safe-text.js";

/** Files that a killed process has left are removed after this time. */
const OUTDATED_MS = 24 * 3_600_000;

/**
 * Shares the ledgers of all provider processes of one run by files. Each process appends to its own file, and reads those
 * of the others. A process writes down what it declares before it goes on, so that whoever finds no file knows that no
 * other process has declared anything.
 *
 * @param run identifies the run on this machine: the address of Pulumi's engine
 * @param folder default: one of this user, below the folder for temporary files
 */
export function shareLedgers(run: string, folder = defaultFolder()): OtherLedgers {
  const prefix = `${run.replace(/\W+/g, "-")}.`;
  const own = `${prefix}${process.pid}.jsonl`;
  const positions = new Map<string, number>();
  let file: number | undefined;

  return {
    publish: (record) =>
      orRefuse(folder, () => {
        file ??= createOwn(folder, own);
        const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
        if (writeSync(file, bytes) < bytes.length) throw new Error("no space is left");
      }),
    news: () =>
      orRefuse(folder, () => {
        if (!existsSync(folder)) return [];
        const others = readdirSync(folder).filter((name) => name.startsWith(prefix) && name !== own);
        if (others.length > 0) requirePrivate(folder);
        return others.flatMap((name) => {
          const { text, position } = readFrom(path.join(folder, name), positions.get(name) ?? 0);
          positions.set(name, position);
          return recordsOf(text).map((record) => ({ process: name, record }));
        });
      }),
  };
}

function defaultFolder(): string {
  const { uid, username } = userInfo();
  return path.join(tmpdir(), `pulumi-konnect-control-planes-${uid >= 0 ? String(uid) : username}`);
}

/** Creates the file of this process, which goes with the process. */
function createOwn(folder: string, name: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  requirePrivate(folder);
  const outdatedMs = Date.now() - OUTDATED_MS;
  for (const other of readdirSync(folder)) {
    const file = path.join(folder, other);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < outdatedMs) {
      rmSync(file, { force: true });
    }
  }
  const own = path.join(folder, name);
  process.once("exit", () => rmSync(own, { force: true }));
  return openSync(own, "a", 0o600);
}

/** Everybody may write to the folder for temporary files, so another user may have made the folder there. */
function requirePrivate(folder: string): void {
  const { uid } = userInfo();
  const stats = lstatSync(folder);
  const isOurs = uid < 0 || (stats.uid === uid && (stats.mode & 0o077) === 0);
  if (!stats.isDirectory() || !isOurs) throw new Error("it is not a folder that this user alone may use");
}

/** Returns the whole lines from a position on, and where they end. */
function readFrom(file: string, start: number): { readonly text: string; readonly position: number } {
  const opened = openIfThere(file);
  if (opened === undefined) return { text: "", position: start };
  try {
    const { size } = fstatSync(opened);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const read = bytes.subarray(0, readSync(opened, bytes, 0, bytes.length, start));
    // What follows the last line break is still being written.
    const whole = read.subarray(0, read.lastIndexOf("\n") + 1);
    return { text: whole.toString("utf8"), position: start + whole.length };
  } finally {
    closeSync(opened);
  }
}

/** The file of a process that has ended is gone. */
function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function recordsOf(text: string): readonly LedgerRecord[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as LedgerRecord);
}

/** Nothing may be declared or deleted while nobody knows what the other processes declare. */
function orRefuse<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const what =
      error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
    throw settingsError(
      safe`The provider processes of this run cannot share what they declare: ${safeText(what, 200)}
  Nothing was sent. They use the folder ${safeName(folder, 200)}.

  next      make sure that this user can write there, or name another folder for temporary files (TMPDIR), then run again`,
      {
        subject: safe`the run`,
        summary: safe`the provider processes cannot share what they declare`,
        next: safe`make the folder for temporary files writable, or set TMPDIR, then run again`,
      },
    );
  }
}
