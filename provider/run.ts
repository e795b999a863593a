import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { HookContext } from "./hooks/context.js";
import { RunMemory } from "./hooks/run-memory.js";
import type { Host } from "./host.js";
import { createProgress, type Progress } from "./progress.js";
import { createClient, type ServiceClient } from "./service/client.js";
import { disarm } from "./service/foreign-text.js";
import { type Clock, createPacer } from "./service/pacer.js";
import type { Effects } from "./service/call.js";
import { createTransport } from "./service/transport.js";
import { readSettings, type Settings } from "./settings.js";
import { VERSION } from "./version.js";

/** What the hooks of one run share. */
export interface Run {
  readonly settings: Settings;
  /** Gives the context of one hook, whose calls end when the deadline's signal aborts. */
  readonly contextUntil: (deadline: AbortSignal) => HookContext;
}

/** Joins the parts of a run: settings, service client, memory and the console. */
export function createRun(config: (key: string) => string | undefined, host: Host): Run {
  const settings = readSettings({ config, env: process.env, readFile: (path) => readFileSync(path, "utf8") });
  // The CLI shows what a hook prints at once, under the stack's row.
  // eslint-disable-next-line no-console -- the console is the only channel that the host gives
  const log = (line: string) => console.log(disarm(line));
  const progress = createProgress(log);
  const memory = new RunMemory();
  const effects = createEffects(settings.concurrency);
  const contextUntil = (deadline: AbortSignal): HookContext => {
    const client = createClient({
      limits: settings.limits,
      tokens: settings.tokens,
      effects,
      stopping: AbortSignal.any([host.stopping, deadline]),
      stopped: AbortSignal.any([host.stopped, deadline]),
      onRetry: (retry) => progress.onRetry(retry),
    });
    return { settings, client: reporting(client, progress), memory, log };
  };
  return { settings, contextUntil };
}

function createEffects(concurrency: number): Effects {
  const clock: Clock = {
    now: () => performance.now(),
    sleep: (ms, signal) => delay(ms, undefined, { signal }),
  };
  return {
    clock,
    pacer: createPacer(concurrency, clock),
    send: createTransport(concurrency, `pulumi-konnect-control-planes/${VERSION}`),
    random: Math.random,
    epochMs: Date.now,
  };
}

/** Counts how calls end, for the progress lines. */
function reporting(client: ServiceClient, progress: Progress): ServiceClient {
  return {
    async deleteControlPlane(target) {
      try {
        const deletion = await client.deleteControlPlane(target);
        progress.onEnd(target.id, "deleted");
        return deletion;
      } catch (error) {
        progress.onEnd(target.id, "failed");
        throw error;
      }
    },
    getControlPlane: (target, options) =>
      client.getControlPlane(target, options).finally(() => progress.onEnd(target.id)),
  };
}
