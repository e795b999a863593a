import { type Fault, problem } from "../../emulator/index.js";
import type { FaultCase } from "./fault-case.js";

/** Half of 1 s, doubled each time, to half of 30 s: docs/behavior.md. */
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000];

/** The clock of the service, which is ten minutes ahead of this machine's. */
const DATE = "Thu, 01 Jan 2026 00:10:00 GMT";

const limited = (headers: Record<string, string>, status = 503): Fault => ({ status, headers });
const retryAfter = (
  form: string,
  text: string,
  waitMs: number,
  more: Partial<FaultCase> = {},
): FaultCase => ({
  title: `503 with Retry-After ${form}`,
  row: "503",
  faults: [limited({ "retry-after": text, date: DATE })],
  outcome: "deleted",
  exists: false,
  requests: 2,
  waitsMs: [waitMs],
  says: [],
  ...more,
});
const ignored = (form: string, text: string) => retryAfter(`${form}, which is ignored`, text, 500);
const tooLong = (form: string, text: string, more: Partial<FaultCase> = {}) =>
  retryAfter(`${form}, longer than the budget`, text, 0, {
    outcome: "kept",
    exists: true,
    requests: 1,
    waitsMs: [],
    begins: "503 Service Unavailable: ",
    says: ["does not fit in retryBudgetSeconds (300)"],
    ...more,
  });
const VIRTUAL = { virtual: true } as const;

/** How long a call waits after a temporary failure, and how many attempts it makes. */
export const WAIT_CASES: readonly FaultCase[] = [
  retryAfter("of 1 s", "1", 1_000),
  retryAfter("of 2 min", "120", 120_000, VIRTUAL),
  retryAfter("in white space", "  2\t", 2_000),
  retryAfter("as an IMF date", "Thu, 01 Jan 2026 00:10:20 GMT", 20_000, VIRTUAL),
  retryAfter("as an RFC 850 date", "Thursday, 01-Jan-26 00:10:20 GMT", 20_000, VIRTUAL),
  retryAfter("as an asctime date", "Thu Jan  1 00:10:20 2026", 20_000, VIRTUAL),
  retryAfter("as a date in the past", "Sun, 06 Nov 1994 08:49:37 GMT", 500),
  retryAfter("of 0", "0", 500),
  ignored("negative", "-5"),
  ignored("with a fraction", "1.5"),
  ignored("as a word", "soon"),
  ignored("as an exponent", "1e3"),
  ignored("as a date of ISO 8601", "2026-01-01T00:00:20Z"),
  ignored("as a date that does not exist", "Tue, 31 Feb 2026 00:00:20 GMT"),
  ignored("empty", ""),
  ignored("as a list", "5, 7"),
  tooLong("of 5 min", "300"),
  tooLong("of 10^20 s", "100000000000000000000"),
  tooLong("of 400 digits", "9".repeat(400)),
  tooLong("as a date in a hundred years", "Wed, 01 Jan 2126 00:00:00 GMT", VIRTUAL),
  {
    title: "429 with Retry-After and a longer rate-limit reset",
    row: "429",
    faults: [limited({ "retry-after": "1", "ratelimit-remaining": "0", "ratelimit-reset": "3" }, 429)],
    outcome: "deleted",
    exists: false,
    requests: 2,
    waitsMs: [1_000, 2_000],
    says: [],
    ...VIRTUAL,
  },
  {
    title: "429 with requests left, which is ignored",
    row: "429",
    faults: [limited({ "ratelimit-remaining": "7", "ratelimit-reset": "48" }, 429)],
    outcome: "deleted",
    exists: false,
    requests: 2,
    waitsMs: [500],
    says: [],
  },
  {
    title: "429 with a rate-limit reset longer than the budget, which is ignored",
    row: "429",
    faults: [limited({ "ratelimit-remaining": "0", "ratelimit-reset": "301" }, 429)],
    outcome: "deleted",
    exists: false,
    requests: 2,
    waitsMs: [500],
    says: [],
  },
  {
    title: "503 nine times",
    row: "503",
    faults: [{ status: 503, times: 9 }],
    outcome: "deleted",
    exists: false,
    requests: 10,
    waitsMs: BACKOFF_MS,
    says: [],
    ...VIRTUAL,
  },
  {
    title: "503 ten times",
    row: "503",
    faults: [{ status: 503, times: 10 }],
    outcome: "kept",
    exists: true,
    requests: 10,
    waitsMs: BACKOFF_MS,
    begins: "503 Service Unavailable after 10 attempts: ",
    says: ["as many as maxAttempts (10) allows"],
    ...VIRTUAL,
  },
  then("503, then the service's 404: somebody else deleted it", "503", [{ status: 503 }, { status: 404 }], {
    outcome: "already gone",
    says: ["404 from ", "konnect:trace:"],
  }),
  ...["502", "504"].map((status) =>
    then(
      `${status}, then the service's 404: the first request had worked`,
      status,
      [{ status: Number(status) }, { status: 404 }],
      { outcome: "deleted", says: ["404 from ", "konnect:trace:"] },
    ),
  ),
  then("503, then 403", "503", [{ status: 503 }, { status: 403 }], {
    outcome: "kept",
    begins: "403 Permission denied after 2 attempts: ",
  }),
  then("502, then another 404", "502", [{ status: 502 }, { status: 404, body: "<h1>No</h1>" }], {
    outcome: "kept",
    mayBeDeleted: true,
    begins: "404 Not Found, not from the service: ",
  }),
  then(
    "a body broken off, then the service's 404",
    "404 whose body broke off",
    [{ status: 404, body: problem(404), reset: "body" }, { status: 404 }],
    { outcome: "already gone", says: ["404 from ", "konnect:trace:"] },
  ),
];

/** Two answers, one after the other. The emulator does no work for either. */
function then(
  title: string,
  row: string,
  faults: readonly Fault[],
  ending: Pick<FaultCase, "outcome"> & Partial<FaultCase>,
): FaultCase {
  return { title, row, faults, exists: true, requests: 2, waitsMs: [500], says: [], ...ending };
}
