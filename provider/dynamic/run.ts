import { randomUUID } from "node:crypto";
import type { HookContext } from "../hooks/context.js";
import { RunMemory } from "../hooks/run-memory.js";
import { createConsoleSink } from "../report/console-sink.js";
import type { OutcomeEvent } from "../report/outcome-event.js";
import type { Limits } from "../service/retry/limits.js";
import { createSession, monotonicNowMs } from "../session/session.js";
import type { SafeText } from "../text/safe-text.js";
import { withDeadline } from "./deadline.js";

/** What the hooks of one run share. */
export interface Run {
  /** Runs a hook within its deadline. */
  readonly runHook: <T>(hook: (context: HookContext) => T | Promise<T>) => Promise<T>;
}

/**
 * Puts a run together: settings, service client, memory, console and report file.
 *
 * @param config returns stack configuration by key
 * @param stopping aborts when the run is being stopped
 */
export async function createRun(
  config: (key: string) => string | undefined,
  stopping: AbortSignal,
): Promise<Run> {
  // The CLI shows at once what a hook prints, below the row of the stack.
  // eslint-disable-next-line no-console -- the console is the only channel that the host provides
  const sinks: Sink[] = [createConsoleSink((line) => console.log(line))];
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
  const memory = new RunMemory();
  return {
    runHook: (hook) => {
      const ms = hookLimitMs(settings.limits);
      const deadlineMs = monotonicNowMs() + ms;
      return withDeadline(stopping, ms, async (signal) =>
        hook({
          settings,
          client,
          memory,
          nowMs: Date.now,
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
