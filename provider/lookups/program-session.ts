import { setMaxListeners } from "node:events";
import * as pulumi from "@pulumi/pulumi";
import { createConsoleSink } from "../report/console-sink.js";
import type { OutcomeEvent } from "../report/outcome-event.js";
import type { SafeText } from "../text/safe-text.js";
import { type LookUpSession, recordSelections } from "./look-up-source.js";

interface Run {
  readonly sources: string;
  readonly session: Promise<LookUpSession>;
}

/**
 * The session of each run. A run is known by its connection to the engine, because one process can have many: the
 * Automation API runs inline programs one after the other, and at the same time.
 */
const runs = new WeakMap<object, Run>();

/** Stands for the run of a program that runs without Pulumi. */
const WITHOUT_ENGINE = {};

/**
 * Returns the session of the run that the caller belongs to. Another stack configuration or environment makes another
 * session.
 */
export function programSession(): Promise<LookUpSession> {
  const engine = pulumi.runtime.getMonitor() ?? WITHOUT_ENGINE;
  const config = entriesOf(pulumi.runtime.allConfig(), "konnect:");
  const env = entriesOf(process.env, "KONNECT_");
  const sources = JSON.stringify([config, env]);
  const known = runs.get(engine);
  if (known?.sources === sources) return known.session;
  const session = open(Object.fromEntries(config), Object.fromEntries(env));
  runs.set(engine, { sources, session });
  return session;
}

async function open(
  config: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<LookUpSession> {
  // Loaded when it is needed: most programs look up nothing, and the HTTP client takes a while to load.
  const { createSession } = await import("../session/session.js");
  // eslint-disable-next-line no-console -- the CLI shows at once what a program prints
  const emit: (event: OutcomeEvent) => void = createConsoleSink((line) => console.log(line));
  // A program ends with its process. Each call ends with its retry budget.
  const { signal } = new AbortController();
  // Every call that waits listens to the signal. Node would warn of a leak.
  setMaxListeners(0, signal);
  const said = new Set<string>();
  const session = createSession({ config: (key) => config[key], env, emit, signal });
  const warn = (text: SafeText) => emit({ type: "warning", text });
  const [project, stack] = [pulumi.getProject(), pulumi.getStack()];
  return { ...session, emit, said, project, stack, record: recordIn(session.settings.reportFiles, warn) };
}

function recordIn(paths: readonly string[], warn: (text: SafeText) => void): LookUpSession["record"] {
  const record = recordSelections(paths, warn);
  return (line) => (pulumi.runtime.isDryRun() ? Promise.resolve() : record(line));
}
function entriesOf(
  values: Readonly<Record<string, string | undefined>>,
  prefix: string,
): readonly (readonly [string, string])[] {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => entry[0].startsWith(prefix) && entry[1] !== undefined)
    .sort();
}
