import type { Fault } from "../../emulator/index.js";
import type { Random } from "./random.js";

/** Something that goes wrong with one control plane, and the name under which it is counted. */
export interface NamedFault {
  readonly name: string;
  readonly make: (random: Random) => Fault;
}

/** A page that does not come from the service. */
export const PAGE = "<html><body>Not here.</body></html>";

/** Faults that a destroy survives: each costs a retry at most. */
export const TEMPORARY: readonly [NamedFault, ...NamedFault[]] = [
  { name: "503", make: (random) => ({ status: 503, times: random.int(1, 2) }) },
  { name: "503 page", make: () => ({ status: 503, body: PAGE }) },
  { name: "429", make: () => ({ status: 429 }) },
  { name: "429 Retry-After", make: () => ({ status: 429, headers: { "retry-after": "1" } }) },
  { name: "502", make: () => ({ status: 502, body: PAGE }) },
  { name: "504", make: () => ({ status: 504 }) },
  { name: "408", make: () => ({ status: 408 }) },
  { name: "reset before", make: () => ({ reset: "before" }) },
  { name: "reset after", make: () => ({ reset: "after" }) },
  { name: "reset in body", make: () => ({ reset: "body" }) },
  { name: "503 cut short", make: () => ({ status: 503, reset: "body" }) },
  { name: "404 cut short", make: () => ({ status: 404, reset: "body" }) },
  { name: "hang", make: () => ({ hang: true }) },
  { name: "slow", make: (random) => ({ delayMs: random.int(100, 900) }) },
  { name: "too slow", make: () => ({ delayMs: 3_000 }) },
  { name: "200 done", make: () => ({ status: 200, body: PAGE, work: "now" }) },
  { name: "202 later", make: (random) => ({ status: 202, work: { afterMs: random.int(0, 1_500) } }) },
  { name: "not HTTP", make: () => ({ raw: "\u0000\u0001 nonsense\r\n\r\n" }) },
];

/** Faults that end a delete at once. The control plane stays, and the next destroy has to delete it. */
export const FINAL: readonly [NamedFault, ...NamedFault[]] = [
  { name: "500", make: () => ({ status: 500 }) },
  { name: "401", make: () => ({ status: 401 }) },
  { name: "403 page", make: () => ({ status: 403, body: PAGE }) },
  { name: "404 page", make: () => ({ status: 404, body: PAGE }) },
  { name: "409", make: () => ({ status: 409 }) },
  { name: "200 page", make: () => ({ status: 200, body: PAGE }) },
  { name: "302", make: () => ({ status: 302, headers: { location: "/" } }) },
];

/** Returns whether a planned fault is one that a GET settles. */
export function isSettledByGet(name: string): boolean {
  return name.startsWith("20");
}

/** Returns whether a planned fault is one of the final ones. */
export function isFinal(name: string): boolean {
  return FINAL.some((fault) => fault.name === name);
}
