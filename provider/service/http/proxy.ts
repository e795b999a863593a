import http, { STATUS_CODES } from "node:http";
import https from "node:https";
import { BlockList, isIP } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import { isLoopback } from "./address.js";
import { ProxyError, wordsOf } from "./network-failure.js";

/**
 * Finds the proxy for an https address: `https_proxy`, then `all_proxy`, in lower or upper case, unless `no_proxy` names
 * the host. Returns undefined for loopback, always.
 *
 * Reads `no_proxy` as the Pulumi CLI does (golang.org/x/net/http/httpproxy), so that both take the same way. A name
 * covers its subdomains, too. A name with a leading dot covers only its subdomains. Addresses, networks, ports and `*`
 * are known.
 *
 * @throws ProxyError if the setting cannot be used
 */
export function findProxy(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const text = ["https_proxy", "all_proxy"].map((name) => read(env, name)).find((value) => value !== "");
  if (text === undefined || isLoopback(url.hostname) || isExcepted(url, read(env, "no_proxy"))) {
    return undefined;
  }
  // curl and Go assume http where there is no scheme.
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  const isUsable = proxy !== undefined && ["http:", "https:"].includes(proxy.protocol);
  // A password with an unencoded / ? or # ends the host before it, and would be shown as a part of the address.
  if (!isUsable || (address.includes("@") && proxy.username === "" && proxy.password === "")) {
    throw new ProxyError("HTTPS_PROXY or ALL_PROXY must be an http:// or https:// address", false);
  }
  return proxy;
}

function read(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name] ?? "").trim() || (env[name.toUpperCase()] ?? "").trim();
}

function isExcepted({ hostname, port }: URL, noProxy: string): boolean {
  const host = withoutBrackets(hostname);
  return noProxy
    .toLowerCase()
    .split(/[\s,]/)
    .some((entry) => {
      const [, named = entry, namedPort] = /^(\[.+\]|[^:]*):(\d+)$/.exec(entry) ?? [];
      return (namedPort ?? (port || "443")) === (port || "443") && covers(withoutBrackets(named), host);
    });
}

function covers(name: string, host: string): boolean {
  if (name === "") return false;
  if (/^[*.]/.test(name)) return host.endsWith(name.replace(/^\*/, ""));
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)) || isInNetwork(host, name);
}

function isInNetwork(host: string, network: string): boolean {
  const [, base = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(network) ?? [];
  const version = isIP(host);
  if (version === 0 || isIP(base) !== version || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(base, Number(bits), family);
  return list.check(host, family);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** Time for a proxy to open a tunnel. It is shorter than an attempt, so that an error names a proxy that hangs. */
const TUNNEL_MS = 10_000;

/** Statuses that are retried: the same as for the service (`retry/policy.ts`). */
const TEMPORARY: readonly number[] = [408, 429, 502, 503, 504];

/**
 * An agent whose connections to https services go through tunnels that a proxy opens (RFC 9110 section 9.3.6). The
 * connections are kept alive.
 *
 * The agent that axios has is not used. It passes a proxy's refusal on as the service's answer, so that a 204 to CONNECT
 * would mean "deleted". It also opens a tunnel for each request, and waits forever when the proxy hangs up.
 */
export class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: URL,
    options: https.AgentOptions,
    private readonly tunnelMs = TUNNEL_MS,
  ) {
    super(options);
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const done = callback as (error: Error | null, stream?: Duplex) => void;
    openTunnel(this.proxy, authorityOf(options), this.tunnelMs)
      .then((socket) => tls.connect({ ...(options as tls.ConnectionOptions), socket }))
      .then(
        (socket) => done(null, socket),
        (error: unknown) => done(error as Error),
      );
  }
}

/** Returns the connection once the proxy has opened it. @throws ProxyError */
function openTunnel(proxy: URL, authority: string, timeoutMs: number): Promise<Duplex> {
  const host = proxy.hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? https : http).request({
      method: "CONNECT",
      path: authority,
      host,
      // Without it, Node checks the proxy's certificate against the name in `Host`, which is the service's.
      servername: isIP(host) === 0 ? host : "",
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      headers: { Host: authority, ...credentialsOf(proxy) },
      agent: false,
    });
    let connection: { destroy(error?: Error): unknown } = request;
    const timeout = setTimeout(() => {
      connection.destroy(new Error(`no answer to CONNECT ${authority} within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const fail = (error: unknown) => {
      clearTimeout(timeout);
      connection.destroy();
      reject(new ProxyError(`the proxy ${proxy.origin}: ${wordsOf(error)}`, true, error));
    };
    const finish = (status: number, socket: Duplex) => {
      clearTimeout(timeout);
      if (status >= 200 && status < 300) {
        resolve(socket);
        return;
      }
      connection.destroy();
      // The proxy's own words are left out, because some proxies repeat the request and so the password.
      const said = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
      const temporary = TEMPORARY.includes(status);
      reject(
        new ProxyError(`the proxy ${proxy.origin} answered CONNECT ${authority} with ${said}`, temporary),
      );
    };
    request.once("connect", ({ statusCode = 0 }, socket: Duplex, rest: Buffer) => {
      connection = socket;
      if (isInterim(statusCode)) readFinalStatus(socket, rest).then((final) => finish(final, socket), fail);
      else finish(statusCode, socket);
    });
    request.once("error", fail);
    request.end();
  });
}

/** 101 is not one: it would turn the connection into something else. */
function isInterim(status: number): boolean {
  return status >= 100 && status < 200 && status !== 101;
}

/** Larger than all heads that Node accepts. */
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Reads the status of the answer that follows an interim one (RFC 9110 section 15.2). Node ends the parsing of the answers
 * to CONNECT with the first one, whatever it is. What follows the head stays in the connection.
 */
async function readFinalStatus(connection: Duplex, read: Buffer): Promise<number> {
  let bytes = read;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 && bytes.length > MAX_HEAD_BYTES) throw new Error(NOT_HTTP);
    if (end < 0) {
      bytes = Buffer.concat([bytes, await readMore(connection)]);
      continue;
    }
    const [, digits] = /^HTTP\/1\.[01] (\d{3})(?!\d)/.exec(bytes.toString("latin1", 0, end)) ?? [];
    if (digits === undefined) throw new Error(NOT_HTTP);
    bytes = bytes.subarray(end + 4);
    if (isInterim(Number(digits))) continue;
    if (bytes.length > 0) connection.unshift(bytes);
    return Number(digits);
  }
}

const NOT_HTTP = "its answer to CONNECT is not HTTP";

/** Returns the next bytes of a connection. Rejects when it ends before, or fails. */
function readMore(connection: Duplex): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const onEnd = () => onError(new Error("socket hang up"));
    const stop = () =>
      connection.pause().off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onError);
    const onData = (bytes: Buffer) => {
      stop();
      resolve(bytes);
    };
    const onError = (error: Error) => {
      stop();
      reject(error);
    };
    connection.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onError).resume();
  });
}

function authorityOf({ host, port }: https.RequestOptions): string {
  const name = host ?? "";
  return `${name.includes(":") ? `[${name}]` : name}:${port ?? 443}`;
}

function credentialsOf({ username, password }: URL): { "Proxy-Authorization"?: string } {
  if (username === "" && password === "") return {};
  const text = `${decode(username)}:${decode(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign stands for itself
  }
}
