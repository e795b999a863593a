import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { identity } from "./certificates.js";

/** How a proxy differs from one that opens no tunnel. */
export interface ProxyOptions {
  /** A port of this machine for each `host:port`. A CONNECT to anything else gets a 502. */
  readonly routes?: Readonly<Record<string, number>>;
  /** `user:password`, not encoded. A client that does not send it gets a 407. */
  readonly credentials?: string;
  /** The bytes that every CONNECT gets before the connection is closed, or "hang" for no answer. */
  readonly answer?: string;
  /** Parts of interim answers that every CONNECT gets first, one after the other. */
  readonly interim?: readonly string[];
  /** Clients speak TLS to the proxy itself. */
  readonly tls?: boolean;
}

/** One request to the proxy itself. */
export interface Asked {
  /** `CONNECT host:port`, or `GET http://…` from a client that asks it to forward. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

/** A running HTTP proxy. */
export interface Proxy {
  /** `http://127.0.0.1:<port>`, or `https://localhost:<port>`. */
  readonly url: string;
  /** The same with user information. */
  urlWith(user: string, password: string): string;
  readonly asked: readonly Asked[];
  /** The number of TCP connections so far. */
  readonly connections: number;
  /** Returns every byte that clients have sent, as the proxy can read it, also through the tunnels. */
  seen(): Buffer;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of this machine. */
export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const asked: Asked[] = [];
  const seen: Buffer[] = [];
  const open = new Set<Socket>();
  let connections = 0;

  const server = options.tls ? https.createServer(identity("proxy")) : http.createServer();
  server.on("connection", (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => undefined);
  });
  server.on("tlsClientError", () => undefined);
  server.on(options.tls ? "secureConnection" : "connection", (socket: Socket) => {
    socket.on("data", (bytes: Buffer) => seen.push(bytes));
  });
  server.on("request", (request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    response.writeHead(403).end("this proxy forwards nothing");
  });
  server.on("connect", (request, socket) => {
    asked.push({ line: `CONNECT ${request.url}`, headers: request.headers });
    socket.on("error", () => undefined);
    void sendParts(socket, options.interim ?? []).then(() => answerConnect(socket, request, options));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls ? "https://" : "http://";
  const host = `${options.tls ? "localhost" : "127.0.0.1"}:${port}`;
  return {
    url: scheme + host,
    urlWith: (user, password) =>
      `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}`,
    asked,
    get connections() {
      return connections;
    },
    seen: () => Buffer.concat(seen),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function sendParts(socket: Duplex, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function answerConnect(socket: Duplex, request: http.IncomingMessage, options: ProxyOptions): void {
  const { routes = {}, credentials, answer } = options;
  const refuse = (line: string, ...headers: string[]) =>
    socket.end([`HTTP/1.1 ${line}`, ...headers, "Content-Length: 0", "", ""].join("\r\n"));
  if (answer === "hang") return;
  if (answer !== undefined) {
    socket.end(answer);
    return;
  }
  const basic = `Basic ${Buffer.from(credentials ?? "").toString("base64")}`;
  if (credentials !== undefined && request.headers["proxy-authorization"] !== basic) {
    refuse("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="proxy"');
    return;
  }
  const port = routes[request.url ?? ""];
  if (port === undefined) {
    refuse("502 Bad Gateway");
    return;
  }
  const upstream = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on("error", () => socket.destroy());
  socket.on("close", () => upstream.destroy());
}
