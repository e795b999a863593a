import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";
import { isConclusion, type OutcomeEvent } from "./outcome-event.js";
import { reportLine } from "./report-line.js";

type Named = Pick<ControlPlaneRef, "id" | "name">;

/** What a report file is written with. */
export interface ReportFileOptions extends LineWriterOptions {
  readonly runId: string;
  readonly epochMs: () => number;
}

/** Where lines are written. */
export interface LineWriterOptions {
  readonly path: string;
  /** Called once, with what is wrong, when the file cannot be written. */
  readonly warn: (warning: SafeText) => void;
}

/**
 * Creates the sink that appends a line to the report file for each operation that ends. It never throws, because a
 * report is no reason to stop a teardown.
 *
 * The file is created at once, so that a run without work leaves an empty one.
 */
export function createReportFile(options: ReportFileOptions): (event: OutcomeEvent) => void {
  const { runId, epochMs } = options;
  const write = createLineWriter(options);
  const removed = new Map<string, readonly Named[]>();
  return (event) => {
    if (event.type === "members detached") {
      const key = keyOf(event.controlPlane);
      removed.set(key, [...(removed.get(key) ?? []), ...event.members]);
    }
    if (!isConclusion(event)) return;
    const key = keyOf(event.controlPlane);
    const membersRemoved = removed.get(key) ?? [];
    removed.delete(key);
    write(() => reportLine(event, { runId, nowMs: epochMs(), membersRemoved }));
  };
}

/** Returns a line, or undefined if the event has no line. */
type RenderLine = () => string | undefined;

/** Creates a function that appends lines to a file, which is created at once. It never throws. */
export function createLineWriter({ path, warn }: LineWriterOptions): (render: RenderLine) => void {
  let file: number | undefined;
  let hasWarned = false;

  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (file !== undefined) closeQuietly(file);
      file = undefined;
      if (!hasWarned) {
        hasWarned = true;
        warn(
          safe`the report file ${safeText(path, 200)} cannot be written (${reasonOf(error)}); the run goes on`,
        );
      }
    }
  };

  attempt(() => (file = openForAppending(path)));
  // A line that cannot be written now is written before the next one, so that no failure is missing in the report.
  const unwritten: string[] = [];
  return (render) => {
    attempt(() => {
      const line = render();
      if (line !== undefined) unwritten.push(line);
      for (let next = unwritten[0]; next !== undefined; next = unwritten[0]) {
        appendLine((file ??= openForAppending(path)), next);
        unwritten.shift();
      }
    });
  };
}

function keyOf({ id, address = "" }: Pick<ControlPlaneRef, "id"> & { readonly address?: string }): string {
  return `${address} ${id}`;
}

/**
 * Opens a regular file. A FIFO would block the process, and standard output belongs to Pulumi. Every write goes to the
 * end of the file, also when other processes append to it.
 */
function openForAppending(path: string): number {
  // Reading shows whether the last line is whole. Windows does not know O_NONBLOCK.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const file = openSync(path, process.platform === "win32" ? flags : flags | constants.O_NONBLOCK, 0o666);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error("not a regular file");
}

/** Appends a line in one write. Whatever is left of a line that a killed process wrote ends first. */
function appendLine(file: number, line: string): void {
  const bytes = Buffer.from(`${endsWithinLine(file) ? "\n" : ""}${line}\n`);
  if (writeSync(file, bytes) < bytes.length) throw new Error("no space is left");
}

function endsWithinLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() !== "\n";
}

/** Returns the code of a file system error, whose message repeats the path. */
function reasonOf(error: unknown): SafeText {
  if (!(error instanceof Error)) return safe`unknown error`;
  return safeText("code" in error ? String(error.code) : error.message, 60);
}

function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // What is wrong has been reported already.
  }
}
