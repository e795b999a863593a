import { setMaxListeners } from "node:events";
import http2 from "node:http2";
import { createRequire } from "node:module";
import { debug } from "../session/debug.js";
import { watchRequests } from "./request-urns.js";

/**
 * What the dynamic-provider host lacks: news of a canceled run, a clean exit on a signal, and an end when the CLI is
 * gone. docs/pulumi-host.md has the facts and their places in Pulumi's source.
 */
export interface HostProcess {
  /** Aborts when the run is being stopped. Waits then end, and no new request starts. */
  readonly stopping: AbortSignal;
  /** Address of Pulumi's engine. Undefined outside of Pulumi's host. */
  readonly engine: string | undefined;
  /** Keeps the process until the work has ended and its result is sent. */
  whileWorking<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the URN of the resource whose properties a hook got. Undefined where it is not known. */
  urnOf(properties: object): string | undefined;
}

/** Time for an answer to leave the process before it exits. */
const FLUSH_MS = 100;

/** Watches over this process when it is Pulumi's host. Elsewhere, for example in a test, it only counts the work. */
export function watchHost(): HostProcess {
  const stopping = new AbortController();
  // Every call that waits listens to the signal. Node would warn of a leak.
  setMaxListeners(0, stopping.signal);
  let working = 0;
  let exitWhenIdle: (() => void) | undefined;
  let engineSeen: Promise<void> | undefined;

  const stop = () => stopping.abort(new Error("the run is being stopped"));

  const isHost = isPulumiHost();
  const urns = isHost ? watchRequests(process.argv[1] ?? "") : undefined;
  if (isHost) {
    observeCancel(stop);
    exitWithoutReader();
    engineSeen = exitWithoutEngine();
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      // The engine ends every command with SIGINT, and waits five seconds for a plugin that does not exit.
      process.on(signal, () => {
        if (working === 0 || exitWhenIdle !== undefined) process.exit(code);
        stop();
        exitWhenIdle = () =>
          setTimeout(() => {
            // A hook that came meanwhile gets its answer, too.
            if (working === 0) process.exit(code);
          }, FLUSH_MS);
      });
    }
  }

  return {
    stopping: stopping.signal,
    engine: isHost ? engineAddress() : undefined,
    urnOf: (properties) => urns?.of(properties),
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
 * Observes the engine's Cancel call, which the host answers and ignores. Its request is a `google.protobuf.Empty`, and
 * after the start nothing else reads one. Without it, a canceled run stops later.
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

/** Ends the process when nothing reads its output any more. The host itself would fail on each line forever. */
function exitWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));
}

/** The engine's address is the argument of the host. */
function engineAddress(): string | undefined {
  const address = process.argv[2];
  return address !== undefined && /^[\w.:[\]-]+:\d+$/.test(address) ? address : undefined;
}

/** Time that the first call waits for the engine, which is on the same machine. */
const ENGINE_MS = 1_000;

/**
 * Ends the process when the engine is gone, because a killed CLI must not leave a plugin that goes on deleting. The
 * engine's address is the argument of the host. A connection to it closes when the engine's process ends, and is refused
 * when it ended before.
 *
 * @returns when work may start
 */
function exitWithoutEngine(): Promise<void> {
  const address = engineAddress();
  if (address === undefined) return Promise.resolve();
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
