import { safe, type SafeText } from "../text/safe-text.js";
import { type Caller, type CallOptions, type Ended, resultOf } from "./caller.js";
import type { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall } from "./failure/explain-call.js";
import type { ControlPlaneDocument } from "./operations/control-plane-document.js";
import { listControlPlanes, type ListFilter } from "./operations/control-planes.js";
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

/**
 * Lists all control planes that a filter lets through, page by page. The last page is one that is empty, or one that is
 * not full while the total shows that nothing follows. A page that is not full proves nothing by itself, because the
 * service may cap its pages below the size that it names. The total may count control planes or pages.
 *
 * @throws ControlPlaneError when a page cannot be read, or when the service repeats a page
 */
export async function listAll(
  caller: Caller,
  address: string,
  filter: ListFilter,
  scope: CallScope,
  options: CallOptions = { purpose: "list" },
): Promise<Listing> {
  const found = new Map<string, ControlPlaneDocument>();
  let time: AnswerTime | undefined;
  for (let pageNumber = 1; ; pageNumber += 1) {
    const ended = await caller.call(listControlPlanes(filter, pageNumber), { address }, scope, options);
    const { items, size, total } = resultOf(ended);
    time = joinTimes(time ?? timeOf(ended.end), timeOf(ended.end));
    const before = found.size;
    for (const item of items) found.set(item.id, item);
    const isProvenEnd = total === found.size || total === pageNumber;
    const isLast = items.length === 0 || (items.length < size && isProvenEnd);
    if (isLast || found.size === filter.ids?.length) {
      return { controlPlanes: [...found.values()], facts: factsOf(ended.end), time };
    }
    if (found.size === before || pageNumber === MAX_PAGES) throw contradiction(ended, REPEATED_PAGES);
  }
}

/**
 * Lists control planes by their ids, a hundred with each request. One that is missing does not exist, or the token may
 * not list it.
 *
 * @throws ControlPlaneError when a page cannot be read
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
