import { setTimeout as delay } from "node:timers/promises";
import type { OutcomeEvent } from "../report/outcome-event.js";
import { createClient, type ServiceClient } from "../service/client.js";
import { createTransport } from "../service/http/transport.js";
import { AttemptGate } from "../service/retry/attempt-gate.js";
import type { CallScope } from "../service/retry/call.js";
import type { Clock } from "../service/retry/clock.js";
import type { Effects } from "../service/retry/effects.js";
import type { Limits } from "../service/retry/limits.js";
import { readSettings } from "../settings/read-settings.js";
import type { Settings } from "../settings/settings.js";
import { readTokenFile } from "../settings/token-file.js";
import { VERSION } from "../version.js";

/** Where a session takes its settings from, and what it reports to. */
export interface SessionOptions {
  /** Returns stack configuration by key, for example `konnect:region`. */
  readonly config: (key: string) => string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly emit: (event: OutcomeEvent) => void;
  /** Aborts when the calls of the session have to end. */
  readonly signal: AbortSignal;
}

/** What it takes to ask the service: settings, a client that obeys them, and the scope of its calls. */
export interface Session {
  readonly settings: Settings;
  readonly client: ServiceClient;
  /** A scope without a deadline. The limits of each call bound it. */
  readonly scope: CallScope;
}

/** Puts a session together: it reads the settings and creates the service client. Sends nothing. */
export function createSession({ config, env, emit, signal }: SessionOptions): Session {
  const warn = (text: Extract<OutcomeEvent, { type: "warning" }>["text"]) => emit({ type: "warning", text });
  const settings = readSettings({ config, env, readTokenFile, warn });
  const { limits, tokens, concurrency } = settings;
  const client = createClient({ limits, tokens, effects: createEffects(concurrency, limits) });
  return { settings, client, scope: { signal, deadlineMs: Infinity, emit } };
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
