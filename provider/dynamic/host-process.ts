import http2 from "node:http2";
import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import { debug } from "../session/debug.js";
import { isObject } from "../text/json.js";

/**
 * What the dynamic-provider host lacks: news of a canceled run, a clean exit on a signal, and an end when the CLI is
 * gone. docs/internals/pulumi-host.md has the facts and their places in Pulumi's source.
 */
export interface HostProcess {
  /** Aborts when the run is being stopped. Waits then end, and no new request starts. */
  readonly stopping: AbortSignal;
  /** Address of Pulumi's engine. Undefined outside of Pulumi's host. */
  readonly engine: string | undefined;
  /** Keeps the process until the work has ended and its result is sent. */
  whileWorking<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the URN of the resource whose properties a hook got. Undefined if it is not known. */
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

/** Ends the process if its output is no longer read. The host itself would fail on each line forever. */
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

/**
 * The URNs of the resources that the host's calls are about. Each request has one, and the host passes only the id and the
 * properties on to a hook. So the readers of the requests note which properties belong to which URN.
 *
 * The first call of a process is read before this package is loaded, so its URN is not known.
 */
export interface RequestUrns {
  /** Returns the URN of the resource whose properties a hook got. Undefined if it is not known. */
  of(properties: object): string | undefined;
}

/** The requests about a resource, each with the reader of the properties that identify its call. */
const READERS = {
  CheckRequest: "getNews",
  DiffRequest: "getNews",
  CreateRequest: "getProperties",
  ReadRequest: "getProperties",
  UpdateRequest: "getNews",
  DeleteRequest: "getProperties",
} as const;

/**
 * Watches the requests of the host that runs in this process. Without it, a resource has no name in messages, and two
 * resources for one control plane are refused less often; nothing that is declared is deleted.
 *
 * @param hostScript path of the host's script
 */
export function watchRequests(hostScript: string): RequestUrns {
  const urns = new WeakMap<object, string>();
  try {
    const requests: unknown = createRequire(hostScript)("../../proto/provider_pb.js");
    for (const [name, reader] of Object.entries(READERS)) noteUrns(requests, name, reader, urns);
  } catch (error) {
    debug("the URNs of requests cannot be read", error);
  }
  return { of: (properties) => urns.get(properties) };
}

/** A request of the host, as its generated code defines it. */
interface Request {
  getUrn(): string;
}

interface Struct {
  toJavaScript(): object;
}

function noteUrns(requests: unknown, name: string, reader: string, urns: WeakMap<object, string>): void {
  const constructor = isObject(requests) ? requests[name] : undefined;
  if (typeof constructor !== "function") throw new Error(`there is no ${name}`);
  const prototype = constructor.prototype as Request & Record<string, (this: Request) => Struct | undefined>;
  const read = prototype[reader];
  if (read === undefined) throw new Error(`${name} has no ${reader}`);
  prototype[reader] = function (this: Request) {
    const struct = read.call(this);
    if (struct === undefined) return undefined;
    const toJavaScript = struct.toJavaScript.bind(struct);
    struct.toJavaScript = () => {
      const properties = toJavaScript();
      urns.set(properties, this.getUrn());
      return properties;
    };
    return struct;
  };
}
