import "./node-version.js"; // first: it fails with a reason where the others cannot be loaded
import { withDeadline } from "./deadline.js";
import { check as checkHook, type CheckResult } from "./hooks/check.js";
import type { HookContext, Properties } from "./hooks/context.js";
import { create as createHook, type Created } from "./hooks/create.js";
import { deleteResource } from "./hooks/delete.js";
import { diff as diffHook, type DiffResult } from "./hooks/diff.js";
import { read as readHook, type ReadResult } from "./hooks/read.js";
import { update as updateHook, type Updated } from "./hooks/update.js";
import { debug, watchHost } from "./host.js";
import { type Run, createRun } from "./run.js";
import { ControlPlaneError } from "./service/errors.js";
import { harmless } from "./service/foreign-text.js";
import type { Settings } from "./settings.js";

// What the text in the state loads: the object of hooks. Names and argument order are a wire contract for ever.

/** Stack configuration as the host passes it. */
interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

const host = watchHost();
let thisRun: Promise<Run> | undefined;

/**
 * Takes the stack configuration. Never throws, and stores its promise at once: the host lets other calls in before it
 * has returned, and runs on unconfigured when it throws.
 */
export function configure({ config }: ConfigureRequest): Promise<void> {
  thisRun = prepare((key) => config.get(key));
  return Promise.resolve();
}

export function check(_olds: Properties, news: Properties): Promise<CheckResult> {
  return run((ctx) => checkHook(ctx, news));
}

export function diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
  return run((ctx) => diffHook(ctx, id, olds, news));
}

export function create(inputs: Properties): Promise<Created> {
  return run((ctx) => createHook(ctx, inputs));
}

export function read(id: string, properties: Properties): Promise<ReadResult> {
  return run((ctx) => readHook(ctx, id, properties));
}

export function update(_id: string, olds: Properties): Promise<Updated> {
  return run(() => updateHook(olds));
}

async function remove(id: string, outputs: Properties): Promise<void> {
  await run((ctx) => deleteResource(ctx, id, outputs));
}
export { remove as delete };

/** Runs a hook: configured, bounded in time, and with nothing but a clean Error as its failure. */
async function run<T>(hook: (ctx: HookContext) => T | Promise<T>): Promise<T> {
  return host.whileWorking(async () => {
    try {
      const { settings, contextUntil } = await (thisRun ??= prepare(() => undefined));
      return await withDeadline(deadlineMs(settings), (deadline) => hook(contextUntil(deadline)));
    } catch (error) {
      throw toHostError(error);
    }
  });
}

// Async, so that a failure becomes a rejection that every hook sees, and configure itself never throws.
// eslint-disable-next-line @typescript-eslint/require-await -- see above
async function prepare(config: (key: string) => string | undefined): Promise<Run> {
  return createRun(config, host);
}

// The net under all other limits: as long as pipelines let a job run, and longer only where the limits allow more.
function deadlineMs({ limits }: Settings): number {
  return Math.max(6 * 3_600_000, limits.maxAttempts * (limits.budgetMs + limits.requestTimeoutMs));
}

/**
 * Makes the error that leaves this package. The host prints `${error}: ${error.stack}` besides its message: that
 * becomes one short line that names the control plane, since under --diff the CLI names no resource.
 */
function toHostError(error: unknown): Error {
  debug("a hook failed", error);
  if (error instanceof ControlPlaneError) return hostError(error.message, error.subject, error.summary);
  const what = harmless(error instanceof Error ? error.message : String(error), 300);
  return hostError(
    `Internal error: ${what}\n  This is a defect of pulumi-konnect-control-planes; the state is kept. ` +
      "KONNECT_DEBUG=1 shows where it happened: please report it.",
    "pulumi-konnect-control-planes",
    `internal error: ${what}`,
  );
}

function hostError(message: string, subject: string, summary: string): Error {
  const error = new Error(message);
  error.stack = summary;
  error.toString = () => subject;
  return error;
}
