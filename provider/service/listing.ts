import { safe, type SafeText } from "../text/safe-text.js";
import { type Caller, type CallOptions, type Ended, resultOf } from "./caller.js";
import type { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall } from "./failure/explain-call.js";
import type { ControlPlaneDocument } from "./operations/control-plane-document.js";
import { listControlPlanes, type ListFilter, type Page } from "./operations/control-planes.js";
import { PAGE_SIZE } from "./operations/operation.js";
import { type AnswerTime, type CallFacts, type CallScope, factsOf, joinTimes, timeOf } from "./retry/call.js";

/** The control planes that the service lists. */
export interface Listing {
  readonly controlPlanes: readonly ControlPlaneDocument[];
  /** Those of the last request. */
  readonly facts: CallFacts;
  /** When the answers were given. */
  readonly time: AnswerTime;
}

/** A control plane that the service listed, and the request that showed it. */
export interface Listed {
  readonly controlPlane: ControlPlaneDocument;
  readonly facts: CallFacts;
}

/** The waits before a list is read again because it changed while it was read. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];

/**
 * Lists all control planes that a filter lets through, page by page. A list whose pages shift while they are read can lose
 * entries, so it is read again until no page contradicts another.
 *
 * @throws ControlPlaneError if a page cannot be read, when the list never fits its total, or when it has no end
 */
export async function listAll(...request: ListRequest): Promise<Listing> {
  return (await readWhole(...request)).listing;
}

type ListRequest = readonly [
  caller: Caller,
  address: string,
  filter: ListFilter,
  scope: CallScope,
  options?: CallOptions,
];

async function readWhole(...request: ListRequest): Promise<Reading> {
  const [caller, , filter, scope] = request;
  // What a list of ids leaves out is read one by one, so it need not be whole.
  const isUsable = ({ outcome }: Reading) => outcome === "complete" || filter.ids !== undefined;
  let reading = await readPages(...request);
  for (const pauseMs of PAUSES_MS) {
    if (isUsable(reading) || reading.outcome === "repeated") break;
    // When the run is being stopped, what is known of the list explains more than the stop.
    const isStopped = await caller.sleep(pauseMs, scope.signal).then(
      () => false,
      () => scope.signal.aborted,
    );
    if (isStopped) break;
    reading = await readPages(...request);
  }
  if (isUsable(reading)) return reading;
  const { outcome, ended } = reading;
  if (outcome === "repeated") throw contradiction(ended, REPEATED_PAGES);
  if (outcome === "missing") throw contradiction(ended, MISSING_ENTRIES);
  throw changing(ended);
}

function changing({ failed }: Ended<unknown>): ControlPlaneError {
  return explainCall({ ...failed, kind: "unavailable", reason: CHANGING });
}

const MISSING_ENTRIES = safe`The pages hold another number of control planes than the total says, so some may be missing.`;
const CHANGING = safe`The list changed each time while its pages were read, so some control planes may be missing.`;

/**
 * Lists all control planes as {@link listAll} does, and reads a list of several pages again until a reading has everything of
 * the one before it. A deletion and a creation between two pages leave the total as it was, and one reading may lack an entry.
 *
 * @throws ControlPlaneError as {@link listAll} does, and when each reading lacks something
 */
export async function listReliably(...request: ListRequest): Promise<Listing> {
  const [caller, , , scope] = request;
  let before = await readWhole(...request);
  if (before.pages <= 1) return before.listing;
  for (const pauseMs of [0, ...PAUSES_MS]) {
    if (pauseMs > 0) await caller.sleep(pauseMs, scope.signal);
    const reading = await readWhole(...request);
    const ids = new Set(reading.listing.controlPlanes.map(({ id }) => id));
    if (before.listing.controlPlanes.every(({ id }) => ids.has(id))) return reading.listing;
    before = reading;
  }
  throw changing(before.ended);
}

/** One reading of all pages, or of those before one that contradicts them. */
interface Reading {
  readonly outcome: "complete" | Contradiction;
  readonly listing: Listing;
  /** How many pages held something. */
  readonly pages: number;
  /** The last request. */
  readonly ended: Ended<unknown>;
}

