import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import engine from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import provider from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { buildPlugin } from "../../tools/plugin/build.js";
import { waitFor } from "../../tools/waiting.js";
import { atEndOfFile } from "../root-hooks.js";

/** The repository's folder. */
export const ROOT = path.resolve(__dirname, "../..");

/** The text that the state of every resource holds. */
export const PROVIDER = 'exports.handler=()=>require("pulumi-konnect-control-planes/v1")';

/** The text that the state of every set holds. */
export const SET_PROVIDER = 'exports.handler=()=>require("pulumi-konnect-control-planes/v1/set")';

/** Properties of a resource as the engine sends them and gets them back. */
export type Properties = Record<string, JavaScriptValue>;

/** The two fronts of the hooks: Pulumi's dynamic-provider host, and the provider plugin. */
export type Front = "dynamic" | "plugin";

/** How the process is started. */
export interface HostOptions {
  /** Default: Pulumi's dynamic-provider host. */
  readonly front?: Front;
  /** The engine's address. Default: one that cannot be watched. */
  readonly engine?: string;
  /** The project's folder. Default: the repository's. */
  readonly folder?: string;
  /** The environment of the process besides PATH. */
  readonly env?: NodeJS.ProcessEnv;
}

/** How the process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly atMs: number;
}

/** A resource as the host returns it. */
export interface Resource {
  readonly id: string;
  readonly properties: Properties;
}

/** What `check` returns. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** No call of these tests takes longer. One that does is not answered at all. */
const ANSWERED_WITHIN_MS = 12_000;

/** Pulumi's mark of a secret on the wire. */
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

const TYPES = {
  dynamic: "pulumi-nodejs:dynamic/konnect:ControlPlane",
  plugin: "konnect-control-planes:index:ControlPlane",
} as const satisfies Readonly<Record<Front, string>>;

/** Returns the URN of a control plane by the name of its resource. */
export function urnOf(name: string, front: Front = "dynamic"): string {
  return `urn:pulumi:dev::scene::${TYPES[front]}::${name}`;
}

/** Marks a value as secret, as the engine sends it. */
export function secret(value: string): JavaScriptValue {
  return { ...SECRET, value };
}

/** Returns the failure of a call. Throws when the call succeeded. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("the call succeeded");
}

/** The process of a front, started and called as the engine does it. */
export class HostProcess {
  /** What the process has printed after its port, or sent to the log of the engine. */
  stdout = "";
  stderr = "";
  /** The resource that the following calls are about. */
  resource = "edge";
  /** The URNs of the lines in the engine's log. */
  readonly loggedUrns: string[] = [];
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #answers: string[] = [];
  #client: ResourceProviderClient | undefined;

  private constructor(
    script: string,
    private readonly front: Front,
    { engine = "none", folder = ROOT, env = {} }: HostOptions,
  ) {
    this.#child = spawn(process.execPath, [script, engine], {
      cwd: folder,
      env: {
        ...{ PATH: process.env.PATH, PULUMI_NODEJS_PROJECT: "scene" },
        NODE_OPTIONS: `--require=${path.join(ROOT, "test/lazy-packages.cjs")}`,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.exited = new Promise((resolve, reject) => {
      this.#child.on("error", reject);
      this.#child.on("exit", (code, signal) => resolve({ code, signal, atMs: performance.now() }));
    });
  }

  static async start({ front = "dynamic", ...options }: HostOptions = {}): Promise<HostProcess> {
    if (front === "plugin") return HostProcess.#startPlugin(options);
    // The SDK's launcher resolves the script from the project's folder, too.
    const fromProject = createRequire(path.join(options.folder ?? ROOT, "index.js"));
    const script = fromProject.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    return HostProcess.#connect(new HostProcess(script, front, options));
  }

  /** Starts the plugin, with an engine that logs what it sends. */
  static async #startPlugin(options: HostOptions): Promise<HostProcess> {
    const log = await startEngineLog((line, urn) => {
      host.stdout += `${line}\n`;
      host.loggedUrns.push(urn);
    });
    const host = new HostProcess(await pluginFile(), "plugin", { engine: log.address, ...options });
    void host.exited.then(() => log.server.forceShutdown());
    return HostProcess.#connect(host);
  }

