import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
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

/** What a file's name says where the system does not show which socket the engine listens to. */
const UNKNOWN = "unknown";

/** A file of an ended process that may be of this run is kept this long after its last record. */
const UNCLEAR_MS = 24 * 3_600_000;

/** The files that this process has created. */
const created = new Set<string>();

/**
 * Shares the ledgers of all provider processes of one run by files. Each process appends to its own file, and reads those
 * of the others. A process writes down what it declares before it goes on, so that a process that finds no file knows that no
 * other process has declared anything.
 *
 * A file outlives its process, because Pulumi can end one provider while another one still deletes, and because a killed
 * process has declared what it declared. Its name has the engine's address and socket: a later engine may get the same
 * port, and never the same socket. The last process of the run removes the files, and the next run what a kill has left.
 *
 * @param engine address of Pulumi's engine
 * @param folder default: one of this user, below the folder for temporary files
 * @param sockets default: those that listen on this machine now
 */
export function shareLedgers(
  engine: string,
  folder = defaultFolder(),
  sockets: ReadonlyMap<string, string> = listeningSockets(),
): OtherLedgers {
  const run: Run = { address: engine.replace(/\W+/g, "-"), socket: sockets.get(engine) };
  const own = `${run.address}.${run.socket ?? UNKNOWN}.${process.pid}.jsonl`;
  const positions = new Map<string, number>();
  const others = () =>
    filesOf(folder).filter(
      (name) => (name !== own || file === undefined) && parseName(name)?.address === run.address,
    );
  let file: number | undefined;
  let hasRecords = false;
  const create = () => {
    file = createOwn(folder, own);
    const listening = new Set(run.socket === undefined ? [] : sockets.values());
    for (const name of filesOf(folder)) if (isOver(folder, name, listening)) remove(folder, name);
    process.once("exit", end);
    return file;
  };
  const end = () => {
    try {
      const known = others().filter((name) => positions.has(name) || belongs(folder, name, run) === "yes");
      const isLast = known.every((name) => hasEnded(folder, name));
      if (isLast) known.forEach((name) => remove(folder, name));
      if (isLast || !hasRecords) remove(folder, own);
      else if (file !== undefined) writeSync(file, END);
      rmdirSync(folder);
    } catch {
      // There are other files, or it is unclear. The next run looks again.
    }
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
        hasRecords = true;
        if (writeSync(file, bytes) < bytes.length) throw new Error("no space is left");
      }),
    news: () =>
      orRefuse(folder, () => {
        const names = others();
        if (names.length > 0) requirePrivate(folder);
        return names.flatMap((name) => {
          if (!positions.has(name)) {
            const isOurs = belongs(folder, name, run);
            if (isOurs === "no") return [];
            if (isOurs === "unclear") throw new Error(`it is unclear whether ${name} is of this run`);
          }
          const { text, position } = readFrom(path.join(folder, name), positions.get(name) ?? 0);
          positions.set(name, position);
          return recordsOf(text).map((record) => ({ process: name, record }));
        });
      }),
  };
}

/** A run of Pulumi on this machine, by its engine. */
interface Run {
  /** The engine's address, as file names have it. */
  readonly address: string;
  /** The engine's socket. Undefined if the system does not show it. */
  readonly socket: string | undefined;
}

/**
 * Returns the sockets that listen on 127.0.0.1, by their addresses. A socket has a number of its own, which no later
 * socket gets before the machine starts again.
 *
 * @param table default: the kernel's, where there is one. proc_pid_net(5) describes it
 */
export function listeningSockets(table = readTable()): ReadonlyMap<string, string> {
  return new Map(
    table.split("\n").flatMap((row) => {
      const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
      const port = /^(?:0100007F|7F000001):([0-9A-F]{4})$/.exec(local)?.[1];
      if (port === undefined || state !== LISTENS || !/^[1-9]\d*$/.test(inode)) return [];
      return [[`127.0.0.1:${Number.parseInt(port, 16)}`, inode] as const];
    }),
  );
}

/** The state of a socket that listens. */
const LISTENS = "0A";

function readTable(): string {
  try {
    return readFileSync("/proc/net/tcp", "utf8");
  } catch {
    return "";
  }
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
  const file = path.join(folder, name);
  // A process that is configured again begins again. A killed one of this run can have had its number.
  if (created.has(file)) rmSync(file, { force: true });
  const opened = openSync(file, "ax", 0o600);
  created.add(file);
  return opened;
}

/** Returns the names of the files in the folder. */
function filesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

interface FileName extends Run {
  readonly pid: number;
}

function parseName(name: string): FileName | undefined {
  const [, address, socket, pid] = /^([\w-]+)\.(\w+)\.(\d+)\.jsonl$/.exec(name) ?? [];
  if (address === undefined) return undefined;
  return { address, socket: socket === UNKNOWN ? undefined : socket, pid: Number(pid) };
}

/** Whether a file is of this run. `unclear`: its process has ended, and it is unknown when. */
function belongs(folder: string, name: string, run: Run): "yes" | "no" | "unclear" {
  const of = parseName(name);
  if (of?.address !== run.address) return "no";
  if (of.socket !== undefined && run.socket !== undefined) return of.socket === run.socket ? "yes" : "no";
  if (isAlive(name)) return "yes";
  return (statOf(folder, name)?.size ?? 0) === 0 ? "no" : "unclear";
}

/**
 * Whether the run of a file has ended.
 *
 * @param listening the sockets that listen. Empty if they are not known
 */
function isOver(folder: string, name: string, listening: ReadonlySet<string>): boolean {
  if (isAlive(name)) return false;
  const socket = parseName(name)?.socket;
  if (socket !== undefined && listening.size > 0) return !listening.has(socket);
  return Date.now() - (statOf(folder, name)?.mtimeMs ?? 0) > UNCLEAR_MS;
}

function statOf(folder: string, name: string) {
  return lstatSync(path.join(folder, name), { throwIfNoEntry: false });
}

function remove(folder: string, name: string): void {
  rmSync(path.join(folder, name), { force: true });
}

/** An empty line at the end of a file says that its process was not killed. */
const END = "\n";

function hasEnded(folder: string, name: string): boolean {
  return readFileSync(path.join(folder, name), "utf8").endsWith(`\n${END}`);
}

/** Whether the process of a file is there. */
function isAlive(name: string): boolean {
  const pid = parseName(name)?.pid;
  // The file of an earlier process can have the number of this one.
  if (pid === undefined || pid === process.pid) return false;
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

/** Creates the error of a process that cannot read what the other processes declare, so that it deletes none of that. */
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
