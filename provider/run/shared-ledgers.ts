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
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { LedgerRecord, OtherLedgers } from "../hooks/ledger.js";
import { settingsError } from "../service/failure/control-plane-error.js";
import { safe, safeName, safeText } from "../text/safe-text.js";

/**
 * Shares the ledgers of all provider processes of one run by files. Each process appends to its own file, and reads those
 * of the others. A process writes down what it declares before it goes on, so that whoever finds no file knows that no
 * other process has declared anything.
 *
 * A file outlives its process, because Pulumi can end one provider while another one still deletes. The last process of the
 * run removes all of them. What is left after a kill goes with the next run.
 *
 * @param run identifies the run on this machine: the address of Pulumi's engine
 * @param folder default: one of this user, below the folder for temporary files
 */
export function shareLedgers(run: string, folder = defaultFolder()): OtherLedgers {
  const prefix = `${run.replace(/\W+/g, "-")}.`;
  const own = `${prefix}${process.pid}.jsonl`;
  const positions = new Map<string, number>();
  let file: number | undefined;
  const create = () => {
    file = createOwn(folder, own);
    removeLeftovers(folder, prefix, own);
    process.once("exit", () => removeLast(folder, prefix, own));
    return file;
  };
  try {
    // A process that only deletes is announced, too, so that no other one takes itself for the last.
    create();
  } catch {
    // It matters only to a process that has something to declare: see publish.
  }

  return {
    publish: (record) =>
      orRefuse(folder, () => {
        file ??= create();
        const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
        if (writeSync(file, bytes) < bytes.length) throw new Error("no space is left");
      }),
    news: () =>
      orRefuse(folder, () => {
        const others = filesOf(folder, prefix).filter((name) => name !== own);
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
  // A container may run as a user who has a number and no name.
  const owner = process.getuid?.() ?? userInfo().username;
  return path.join(tmpdir(), `pulumi-konnect-control-planes-${owner}`);
}

function createOwn(folder: string, name: string): number {
  try {
    return createIn(folder, name);
  } catch {
    // The last process of another run can have removed the folder meanwhile.
    return createIn(folder, name);
  }
}

function createIn(folder: string, name: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  requirePrivate(folder);
  // A process of an earlier run can have had the same number and the same engine's address.
  rmSync(path.join(folder, name), { force: true });
  return openSync(path.join(folder, name), "ax", 0o600);
}

/** Returns the names of the files in the folder. */
function filesOf(folder: string, prefix = ""): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.startsWith(prefix));
}

/**
 * Removes the files of runs that have ended. When no other process of this run is there, this one is its first: what has
 * the same address is left of an earlier run, whose engine had the same port.
 */
function removeLeftovers(folder: string, prefix: string, own: string): void {
  const ended = filesOf(folder).filter((name) => name !== own && !isAlive(name));
  const isFirst = !filesOf(folder, prefix).some((name) => name !== own && isAlive(name));
  for (const name of ended) {
    if (isFirst || !name.startsWith(prefix)) rmSync(path.join(folder, name), { force: true });
  }
}

/** Removes the files of this run, unless another process of it is still there. */
function removeLast(folder: string, prefix: string, own: string): void {
  const others = filesOf(folder, prefix).filter((name) => name !== own);
  if (others.some(isAlive)) return;
  for (const name of [own, ...others]) rmSync(path.join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Another run has files there.
  }
}

/** Whether the process of a file is there. */
function isAlive(name: string): boolean {
  const pid = Number(/\.(\d+)\.jsonl$/.exec(name)?.[1]);
  if (!Number.isSafeInteger(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Everybody may write to the folder for temporary files, so another user may have made the folder there. */
function requirePrivate(folder: string): void {
  const uid = process.getuid?.();
  const stats = lstatSync(folder);
  const isOurs = uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0);
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
  They use the folder ${safeName(folder, 200)}.

  next      make sure that this user can write there, or name another folder for temporary files (TMPDIR), then run again`,
      {
        subject: safe`the run`,
        summary: safe`the provider processes cannot share what they declare`,
        next: safe`make the folder for temporary files writable, or set TMPDIR, then run again`,
      },
    );
  }
}
