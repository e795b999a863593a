import { BlockList, isIP } from "node:net";
import { isLoopback } from "./address.js";

/** A failure of the proxy itself: no request reached the service. The message names the proxy, never its password. */
export class ProxyError extends Error {
  /** @param temporary false where waiting does not help: a refused log-in, an unusable setting */
  constructor(
    message: string,
    readonly temporary: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Finds the proxy for an https address: `https_proxy`, then `all_proxy`, in lower or upper case, unless `no_proxy` names
 * the host. Returns undefined for loopback, always.
 *
 * Reads `no_proxy` as the Pulumi CLI does (golang.org/x/net/http/httpproxy), so that both take the same way. A name
 * covers its subdomains, too. A name with a leading dot covers only its subdomains. Addresses, networks, ports and `*`
 * are known.
 *
 * @throws ProxyError when the setting cannot be used
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
