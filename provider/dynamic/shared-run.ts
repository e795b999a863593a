import type { CheckResult } from "../hooks/check.js";
import type { Created, DiffResult, HookContext, ReadResult, Updated } from "../hooks/context.js";
import type { ResourceHooks } from "../run/resource-hooks.js";
import { createRun, type Run } from "../run/run.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { debug } from "../session/debug.js";
import type { Properties } from "../state/recorded-fields.js";
import { describeDefect } from "../text/message.js";
import { safe } from "../text/safe-text.js";
import { watchHost } from "./host-process.js";

// All entries of the package share one run in a process, so that they share its ledger and what it learns of an address.

/** Stack configuration as the host passes it. */
export interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

/** The hooks of a resource type, as the dynamic-provider host calls them. */
export interface Entry {
  /**
   * Takes the stack configuration. It stores its promise at once, because the host makes other calls before this one
   * returns. It never throws, because the host would go on unconfigured.
   */
  readonly configure: (request: ConfigureRequest) => Promise<void>;
  readonly check: (olds: Properties, news: Properties) => Promise<CheckResult>;
  readonly diff: (id: string, olds: Properties, news: Properties) => Promise<DiffResult>;
  readonly create: (inputs: Properties) => Promise<Created>;
  readonly read: (id: string, properties: Properties) => Promise<ReadResult>;
  readonly update: (id: string, olds: Properties, news: Properties) => Promise<Updated>;
  readonly delete: (id: string, outputs: Properties) => Promise<void>;
}

/** Creates the entry of a resource type. Its functions are called without it. */
export function createEntry(name: string, hooks: ResourceHooks): Entry {
  return {
    configure: (request) => configureRun(name, request),
    check: (_olds, news) => run(news, (context) => hooks.check(context, news)),
    diff: (id, olds, news) => run(news, (context) => hooks.diff(context, id, olds, news)),
    create: (inputs) =>
      run(inputs, async (context) => {
        const { id, outs, unfinished } = await hooks.create(context, inputs);
        if (unfinished !== undefined) throw new PartialFailure(unfinished, id, outs, inputs);
        return { id, outs };
      }),
    read: (id, properties) => run(properties, (context) => hooks.read(context, id, properties)),
    update: (id, olds, news) =>
      run(news, async (context) => {
        const { outs, unfinished } = await hooks.update(context, id, olds, news);
        if (unfinished !== undefined) throw new PartialFailure(unfinished, id, outs, news);
        return { outs };
      }),
    delete: (id, outputs) => run(outputs, (context) => hooks.delete(context, id, outputs)),
  };
}

const host = watchHost();
let thisRun: Promise<Run> | undefined;
/** The entries that have got the configuration of this run. */
const configured = new Set<string>();

/**
 * Configures the run. The host gives each entry the same configuration, so the first one counts. An entry that is
 * configured again begins another run.
 */
function configureRun(entry: string, { config }: ConfigureRequest): Promise<void> {
  if (configured.has(entry) || configured.size === 0) {
    configured.clear();
    thisRun = startRun((key) => config.get(key));
    // Each hook awaits it, and fails with it.
    thisRun.catch(() => undefined);
  }
  configured.add(entry);
  return Promise.resolve();
}

function startRun(config: (key: string) => string | undefined): Promise<Run> {
  const { stopping, engine } = host;
  // The CLI shows at once what a hook prints, below the row of the stack.
  // eslint-disable-next-line no-console -- the console is the only channel that the host provides
  return createRun({ config, stopping, engine, print: (line) => console.log(line) });
}

/**
 * Runs a hook: configured, within its deadline, and with a clean Error as its only failure.
 *
 * @param properties those that the host read from its request, by which the URN is found
 */
function run<T>(properties: Properties, hook: (context: HookContext) => T | Promise<T>): Promise<T> {
  return host.whileWorking(async () => {
    try {
      const { runHook } = await (thisRun ??= startRun(() => undefined));
      return await runHook(host.urnOf(properties), hook);
    } catch (error) {
      throw toHostError(error);
    }
  });
}

/**
 * Returns the error that a hook throws to the dynamic-provider host.
 *
 * The host prints `${error}: ${error.stack}` besides its message. That becomes one short line that names the control
 * plane, because under --diff the CLI names no resource.
 */
export function toHostError(error: unknown): Error {
  debug("a hook failed", error);
  if (error instanceof PartialFailure) {
    const { cause, id, properties } = error;
    const made = toHostError(cause);
    return Object.assign(made, { id, properties, reasons: [made.message] });
  }
  if (error instanceof ControlPlaneError) return hostError(error.message, error.subject, error.summary);
  const { what, message } = describeDefect(error, safe`pulumi-konnect-control-planes; the state is kept`);
  return hostError(message, "pulumi-konnect-control-planes", `internal error: ${what}`);
}

function hostError(message: string, subject: string, summary: string): Error {
  const error = new Error(message);
  error.stack = summary;
  error.toString = () => subject;
  return error;
}

/**
 * A create or update that failed after the service had done a part of it. The host sends its members and the reasons to
 * the engine, which records the id and the properties, stores the reasons as `initErrors`, and calls `update` in the
 * next `up`.
 */
export class PartialFailure extends Error {
  readonly properties: Properties;

  constructor(
    override readonly cause: Error,
    readonly id: string,
    outs: Properties,
    { __provider }: Properties,
  ) {
    super(cause.message);
    // The host adds the text of the provider to every result but this one.
    this.properties = { ...outs, __provider };
  }
}
