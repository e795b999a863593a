/** Regions of the service with a public address. Source: specification part 9, and the service's public list since. */
export const REGIONS = ["us", "eu", "au", "me", "in", "sg"] as const;

/** What came of reading an address: the normalised form, or why it is refused (the text never repeats the value). */
export type AddressReading =
  { readonly ok: true; readonly address: string } | { readonly ok: false; readonly reason: string };

/** Gives the address of a region, for example `https://eu.api.konghq.com/v2`. Source: specification part 9. */
export function regionAddress(region: string): AddressReading {
  return (REGIONS as readonly string[]).includes(region)
    ? { ok: true, address: `https://${region}.api.konghq.com/v2` }
    : { ok: false, reason: `must be one of ${REGIONS.join(", ")}; for any other address give baseUrl` };
}

/**
 * Normalises a base address to scheme, host, path and a closing `/v2`, without a trailing slash.
 *
 * Refuses what could send the token somewhere unexpected: another scheme than https (http only to loopback),
 * user information, a query or a fragment.
 */
export function parseAddress(text: string): AddressReading {
  if (!URL.canParse(text)) return refuse("must be an absolute URL, for example https://eu.api.konghq.com/v2");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return refuse("must not contain user information");
  if (/[?#]/.test(text)) return refuse("must not contain a query or a fragment");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return refuse("must start with https:// (http:// is allowed for a loopback address only)");
  }
  const path = url.pathname.replace(/\/+$/, "");
  return { ok: true, address: `${url.origin}${path.endsWith("/v2") ? path : `${path}/v2`}` };
}

/** Tells whether a host name of a parsed URL means this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function refuse(reason: string): AddressReading {
  return { ok: false, reason };
}
