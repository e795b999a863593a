import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import http2 from "node:http2";
import { harmless } from "./service/foreign-text.js";

/**
 * What the dynamic-provider host does not give: word of a cancelled run, a clean exit on a signal, and an end when the
 * CLI is gone. docs/pulumi-host.md has the facts, with where they stand in Pulumi's source.
 */
export interface Host {
  /** Aborts when the run is being stopped: no wait goes on, no request begins. */
  readonly stopping: AbortSignal;
  /** Aborts {@link GRACE_MS} later: a request in flight is cut off. */
  readonly stopped: AbortSignal;
  /** Holds the process until the work has ended and been answered. */
  whileWorking<T>(work: () => Promise<T>): Promise<T>;
}

/** A request in flight may end by itself for this long: its answer says whether the control plane still exists. */
const GRACE_MS = 5_000;

/** Time for an answer to leave the process before it exits. */
const FLUSH_MS = 100;

/** Watches over this process, where it is Pulumi's host; elsewhere, in a test for example, it only counts. */
export function watchHost(): Host {
  const stopping = new AbortController();
  const stopped = new AbortController();
  // Every call that waits listens: that is no leak to warn of.
  setMaxListeners(0, stopping.signal, stopped.signal);
  let working = 0;
  let exitWhenIdle: (() => void) | undefined;
  let engineSeen: Promise<void> | undefined;

  const stop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort(new Error("the run is being stopped"));
    setTimeout(() => stopped.abort(new Error("the run was stopped")), GRACE_MS).unref();
  };

  if (isPulumiHost()) {
    observeCancel(stop);
    exitWithoutReader();
    engineSeen = exitWithoutEngine();
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      // A handler that does not exit would cost every Pulumi command the five seconds that the engine waits for it.
      process.on(signal, () => {
        if (working === 0 || exitWhenIdle !== undefined) process.exit(code);
        stop();
        exitWhenIdle = () => setTimeout(() => process.exit(code), FLUSH_MS);
      });
    }
  }

  return {
    stopping: stopping.signal,
    stopped: stopped.signal,
    async whileWorking(work) {
      working += 1;
      try {
        await engineSeen;
        return await work();
      } finally {
        working -= 1;
        if (working === 0) exitWhenIdle?.();
      }
    },
  };
}

const HOST_SCRIPT = /@pulumi[\\/]pulumi[\\/]cmd[\\/]dynamic-provider/;

function isPulumiHost(): boolean {
  return HOST_SCRIPT.test(process.argv[1] ?? "");
}

/**
 * Sees the engine's Cancel call, which the host answers and ignores: its request is a `google.protobuf.Empty`, and
 * after the start nothing else reads one. Where that changes, a run is merely not cut short.
 */
function observeCancel(onCancel: () => void): void {
  try {
    const requireAsHost = createRequire(process.argv[1] ?? "");
    const { Empty } = requireAsHost("google-protobuf/google/protobuf/empty_pb.js") as EmptyModule;
    const deserialize = Empty.deserializeBinary.bind(Empty);
    Empty.deserializeBinary = (bytes) => {
      onCancel();
      return deserialize(bytes);
    };
  } catch (error) {
    debug("Cancel cannot be observed", error);
  }
}

interface EmptyModule {
  readonly Empty: { deserializeBinary: (bytes: Uint8Array) => unknown };
}

/** Ends the process when nobody reads its output any more; the host itself would spin on the error for ever. */
function exitWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));
}

/** How long the first call may wait for word of the engine, which is on the same machine. */
const ENGINE_MS = 1_000;

/**
 * Ends the process when the engine is gone: a killed CLI must not leave an orphan that goes on deleting. The engine's
 * address is the host's argument; a connection to it closes when the engine's process ends, however it ends, and is
 * refused when that was before this code was loaded. Gives when work may begin.
 */
function exitWithoutEngine(): Promise<void> {
  const address = process.argv[2];
  if (address === undefined || !/^[\w.:[\]-]+:\d+$/.test(address)) return Promise.resolve();
  const session = http2.connect(`http://${address}`);
  let connected = false;
  return new Promise((resolve) => {
    session.on("connect", () => {
      connected = true;
      session.unref();
      resolve();
    });
    session.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") process.exit(1);
      debug("the engine cannot be watched", error);
      resolve();
    });
    session.on("close", () => {
      if (connected) process.exit(1);
    });
    setTimeout(resolve, ENGINE_MS).unref();
  });
}

/** Prints what only the maintainers of this package want to know, when KONNECT_DEBUG=1 asks for it. */
export function debug(what: string, error: unknown): void {
  if (process.env.KONNECT_DEBUG !== "1") return;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = told.split("\n", 50).map((line) => harmless(line, 1_000));
  process.stderr.write(`pulumi-konnect-control-planes: ${what}: ${lines.join("\n    ")}\n`);
}
