import path from "node:path";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { StringDecoder } from "node:string_decoder";
import type { ReportLine } from "../report/line-model.js";
import { parseReportLine } from "../report/parse-report-line.js";
import { buildReport, type Report } from "../report/report-model.js";
import { decodeDeployment, type PendingOperation } from "../state/deployment.js";
import { type HeldControlPlane, heldControlPlanes } from "../state/held-control-planes.js";
import { type DestroyControlPlanesOptions, refuseOptions } from "./destroy-options.js";
import { runPulumi, withEnvironment } from "./run-pulumi.js";
import { unreportedLines } from "./unreported.js";

/**
 * Destroys a stack, and reports what became of each control plane in it.
 *
 * The promise resolves after the destroy, even if control planes are left or the destroy was aborted. **Check `isComplete`.** The
 * report has every control plane that the state held before or holds afterwards.
 *
 * The promise rejects if no destroy was made: an option is wrong (`TypeError`), the signal had aborted (its reason), or Pulumi failed
 * first (its error, for example `ConcurrentUpdateError`). It also rejects with Pulumi's error if all control planes are gone, but
 * another resource failed.
 *
 * @category Automation API
 * @example
 * ```ts
 * const stack = await LocalWorkspace.selectStack({ stackName: "nightly", workDir: "." });
 * const report = await destroyControlPlanes(stack);
 * if (!report.isComplete) throw new Error(await renderReport(report));
 * ```
 */
export async function destroyControlPlanes(
  stack: Stack,
  options: DestroyControlPlanesOptions = {},
): Promise<Report> {
  return destroyExpected(stack, options, () => undefined);
}

/**
 * Does what {@link destroyControlPlanes} does, after a look at the state.
 *
 * @param expectState called with the deployment right before the destroy. If it throws, the promise rejects, and nothing
 *   is destroyed.
 */
export async function destroyExpected(
  stack: Stack,
  options: DestroyControlPlanesOptions,
  expectState: (deployment: unknown) => void,
): Promise<Report> {
  refuseOptions(options);
  const { onOutcome, signal, onEvent, ...destroyOptions } = options;
  signal?.throwIfAborted();
  const before = await readState(stack, expectState);
  signal?.throwIfAborted();

  const { text, failure } = await withReportFile(async (file) => {
    const own = withEnvironment(stack, { KONNECT_AUTOMATION_REPORT_FILE: file });
    const endCalls = followLines(file, (line) => callBack(line, onOutcome));
    const destroyed = runPulumi(
      (hooks) => own.destroy({ continueOnError: true, ...destroyOptions, ...hooks }),
      { ...(signal !== undefined && { signal }), ...(onEvent !== undefined && { onEvent }) },
    );
    const ended = await destroyed.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    endCalls();
    return { text: readFileSync(file, "utf8"), failure: ended };
  });

  // Without today's state, all that it held before counts as still there. Only a reported deletion proves otherwise.
  const after = await readState(stack).catch(() => before);
  const reported = linesOf(text);
  const unreported = unreportedLines({
    before: before.held,
    after: after.held,
    pendingOperations: after.pendingOperations,
    reported,
    isStopped: signal?.aborted === true || reported.some(({ outcome }) => outcome === "interrupted"),
    endedAtMs: Date.now(),
  });
  const report = buildReport([{ name: `stack ${stack.name}`, text }], unreported);
  const isExplained = signal?.aborted === true || (reported.length > 0 && !report.isComplete);
  if (failure !== undefined && !isExplained) throw failure.error;
  return report;
}

/** What a state holds, as far as a destroy is about it. */
export interface HeldState {
  /** What the program only refers to is left out, because Pulumi never deletes it. */
  readonly held: readonly HeldControlPlane[];
  readonly pendingOperations: readonly PendingOperation[];
}

async function readState(stack: Stack, expectState?: (deployment: unknown) => void): Promise<HeldState> {
  const { deployment } = (await stack.exportStack()) as { readonly deployment: unknown };
  expectState?.(deployment);
  return heldIn(deployment);
}

/** Returns what a deployment holds. The destroy judges what is malformed there, and the report must not depend on that. */
export function heldIn(deployment: unknown): HeldState {
  const { resources, pendingOperations } = decodeDeployment(deployment);
  const held = resources.flatMap(heldControlPlanes).filter(({ isExternal }) => !isExternal);
  return { held, pendingOperations };
}

/** Runs work with an empty file that only this user may read, and deletes the file afterwards. */
async function withReportFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "control-planes-report-"));
  try {
    const file = path.join(folder, "report.jsonl");
    writeFileSync(file, "");
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function callBack(line: string, onOutcome: DestroyControlPlanesOptions["onOutcome"]): void {
  for (const parsed of linesOf(line)) onOutcome?.(parsed);
}

function linesOf(text: string): readonly ReportLine[] {
  return text.split("\n").flatMap((line) => {
    const parsed = parseReportLine(line);
    return parsed.ok ? [parsed.line] : [];
  });
}

/** A person who watches sees no delay, and a read of a file that has not grown costs microseconds. */
const EVERY_MS = 100;

const CHUNK_BYTES = 64 * 1024;

/**
 * Calls back with each line of a growing file, without its line break, soon after the line is complete. Watching the file
 * would not work on every file system, so it is read again and again.
 *
 * @returns a function that reads what is left and ends the calls. The returned function throws what `onLine` threw.
 */
export function followLines(file: string, onLine: (line: string) => void): () => void {
  const opened = openSync(file, "r");
  const decoder = new StringDecoder("utf8");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let position = 0;
  let unfinished = "";
  let failure: { readonly error: unknown } | undefined;

  const readMore = () => {
    if (failure !== undefined) return;
    try {
      for (;;) {
        const size = readSync(opened, chunk, 0, CHUNK_BYTES, position);
        if (size === 0) return;
        position += size;
        const lines = (unfinished + decoder.write(chunk.subarray(0, size))).split("\n");
        unfinished = lines.pop() ?? "";
        lines.forEach(onLine);
      }
    } catch (error) {
      // Thrown from a timer, it would end the process.
      failure = { error };
    }
  };

  const timer = setInterval(readMore, EVERY_MS);
  return () => {
    clearInterval(timer);
    readMore();
    closeSync(opened);
    if (failure !== undefined) throw failure.error;
  };
}
