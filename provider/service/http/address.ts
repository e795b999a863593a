import { safe, type SafeText, safeText } from "../../text/safe-text.js";

/** Regions of the service with a public address. Source: Kong's API document, and Kong's public list since. */
export const REGIONS = ["us", "eu", "au", "me", "in", "sg"] as const;

/** A normalized address, or the reason why a string is refused. The reason never repeats an address. */
export type ParsedAddress =
  { readonly ok: true; readonly address: string } | { readonly ok: false; readonly reason: SafeText };

/**
 * Returns the address of a region, for example `https://eu.api.konghq.com/v2`. Source: Kong's API document.
 *
 * @param given repeats the value in the reason, where it may be shown: `, not "EU"`
 * @param otherAddress says in the reason where an address without a region is set
 */
export function regionAddress(
  region: string,
  given = safe``,
  otherAddress = safe`set baseUrl`,
): ParsedAddress {
  if (isRegion(region)) return { ok: true, address: `https://${region}.api.konghq.com/v2` };
  const list = safeText(REGIONS.join(", "), 60);
  const meant = meantRegion(region);
  const suggestion = meant === undefined ? safe`` : safe` (did you mean "${meant}"?)`;
  const reason = safe`must be one of ${list}${given}${suggestion}; for any other address ${otherAddress}`;
  return { ok: false, reason };
}

/** Returns the region of a normalized address. Returns undefined for an address that belongs to no region. */
export function regionOf(address: string): string | undefined {
  return REGIONS.find((region) => address === `https://${region}.api.konghq.com/v2`);
}

/** Returns the region that was meant by a string in another case or with white space around it, if there is one. */
export function meantRegion(text: string): SafeText | undefined {
  const region = text.trim().toLowerCase();
  return isRegion(region) ? safeText(region, 10) : undefined;
}

/**
 * Normalizes a base address to scheme, host, path and a closing `/v2`, without a trailing slash.
 *
 * Refuses whatever could send the token to an unexpected place: another scheme than https (http only to a loopback
 * address), user information, a query, a fragment, white space, control characters, a backslash.
 */
export function parseAddress(text: string): ParsedAddress {
  const refusal = REFUSALS.find(({ pattern }) => pattern.test(text));
  if (refusal !== undefined) return { ok: false, reason: refusal.reason };
  if (!URL.canParse(text)) {
    return { ok: false, reason: safe`must be an absolute URL, for example https://eu.api.konghq.com/v2` };
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return {
      ok: false,
      reason: safe`must start with https:// (http:// is allowed for a loopback address only)`,
    };
  }
  const path = url.pathname.replace(/\/+$/, "");
  return { ok: true, address: `${url.origin}${path.endsWith("/v2") ? path : `${path}/v2`}` };
}

/** Whether the host name of a parsed URL means this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The URL parser accepts all of these, and drops or rewrites some of them without a word. */
const REFUSALS = [
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  { pattern: /[\s\u0000-\u001f\u007f]/, reason: safe`must not contain white space or a line break` },
  { pattern: /\\/, reason: safe`must not contain a backslash` },
  // A password with a slash in it turns the host into a path, so there is no place for an @ at all.
  { pattern: /@/, reason: safe`must not contain user information, or any @` },
  { pattern: /[?#]/, reason: safe`must not contain a query or a fragment` },
];

function isRegion(text: string): boolean {
  return (REGIONS as readonly string[]).includes(text);
}

/** Returns the URL of a path below a normalized address. */
export function urlOf(
  { path, query }: { readonly path: string; readonly query?: Readonly<Record<string, string>> },
  address: string,
): string {
  const text = new URLSearchParams(query).toString();
  return `${address}${path}${text === "" ? "" : `?${text}`}`;
}
