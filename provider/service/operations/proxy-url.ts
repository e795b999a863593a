import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../text/json.js";

/** The address of a proxy in front of the data planes of a control plane. */
export interface ProxyUrl {
  readonly host: string;
  readonly port: number;
  readonly protocol: string;
}

/** Parses one entry of `proxy_urls`. Returns undefined when it is not one. */
export function parseProxyUrl(json: unknown): ProxyUrl | undefined {
  if (!isObject(json)) return undefined;
  const { host, port, protocol } = json;
  if (typeof host !== "string" || typeof port !== "number" || typeof protocol !== "string") return undefined;
  return { host, port, protocol };
}

/** Whether two lists hold the same entries. They are sets in the service, so their order does not matter. */
export function haveSameProxyUrls(a: readonly ProxyUrl[], b: readonly ProxyUrl[]): boolean {
  return isDeepStrictEqual(a.map(textOf).sort(), b.map(textOf).sort());
}

function textOf({ host, port, protocol }: ProxyUrl): string {
  return JSON.stringify([protocol, host, port]);
}
