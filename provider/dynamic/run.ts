import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { HookContext } from "../hooks/context.js";
import { RunMemory } from "../hooks/run-memory.js";
import { createConsoleSink } from "../report/console-sink.js";
import type { OutcomeEvent } from "../report/outcome-event.js";
import { createReportFile } from "../report/report-file.js";
import { createClient } from "../service/client.js";
import { createTransport } from "../service/http/transport.js";
import { AttemptGate } from "../service/retry/attempt-gate.js";
import type { Clock } from "../service/retry/clock.js";
import type { Effects } from "../service/retry/effects.js";
import type { Limits } from "../service/retry/limits.js";
import { readSettings } from "../settings/read-settings.js";
import { readTokenFile } from "../settings/token-file.js";
import type { SafeText } from "../text/safe-text.js";
import { VERSION } from "../version.js";
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
export function createRun(config: (key: string) => string | undefined, stopping: AbortSignal): Run {
  // The CLI shows at once what a hook prints, below the row of the stack.
  // eslint-disable-next-line no-console -- the console is the only channel that the host provides
  const print: Sink = createConsoleSink((line) => console.log(line));
  const warn = (text: SafeText) => print({ type: "warning", text });
  const settings = readSettings({ config, env: process.env, readTokenFile, warn });
  const { limits, tokens, concurrency } = settings;
  const sinks = [print, ...reportSinks(settings.reportFile, warn)];
  const emit: Sink = (event) => sinks.forEach((sink) => sink(event));
  const effects = createEffects(concurrency, limits);
  const client = createClient({ limits, tokens, effects });
  const memory = new RunMemory();
  return {
    runHook: (hook) => {
      const ms = hookLimitMs(limits);
      const deadlineMs = effects.clock.now() + ms;
      return withDeadline(stopping, ms, async (signal) =>
        hook({ settings, client, memory, nowMs: Date.now, emit, signal, deadlineMs }),
      );
    },
  };
}

type Sink = (event: OutcomeEvent) => void;

function reportSinks(path: string | undefined, warn: (text: SafeText) => void): readonly Sink[] {
  if (path === undefined) return [];
  return [createReportFile({ path, runId: randomUUID(), epochMs: Date.now, warn })];
}

function createEffects(concurrency: number, limits: Limits): Effects {
  const clock: Clock = {
    now: () => performance.now(),
    sleep: (ms, signal) => delay(ms, undefined, { signal }),
  };
  return {
    clock,
    gate: new AttemptGate(concurrency, limits, clock),
    send: createTransport(concurrency, `pulumi-konnect-control-planes/${VERSION}`),
    random: Math.random,
    epochMs: Date.now,
  };
}

/**
 * Returns the outermost time limit: six hours, the usual limit of pipeline jobs, and longer only where the settings ask
 * for it. A call can wait for a pause of almost a whole budget before each of its attempts.
 */
function hookLimitMs({ maxAttempts, budgetMs, requestTimeoutMs }: Limits): number {
  return Math.max(6 * 3_600_000, maxAttempts * (budgetMs + requestTimeoutMs));
}