async function readPages(
  ...[caller, address, filter, scope, options = { purpose: "list" }]: ListRequest
): Promise<Reading> {
  const pages = new Pages(filter.ids?.length);
  let time: AnswerTime | undefined;
  for (let pageNumber = 1; ; pageNumber += 1) {
    const ended = await caller.call(listControlPlanes(filter, pageNumber), { address }, scope, options);
    // A 404 to a list means that the address is wrong.
    if (ended.end.judgment.verdict === "gone") throw explainCall({ ...ended.failed, kind: "missing" });
    const step = pages.add(resultOf(ended));
    time = joinTimes(time ?? timeOf(ended.end), timeOf(ended.end));
    if (step === "next" && pageNumber < MAX_PAGES) continue;
    const outcome = step === "next" ? "repeated" : step;
    const listing = { controlPlanes: pages.found, facts: factsOf(ended.end), time };
    return { outcome, listing, pages: pages.count, ended };
  }
}

/** Why a reading of a list does not count: a page contradicts another one or repeats it, or the pages contradict their total. */
type Contradiction = "changed" | "missing" | "repeated";

/**
 * The pages of a list as they are read. The last page is one that is empty, or one that is not full while the total shows
 * that nothing follows. A page that is not full is no proof of the end, because the service may cap its pages below the
 * size that it names. The total may count control planes or pages: its own clients disagree.
 */
class Pages {
  readonly #found = new Map<string, ControlPlaneDocument>();
  /** The number of pages that held something. */
  #pages = 0;
  /** The entries on the longest page so far. */
  #longest = 0;
  /** 0 as long as no page has said one. */
  #total = 0;

  /** @param wantedIds the number of ids that are asked for; undefined if others are wanted */
  constructor(private readonly wantedIds: number | undefined) {}

  /** How many pages held something. */
  get count(): number {
    return this.#pages;
  }

  get found(): readonly ControlPlaneDocument[] {
    return [...this.#found.values()];
  }

  /** Adds the next page. Returns what follows from it. */
  add({ items, size, total }: Page<ControlPlaneDocument>): "next" | "complete" | Contradiction {
    const before = this.#found.size;
    for (const item of items) this.#found.set(item.id, item);
    const added = this.#found.size - before;
    if (this.#found.size === this.wantedIds) return "complete";
    if (items.length > 0) {
      if (total > 0 && this.#total > 0 && total !== this.#total) return "changed";
      if (added === 0 && before > 0) return this.#afterRepetition(items.length < size, before);
      if (added < items.length) return "changed";
      this.#pages += 1;
    }
    this.#total ||= total;
    const isLast = items.length === 0 || (items.length < size && this.#isProvenEnd(items.length));
    this.#longest = Math.max(this.#longest, items.length);
    if (!isLast) return "next";
    return this.#fitsTotal() ? "complete" : "missing";
  }

  /** A service that ignores page numbers repeats its only page. What was whole by its total stays so. */
  #afterRepetition(isShort: boolean, before: number): "complete" | Contradiction {
    if (!isShort || this.#total === 0) return "repeated";
    return before === this.#total ? "complete" : "changed";
  }

  /** A total that equals the number of control planes so far can also be that of pages, unless this page is a shorter one. */
  #isProvenEnd(length: number): boolean {
    if (this.#pages === this.#total) return true;
    return this.#found.size === this.#total && (length < this.#longest || this.wantedIds !== undefined);
  }

  #fitsTotal(): boolean {
    return this.#total === 0 || this.#found.size === this.#total || this.#pages === this.#total;
  }
}

/**
 * Lists control planes by their ids, a hundred with each request. One that is missing does not exist, or the token may
 * not list it.
 *
 * @throws ControlPlaneError if a page cannot be read
 */
export async function listByIds(
  caller: Caller,
  address: string,
  ids: readonly string[],
  scope: CallScope,
): Promise<readonly Listed[]> {
  const parts: (readonly string[])[] = [];
  for (let start = 0; start < ids.length; start += PAGE_SIZE) parts.push(ids.slice(start, start + PAGE_SIZE));
  const wanted = new Set(ids);
  const listings = await Promise.all(parts.map((part) => listAll(caller, address, { ids: part }, scope)));
  return listings.flatMap(({ controlPlanes, facts }) =>
    controlPlanes.filter(({ id }) => wanted.has(id)).map((controlPlane) => ({ controlPlane, facts })),
  );
}

/** More pages than the largest organization needs. A service that ignores page numbers must not be asked forever. */
export const MAX_PAGES = 1_000;

/** The reason for refusing a list that repeats a page. */
export const REPEATED_PAGES = safe`The same page came again, so the list has no end.`;

/** Creates the error of a list that contradicts itself. */
export function contradiction({ failed }: Ended<unknown>, reason: SafeText): ControlPlaneError {
  return explainCall({ ...failed, kind: "foreign", reason });
}
