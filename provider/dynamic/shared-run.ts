import type { HookContext } from "../hooks/context.js";
import type { Properties } from "../state/recorded-fields.js";
import { toHostError } from "./host-error.js";
import { watchHost } from "./host-process.js";
import { createRun, type Run } from "./run.js";

// All entries of the package share one run in a process, so that they share its memory and what it learns of an address.

/** Stack configuration as the host passes it. */
export interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

const host = watchHost();
let thisRun: Promise<Run> | undefined;
/** The entries that have got the configuration of this run. */
const configured = new Set<string>();

/**
 * Configures the run. The host gives each entry the same configuration, so the first one counts. An entry that is
 * configured again begins another run.
 */
export function configureRun(entry: string, { config }: ConfigureRequest): Promise<void> {
  if (configured.has(entry) || configured.size === 0) {
    configured.clear();
    thisRun = createRun((key) => config.get(key), host.stopping, host.engine);
  }
  configured.add(entry);
  return Promise.resolve();
}

/**
 * Runs a hook: configured, within its deadline, and with a clean Error as its only failure.
 *
 * @param properties those that the host read from its request, by which the URN is found
 */
export async function run<T>(
  properties: Properties,
  hook: (context: HookContext) => T | Promise<T>,
): Promise<T> {
  return host.whileWorking(async () => {
    try {
      const { runHook } = await (thisRun ??= createRun(() => undefined, host.stopping, host.engine));
      return await runHook(host.urnOf(properties), hook);
    } catch (error) {
      throw toHostError(error);
    }
  });
}
