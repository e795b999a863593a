import { randomUUID } from "node:crypto";
import type { HookContext } from "../hooks/context.js";
import { Deletions } from "../hooks/deletions.js";
import { Ledger } from "../hooks/ledger.js";
import { Refreshes } from "../hooks/refreshes.js";
import { createConsoleSink } from "../report/console-sink.js";
import type { OutcomeEvent } from "../report/outcome-event.js";
import { LONGEST_TIMER_MS, withTimeLimit } from "../service/http/transport.js";
import type { Limits } from "../service/retry/judge.js";
import { createSession, monotonicNowMs } from "../session/session.js";
import type { SafeText } from "../text/safe-text.js";
import { shareLedgers } from "./shared-ledgers.js";

/** What the hooks of one run share. */
export interface Run {
  /**
   * Runs a hook within its deadline.
   *
   * @param urn of the resource. Undefined if it is not known
   */
  readonly runHook: <T>(
    urn: string | undefined,
    hook: (context: HookContext) => T | Promise<T>,
  ) => Promise<T>;
}

/**
 * Puts a run together: settings, service client, ledger, console and report file.
 *
 * @param config returns stack configuration by key
 * @param stopping aborts when the run is being stopped
 * @param engine address of Pulumi's engine, which all provider processes of a run have in common. Undefined if there
 * is none: the run has no other process then
 */
export async function createRun(
  config: (key: string) => string | undefined,
  stopping: AbortSignal,
  engine?: string,
): Promise<Run> {
  // The CLI shows at once what a hook prints, below the row of the stack.
  // eslint-disable-next-line no-console -- the console is the only channel that the host provides
  const sinks: Sink[] = [createConsoleSink((line) => console.log(line), true)];
  const emit: Sink = (event) => sinks.forEach((sink) => sink(event));
  const { settings, client } = createSession({ config, env: process.env, emit, signal: stopping });
  const warn = (text: SafeText) => emit({ type: "warning", text });
  const runId = randomUUID();
  if (settings.reportFiles.length > 0) {
    const { createReportFile } = await import("../report/report-file.js");
    for (const path of settings.reportFiles) {
      sinks.push(createReportFile({ path, runId, epochMs: Date.now, warn }));
    }
  }
  const ledger = new Ledger(engine === undefined ? undefined : shareLedgers(engine));
  const refreshes = new Refreshes();
  const deletions = new Deletions();
  const said = new Set<string>();
  return {
    runHook: (urn, hook) => {
      const ms = hookLimitMs(settings.limits);
      const deadlineMs = monotonicNowMs() + ms;
      return withDeadline(stopping, ms, async (signal) =>
        hook({
          settings,
          client,
          ledger,
          refreshes,
          deletions,
          said,
          urn,
          epochMs: Date.now,
          monotonicMs: monotonicNowMs,
          randomId: randomUUID,
          emit,
          signal,
          deadlineMs,
        }),
      );
    },
  };
}

type Sink = (event: OutcomeEvent) => void;

/**
 * Returns the outermost time limit: six hours, the usual limit of pipeline jobs, and longer only where the settings ask
 * for it. A call can wait for a pause of almost a whole budget before each of its attempts.
 */
function hookLimitMs({ maxAttempts, budgetMs, requestTimeoutMs }: Limits): number {
  return Math.max(6 * 3_600_000, maxAttempts * (budgetMs + requestTimeoutMs));
}

/** Time between the deadline and giving up on work that does not end. */
const GRACE_MS = 10_000;

/**
 * Runs work under a deadline. The signal of the work aborts at the deadline, or when `stop` does. Work that has not
 * ended some seconds after the deadline is given up.
 */
export async function withDeadline<T>(
  stop: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () => new Error(`a hook did not end within ${Math.round(ms / 60_000)} minutes`);
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.min(ms + GRACE_MS, LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([withTimeLimit(stop, ms, late, work), givenUp]);
  } finally {
    clearTimeout(timer);
  }
}
