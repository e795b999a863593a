import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { HookContext } from "./hooks/context.js";
import { RunMemory } from "./hooks/run-memory.js";
import type { Host } from "./host.js";
import { createProgress, type Progress } from "./progress.js";
import { createClient, type ServiceClient } from "./service/client.js";
import { type Clock, createPacer } from "./service/pacer.js";
import { createTransport } from "./service/transport.js";
import { readSettings, type Settings } from "./settings.js";
import { VERSION } from "./version.js";

/** Joins the parts that the hooks of one run share: settings, service client, memory and the console. */
export function createContext(config: (key: string) => string | undefined, host: Host): HookContext {
  const settings = readSettings({ config, env: process.env, readFile: (path) => readFileSync(path, "utf8") });
  // The CLI shows what a hook prints at once, under the stack's row.
  // eslint-disable-next-line no-console -- the console is the only channel that the host gives
  const log = (line: string) => console.log(line);
  const progress = createProgress(log);
  const client = reporting(clientOf(settings, host, progress), progress);
  return { settings, client, memory: new RunMemory(), log };
}

const clock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

function clientOf({ limits, tokens, concurrency }: Settings, host: Host, progress: Progress): ServiceClient {
  return createClient({
    limits,
    tokens,
    effects: {
      clock,
      pacer: createPacer(concurrency, clock),
      send: createTransport(concurrency, `pulumi-konnect-control-planes/${VERSION}`),
      random: Math.random,
      epochMs: Date.now,
    },
    stopping: host.stopping,
    stopped: host.stopped,
    onRetry: (retry) => progress.onRetry(retry),
  });
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
      client.getControlPlane(target, options).finally(() => progress.onEnd(target.id, "other")),
  };
}
