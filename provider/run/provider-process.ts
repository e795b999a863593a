import http2 from "node:http2";
import { setMaxListeners } from "node:events";
import { debug } from "../session/debug.js";

/** A process that Pulumi's engine calls: how it learns that the run is being stopped, and when it ends. */
export interface ProviderProcess {
  /** Aborts when the run is being stopped. Waits then end, and no new request starts. */
  readonly stopping: AbortSignal;
  /** Stops the run. It is harmless when nothing is under way. */
  readonly stop: () => void;
  /** Keeps the process until the work has ended and its result is sent. */
  readonly whileWorking: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Time for an answer to leave the process before it exits. */
const FLUSH_MS = 100;

/**
 * Watches over this process: it ends cleanly after a signal, and at once when nothing reads its output or the engine is
 * gone.
 *
 * @param engine address of Pulumi's engine. Undefined where it cannot be watched
 */
export function watchProcess(engine: string | undefined): ProviderProcess {
  const counted = countWork(engine === undefined ? Promise.resolve() : exitWithoutEngine(engine));
  exitWithoutReader();
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    // The engine ends every command with SIGINT, and waits five seconds for a plugin that does not exit.
    process.on(signal, () => counted.exit(code));
  }
  return counted;
}

/** Counts the work of a process without watching over it, for example in a test. */
export function unwatchedProcess(): ProviderProcess {
  return countWork(Promise.resolve());
}

interface CountedWork extends ProviderProcess {
  /** Stops the run, and exits as soon as no work is under way. At once when it is called again. */
  readonly exit: (code: number) => void;
}

/** @param ready when work may start */
function countWork(ready: Promise<void>): CountedWork {
  const stopping = new AbortController();
  // Every call that waits listens to the signal. Node would warn of a leak.
  setMaxListeners(0, stopping.signal);
  const stop = () => stopping.abort(new Error("the run is being stopped"));
  let working = 0;
  let exitWhenIdle: (() => void) | undefined;
  return {
    stopping: stopping.signal,
    stop,
    exit(code) {
      if (working === 0 || exitWhenIdle !== undefined) process.exit(code);
      stop();
      exitWhenIdle = () =>
        setTimeout(() => {
          // A call that came meanwhile gets its answer, too.
          if (working === 0) process.exit(code);
        }, FLUSH_MS);
    },
    async whileWorking(work) {
      working += 1;
      try {
        await ready;
        return await work();
      } finally {
        working -= 1;
        if (working === 0) exitWhenIdle?.();
      }
    },
  };
}

/** Returns the engine's address from the argument of a provider's process. Undefined when it is none. */
export function parseEngineAddress(argument: string | undefined): string | undefined {
  return argument !== undefined && /^[\w.:[\]-]+:\d+$/.test(argument) ? argument : undefined;
}

/** Ends the process when nothing reads its output any more. Pulumi's own host would fail on each line forever. */
function exitWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));
}

/** Time that the first call waits for the engine, which is on the same machine. */
const ENGINE_MS = 1_000;

/**
 * Ends the process when the engine is gone, because a killed CLI must not leave a plugin that goes on deleting. A
 * connection to it closes when the engine's process ends, and is refused
 * when it ended before.
 *
 * @returns when work may start
 */
function exitWithoutEngine(address: string): Promise<void> {
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
