import { randomUUID } from "node:crypto";
import type { HookContext } from "../hooks/context.js";
import { Deletions } from "../hooks/deletions.js";
import { Ledger } from "../hooks/ledger.js";
import { Refreshes } from "../hooks/refreshes.js";
import { createConsoleSink } from "../report/console-sink.js";
import type { OutcomeEvent } from "../report/outcome-event.js";
import { LONGEST_TIMER_MS, withTimeLimit } from "../service/http/transport.js";
import type { Limits } from "../service/retry/judge.js";
import { createSession, monotonicNowMs, type Session, type SessionOptions } from "../session/session.js";
import type { SafeText } from "../text/safe-text.js";
import { shareLedgers } from "./shared-ledgers.js";

/** What the hooks of one run share. */
export interface Run {
  /**
   * Runs a hook within its deadline.
   *
   * @param urn of the resource. Undefined where it is not known
   * @param budgetMs time for each call with all its retries. Default: the budget in the settings
   */
  readonly runHook: <T>(
    urn: string | undefined,
    hook: (context: HookContext) => T | Promise<T>,
    budgetMs?: number,
  ) => Promise<T>;
  /** What all hooks share. The scope of its calls has no deadline. */
  readonly session: Session & { readonly emit: (event: OutcomeEvent) => void; readonly said: Set<string> };
}

/** What a run is made of. */
export interface RunOptions extends Pick<SessionOptions, "config" | "namespace" | "origin"> {
  /** Aborts when the run is being stopped. */
  readonly stopping: AbortSignal;
  /**
   * Address of Pulumi's engine, which all provider processes of a run have in common. Undefined where there is none: the
   * run has no other process then.
   */
  readonly engine?: string | undefined;
  /** Prints a line about a resource, or about the whole run when there is no URN. */
  readonly print: (line: SafeText, urn: string | undefined) => void;
}

/** Puts a run together: settings, service client, ledger, console and report file. Both fronts use it. */
export async function createRun({ stopping, engine, print, ...options }: RunOptions): Promise<Run> {
  const sinks: Sink[] = [createConsoleSink(print, true)];
  const emit: Sink = (event, urn) => sinks.forEach((sink) => sink(event, urn));
  const session = createSession({ ...options, env: process.env, emit, signal: stopping });
  const { settings, client } = session;
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
    session: { ...session, emit, said },
    runHook: (urn, hook, budgetMs) => {
      const ms = hookLimitMs({ ...settings.limits, ...(budgetMs !== undefined && { budgetMs }) });
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
          emit: (event) => emit(event, urn),
          signal,
          deadlineMs,
          budgetMs,
        }),
      );
    },
  };
}

type Sink = (event: OutcomeEvent, urn?: string) => void;

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
