import "./node-version.js"; // first, because it explains why the others cannot be loaded
import type { OutcomeEvent } from "../report/outcome-event.js";
import { createClient, type ServiceClient } from "../service/client.js";
import { createTransport } from "../service/http/transport.js";
import { AttemptGate, PROCESS_CLOCK } from "../service/retry/attempt-gate.js";
import type { CallScope, Effects } from "../service/retry/call.js";
import type { Limits } from "../service/retry/judge.js";
import { readSettings } from "../settings/read-settings.js";
import { readTokenFile } from "../settings/token-setting.js";
import type { ConfigurationOrigin, Settings } from "../settings/settings.js";
import type { SafeText } from "../text/safe-text.js";
import { VERSION } from "../version.js";

/** What a session is made of. */
export interface SessionOptions {
  /** Returns stack configuration by key, for example `konnect:region`. */
  readonly config: (key: string) => string | undefined;
  /** What the keys of the configuration begin with. Default: `konnect`. */
  readonly namespace?: SafeText;
  /** Where the configuration comes from. Default: the stack configuration of the last `up`. */
  readonly origin?: ConfigurationOrigin;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly emit: (event: OutcomeEvent) => void;
  /** Aborts when the work has to stop. Waits then end, and no new request starts. */
  readonly signal: AbortSignal;
  /** Time that a request under way then gets to end, in milliseconds. Default: five seconds. */
  readonly graceMs?: number;
}

/** What the calls of one run share: its settings, its token, and what it has learned of each address. */
export interface Session {
  readonly settings: Settings;
  readonly client: ServiceClient;
  /** The scope of calls that have no deadline of their own. */
  readonly scope: CallScope;
}

/** Reads the settings and creates a client of the service. Never throws: an unusable setting is reported when it is used. */
export function createSession({ env, emit, signal, graceMs, ...sources }: SessionOptions): Session {
  const warn = (text: Extract<OutcomeEvent, { type: "warning" }>["text"]) => emit({ type: "warning", text });
  const settings = readSettings({ ...sources, env, readTokenFile, warn });
  const { limits, tokens, concurrency } = settings;
  const client = createClient({ limits, tokens, effects: createEffects(concurrency, limits, graceMs) });
  return { settings, client, scope: { signal, deadlineMs: Infinity, emit } };
}

/** Returns the present in monotonic milliseconds, as the deadline of a {@link CallScope} counts them. */
export function monotonicNowMs(): number {
  return PROCESS_CLOCK.now();
}

function createEffects(concurrency: number, limits: Limits, graceMs: number | undefined): Effects {
  return {
    clock: PROCESS_CLOCK,
    gate: new AttemptGate(concurrency, limits, PROCESS_CLOCK),
    send: createTransport(concurrency, `pulumi-konnect-control-planes/${VERSION}`, graceMs),
    random: Math.random,
    epochMs: Date.now,
  };
}
