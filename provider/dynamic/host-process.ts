import { createRequire } from "node:module";
import {
  parseEngineAddress,
  type ProviderProcess,
  unwatchedProcess,
  watchProcess,
} from "../run/provider-process.js";
import { debug } from "../session/debug.js";
import { isObject } from "../text/json.js";

/**
 * What the dynamic-provider host lacks: news of a canceled run, a clean exit on a signal, and an end when the CLI is
 * gone. docs/internals/pulumi-host.md has the facts and their places in Pulumi's source.
 */
export interface HostProcess extends ProviderProcess {
  /** Address of Pulumi's engine. Undefined outside of Pulumi's host. */
  readonly engine: string | undefined;
  /** Returns the URN of the resource whose properties a hook got. Undefined where it is not known. */
  urnOf(properties: object): string | undefined;
}

const HOST_SCRIPT = /@pulumi[\\/]pulumi[\\/]cmd[\\/]dynamic-provider/;

/** Watches over this process when it is Pulumi's host. Elsewhere, for example in a test, it only counts the work. */
export function watchHost(): HostProcess {
  const [, script = "", argument] = process.argv;
  if (!HOST_SCRIPT.test(script)) {
    return { ...unwatchedProcess(), engine: undefined, urnOf: () => undefined };
  }
  const engine = parseEngineAddress(argument);
  const watched = watchProcess(engine);
  observeCancel(watched.stop);
  const urns = watchRequests(script);
  return { ...watched, engine, urnOf: (properties) => urns.of(properties) };
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