  static async #connect(host: HostProcess): Promise<HostProcess> {
    try {
      const [port] = await host.printed(/^\d+\n/);
      host.stdout = host.stdout.slice(port.length);
      host.#client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
    } catch (error) {
      await host.end();
      throw error;
    }
    return host;
  }

  /** Everything that the process has printed or answered. */
  get transcript(): string {
    return [this.stdout, this.stderr, ...this.#answers].join("\n");
  }

  /** Waits until standard output matches a pattern. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return waitFor(() => pattern.exec(this.stdout), {
      what: `output that matches ${String(pattern)}`,
      timeoutMs: ANSWERED_WITHIN_MS,
      soFar: () => this.transcript,
    });
  }

  /** Passes the stack configuration. */
  async configure(config: Readonly<Record<string, JavaScriptValue>>): Promise<void> {
    const request = new provider.ConfigureRequest();
    request.setArgs(Struct.fromJavaScript({ ...config }));
    await this.#call("configure", request);
  }

  async check(news: Properties, olds: Properties = {}): Promise<Checked> {
    const request = new provider.CheckRequest();
    request.setUrn(this.#urnOf(news));
    request.setOlds(Struct.fromJavaScript(olds));
    request.setNews(Struct.fromJavaScript(news));
    const response = await this.#call<provider.CheckResponse>("check", request);
    return {
      inputs: response.getInputs()?.toJavaScript() ?? {},
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  /** Returns whether there are changes. Undefined when that is not known. */
  async diff(id: string, olds: Properties, news: Properties): Promise<boolean | undefined> {
    const request = new provider.DiffRequest();
    request.setUrn(this.#urnOf(news));
    request.setId(id);
    request.setOlds(Struct.fromJavaScript(olds));
    request.setNews(Struct.fromJavaScript(news));
    const response = await this.#call<provider.DiffResponse>("diff", request);
    const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
    return new Map<number, boolean>([
      [DIFF_NONE, false],
      [DIFF_SOME, true],
    ]).get(response.getChanges());
  }

  async create(inputs: Properties): Promise<Resource> {
    const request = new provider.CreateRequest();
    request.setUrn(this.#urnOf(inputs));
    request.setProperties(Struct.fromJavaScript(inputs));
    return resourceOf(await this.#call<provider.CreateResponse>("create", request));
  }

  async read(id: string, properties: Properties): Promise<Resource> {
    const request = new provider.ReadRequest();
    request.setUrn(this.#urnOf(properties));
    request.setId(id);
    request.setProperties(Struct.fromJavaScript(properties));
    return resourceOf(await this.#call<provider.ReadResponse>("read", request));
  }

  /** Returns the properties after the update. */
  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new provider.UpdateRequest();
    request.setUrn(this.#urnOf(news));
    request.setId(id);
    request.setOlds(Struct.fromJavaScript(olds));
    request.setNews(Struct.fromJavaScript(news));
    const response = await this.#call<provider.UpdateResponse>("update", request);
    return response.getProperties()?.toJavaScript() ?? {};
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const request = new provider.DeleteRequest();
    request.setUrn(this.#urnOf(properties));
    request.setId(id);
    request.setProperties(Struct.fromJavaScript(properties));
    await this.#call("delete", request);
  }

  /** Returns the URN of the resource. The text that loads its hooks tells what it is. */
  #urnOf({ __provider: text }: Properties): string {
    const urn = urnOf(this.resource, this.front);
    return text === SET_PROVIDER ? urn.replace("ControlPlane::", "ControlPlaneSet::") : urn;
  }

  /** Sends the engine's Cancel call. */
  async cancel(): Promise<void> {
    await this.#call("cancel", new Empty());
  }

  /** Sends a signal to the process. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes the reading end of its output, as the end of the CLI does. */
  closeOutput(stream: "stdout" | "stderr"): void {
    this.#child[stream].destroy();
  }

  /** Kills the process. */
  async end(): Promise<void> {
    this.#client?.close();
    this.kill("SIGKILL");
    await this.exited;
  }

  #call<Response extends Message>(method: Method, request: Message): Promise<Response> {
    const client = this.#client as unknown as Readonly<Record<Method, UnaryCall<Response>>> | undefined;
    if (client === undefined) throw new Error("the process has not started");
    const deadline = Date.now() + ANSWERED_WITHIN_MS;
    return new Promise((resolve, reject) => {
      client[method](request, { deadline }, (error, response) => {
        if (error === null) {
          this.#answers.push(JSON.stringify(response.toObject()));
          resolve(response);
        } else {
          this.#answers.push(error.details, JSON.stringify(error.metadata));
          reject(error);
        }
      });
    });
  }
}

let plugin: Promise<string> | undefined;

/** Builds the plugin, once for all tests of a file. */
export function pluginFile(): Promise<string> {
  return (plugin ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "plugin-"));
    atEndOfFile(() => {
      plugin = undefined;
      rmSync(folder, { recursive: true, force: true });
    });
    return buildPlugin(folder);
  })());
}

/** Starts the part of Pulumi's engine that a plugin sends its lines to. */
async function startEngineLog(
  onLine: (line: string, urn: string) => void,
): Promise<{ readonly server: Server; readonly address: string }> {
  const server = new Server();
  server.addService(EngineService, {
    log({ request }: { readonly request: engine.LogRequest }, callback: (error: null, empty: Empty) => void) {
      const isWarning = request.getSeverity() === engine.LogSeverity.WARNING;
      onLine(`${isWarning ? "warning: " : ""}${request.getMessage()}`, request.getUrn());
      callback(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { server, address: `127.0.0.1:${port}` };
}

type Method = "configure" | "check" | "diff" | "create" | "read" | "update" | "delete" | "cancel";

interface Message {
  toObject(): unknown;
}

type UnaryCall<Response> = (
  request: Message,
  options: { readonly deadline: number },
  callback: (error: ServiceError | null, response: Response) => void,
) => void;

function resourceOf(response: provider.CreateResponse | provider.ReadResponse): Resource {
  return { id: response.getId(), properties: response.getProperties()?.toJavaScript() ?? {} };
}
