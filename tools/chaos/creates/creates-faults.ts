import { FINAL, type NamedFault, PAGE, TEMPORARY } from "../faults.js";

/** The faults of one kind of request. */
export interface FaultTable {
  /** Faults that the provider survives within a run. */
  readonly survived: readonly [NamedFault, ...NamedFault[]];
  /** Faults that fail the resource, so that another run has to go on. */
  readonly costly: readonly [NamedFault, ...NamedFault[]];
}

const named = (names: readonly string[]): readonly NamedFault[] =>
  [...TEMPORARY, ...FINAL].filter(({ name }) => names.includes(name));

/**
 * Faults of a POST. It is sent again only when it was provably not processed. After any other failure the name is looked
 * up, and the run fails when nothing was created.
 */
export const POST_FAULTS: FaultTable = {
  survived: [
    { name: "500 done", make: () => ({ status: 500, work: "now" }) },
    { name: "502 done", make: () => ({ status: 502, body: PAGE, work: "now" }) },
    ...named([
      "503",
      "429",
      "429 Retry-After",
      "reset after",
      "reset in body",
      "slow",
      "too slow",
      "200 done",
    ]),
  ],
  costly: [
    { name: "400", make: () => ({ status: 400 }) },
    ...named(["503 page", "502", "504", "408", "reset before", "503 cut short", "hang", "not HTTP"]),
    ...named(["500", "401", "403 page", "409"]),
  ],
};

/** Faults of a PATCH, which is sent again after any temporary failure. */
export const PATCH_FAULTS: FaultTable = {
  survived: [
    { name: "504 done", make: () => ({ status: 504, work: "now" }) },
    ...named(["503", "503 page", "429", "502", "504", "408", "reset before", "reset after", "reset in body"]),
    ...named(["503 cut short", "hang", "slow", "too slow", "not HTTP"]),
  ],
  costly: [
    { name: "500 done", make: () => ({ status: 500, work: "now" }) },
    ...named(["500", "401", "403 page", "404 page", "409", "200 page", "302"]),
  ],
};

/** Faults of a DELETE. */
export const DELETE_FAULTS: FaultTable = { survived: TEMPORARY, costly: FINAL };
