import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { gatewayMessage, type Answer } from "./http/http-answer.js";
import { Connections } from "./http/connections.js";
import { deliverAnswer, deliverFault, type Exchange } from "./faults/deliver-fault.js";
import { FaultQueue } from "./faults/fault-queue.js";
import { doesRealWork, type Fault } from "./faults/fault.js";
import { readBody, readIncoming, type Incoming } from "./http/incoming-request.js";
import type { EmulatorOptions } from "./emulator-options.js";
import { RateLimit } from "./http/request-limit.js";
import { openEntry, type LoggedRequest, type OpenEntry } from "./http/request-log.js";
import { answerRequest } from "./operations/answer-request.js";
import { ControlPlaneStore } from "./service/control-plane-store.js";
import { TokenBook } from "./service/token-book.js";

/** Told of each request when it is over, with the time that it took in milliseconds. */
export type RequestObserver = (request: LoggedRequest, tookMs: number) => void;

/** The emulated service, its gateway and its faults behind one HTTP server. */
export class EmulatedServer {
  readonly store = new ControlPlaneStore();
  readonly faults = new FaultQueue();
  readonly tokens: TokenBook;
  log: OpenEntry[] = [];

  readonly #server: Server;
  readonly #connections: Connections;
  readonly #rateLimit: RateLimit;
  readonly #startedAtMs = performance.now();
  #closed: Promise<void> | undefined;

  constructor(
    private readonly options: EmulatorOptions,
    private readonly observe: RequestObserver = () => undefined,
  ) {
    this.tokens = new TokenBook(options.tokens ?? {});
    for (const seed of options.controlPlanes ?? []) this.store.add(seed);
    this.#connections = new Connections(options.maxConnections);
    this.#rateLimit = new RateLimit(options.requestsPerMinute);
    // An idle connection that the server closes on its own would be a fault that nobody scripted.
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      void this.#handle(request, response);
    });
    this.#server.on("connection", (socket) => this.#connections.admit(socket));
  }

  /** Starts to listen; gives the base address. Rejects when the port is taken. */
  async listen(): Promise<string> {
    const { port = 0, host = "127.0.0.1" } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    const address = this.#server.address() as AddressInfo;
    const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
    return `http://${name}:${address.port}/v2`;
  }

  /** Stops listening and closes every connection, whatever it waits for; a second call changes nothing. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#connections.destroyAll();
    });
    return this.#closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = this.#nowMs();
    const incoming = readIncoming(request);
    const fault = this.faults.take(incoming.method, incoming.id);
    const facts = {
      atMs,
      connection: this.#connections.ordinalOf(request.socket),
      fault: fault !== undefined,
    };
    const entry = openEntry(request, incoming, this.tokens, facts);
    this.log.push(entry);
    const gone = new AbortController();
    response.once("close", () => {
      gone.abort();
      this.observe(entry, this.#nowMs() - atMs);
    });
    const exchange: Exchange = { response, socket: request.socket, signal: gone.signal, entry };
    try {
      await this.#serve(request, incoming, exchange, fault);
    } catch (error) {
      // A client that has gone away ends the exchange, not the emulator.
      if (!gone.signal.aborted && request.complete) throw error;
    }
  }

  async #serve(
    request: IncomingMessage,
    incoming: Incoming,
    exchange: Exchange,
    fault: Fault | undefined,
  ): Promise<void> {
    const body = await readBody(request);
    const works = fault === undefined || doesRealWork(fault);
    const real = works ? this.#answer(request, incoming, body) : undefined;
    const waitMs = (this.options.latencyMs ?? 0) + (fault?.delayMs ?? 0);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: exchange.signal });
    if (exchange.signal.aborted) return;
    if (fault !== undefined) await deliverFault(exchange, fault, real);
    else if (real !== undefined) deliverAnswer(exchange, real);
  }

  #answer(request: IncomingMessage, incoming: Incoming, body: Buffer | undefined): Answer {
    if (this.#connections.isExcess(request.socket)) {
      return gatewayMessage(429, "Too many connections", { connection: "close" });
    }
    const { headers, refusal } = this.#rateLimit.count(this.#nowMs());
    const answer = refusal ?? answerRequest(this, incoming, body);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  #nowMs(): number {
    return performance.now() - this.#startedAtMs;
  }
}
