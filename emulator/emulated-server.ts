import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { answerControl, isForControl } from "./control/answer-control.js";
import type { EmulatorOptions } from "./emulator-options.js";
import { deliverFault } from "./faults/deliver-fault.js";
import { FaultQueue } from "./faults/fault-queue.js";
import { workOf, type Fault } from "./faults/fault.js";
import { WorkSchedule } from "./faults/work-schedule.js";
import { nameInBody } from "./bodies/json-body.js";
import { Connections } from "./http/connections.js";
import { gatewayAnswer, type Answer } from "./http/http-answer.js";
import { readBody, readIncomingRequest, type IncomingRequest } from "./http/incoming-request.js";
import { BASE_PATH } from "./http/path-template.js";
import { RequestLimit, type Admission } from "./http/request-limit.js";
import { RequestLog, type LoggedRequest } from "./http/request-log.js";
import { contentLengthOf, sendAnswer, type Exchange } from "./http/send-answer.js";
import { answerRequest } from "./operations/answer-request.js";
import type { ServiceRules } from "./operations/route.js";
import { ROUTES } from "./operations/routes.js";
import { ControlPlaneStore } from "./control-planes/control-plane-store.js";
import { Newcomers } from "./control-planes/newcomers.js";
import { TokenBook } from "./service/token-book.js";

/** Receives each request when it ends, and the time that it took in milliseconds. */
export type RequestObserver = (request: LoggedRequest, tookMs: number) => void;

/** An HTTP server with the emulated service, the limits of its gateway, and the scripted faults. */
export class EmulatedServer {
  readonly store: ControlPlaneStore;
  readonly tokens: TokenBook;
  readonly newcomers: Newcomers;
  readonly rules: ServiceRules;
  readonly faults = new FaultQueue();
  readonly laterWork = new WorkSchedule();
  readonly log: RequestLog;

  readonly #server: Server;
  readonly #connections: Connections;
  readonly #requestLimit: RequestLimit;
  readonly #startedAtMs = performance.now();

  constructor(
    private readonly options: EmulatorOptions,
    private readonly observe: RequestObserver = () => undefined,
  ) {
    this.store = new ControlPlaneStore(options.controlPlanes ?? []);
    this.tokens = new TokenBook(options.tokens ?? {});
    this.newcomers = new Newcomers(options.afterCreate);
    this.rules = {
      listTotal: options.listTotal ?? "objects",
      maxControlPlanes: options.maxControlPlanes ?? Infinity,
      createDropsLabels: options.createDropsLabels ?? [],
      lenient: options.lenient ?? false,
    };
    this.log = new RequestLog(this.tokens);
    this.#connections = new Connections(options.maxConnections);
    this.#requestLimit = new RequestLimit(options.requestsPerMinute);
    // An idle connection that the server closes by itself would be a fault that no script asked for.
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      void this.#handle(request, response);
    });
    this.#server.on("connection", (socket) => this.#connections.add(socket));
  }

  /** Starts to listen and resolves to the base address. Rejects if the port is taken. */
  async listen(): Promise<string> {
    const { port = 0, host = "127.0.0.1" } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    const address = this.#server.address() as AddressInfo;
    const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
    return `http://${name}:${address.port}${BASE_PATH}`;
  }

  /** Stops listening and closes every connection at once. May be called again. */
  close(): Promise<void> {
    this.laterWork.clear();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#connections.destroyAll();
    });
  }

  /** Forgets faults, work that they put off, and requests, and shows what the service still hides. */
  reset(): void {
    this.faults.clear();
    this.laterWork.clear();
    this.log.clear();
    this.newcomers.clear();
  }

  /** Answers a request to the control at once. It meets no fault and no limit, and it is not logged. */
  async #control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request).catch(() => undefined);
    if (!request.complete) return;
    const answer = answerControl(this, request, body);
    response.writeHead(answer.status, { ...contentLengthOf(answer), ...answer.headers });
    response.end(answer.body);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.options.control === true && isForControl(request)) {
      await this.#control(request, response);
      return;
    }
    const atMs = this.#nowMs();
    const { socket } = request;
    const incoming = readIncomingRequest(request, ROUTES);
    const entry = this.log.open(request, incoming, { atMs, connection: this.#connections.ordinalOf(socket) });
    const end = new AbortController();
    response.once("close", () => {
      end.abort();
      this.observe(entry, this.#nowMs() - atMs);
    });
    try {
      const body = await readBody(request);
      this.log.keepBody(entry, body, incoming.authorization);
      const fault = this.faults.take({ ...incoming, name: this.#nameIn(incoming, body) });
      entry.fault = fault !== undefined;
      await this.#serve(incoming, body, { response, socket, signal: end.signal, entry }, fault);
    } catch (error) {
      const isClientGone = end.signal.aborted || !request.complete;
      if (isClientGone) return;
      // A bug of the emulator must end the process or fail the test. Mocha ignores unhandled rejections.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  async #serve(
    incoming: IncomingRequest,
    body: Buffer | undefined,
    exchange: Exchange,
    fault: Fault | undefined,
  ): Promise<void> {
    const real = this.#work(incoming, body, exchange.socket, fault);
    if (incoming.method === "GET") this.laterWork.countGet(incoming.path);
    const waitMs = (this.options.latencyMs ?? 0) + (fault?.delayMs ?? 0);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: exchange.signal });
    if (exchange.signal.aborted) return;
    if (fault !== undefined) await deliverFault(exchange, fault, real);
    else if (real !== undefined) sendAnswer(exchange, real);
  }

  /** Does the work of a request now, later or never. Returns the real answer if the work is done now. */
  #work(
    incoming: IncomingRequest,
    body: Buffer | undefined,
    socket: Socket,
    fault: Fault | undefined,
  ): Answer | undefined {
    const when = fault === undefined ? "now" : workOf(fault);
    if (when === "never") return undefined;
    const { headers, refusal } = this.#admit(socket);
    const answer = (): Answer => refusal ?? answerRequest(this, incoming, body);
    if (when !== "now") {
      this.laterWork.add(when, incoming.path, answer);
      return undefined;
    }
    const real = answer();
    return { ...real, headers: { ...headers, ...real.headers } };
  }

  /** Returns the name of the control plane that a request is about, or the name that it wants to give to a new one. */
  #nameIn({ id, operationId }: IncomingRequest, body: Buffer | undefined): string | undefined {
    if (operationId === "create-control-plane") return nameInBody(body);
    return id === undefined ? undefined : this.store.find(id)?.name;
  }

  #admit(socket: Socket): Admission {
    if (!this.#connections.isExcess(socket)) return this.#requestLimit.count(this.#nowMs());
    return { headers: {}, refusal: gatewayAnswer(429, "Too many connections", { connection: "close" }) };
  }

  #nowMs(): number {
    return performance.now() - this.#startedAtMs;
  }
}
