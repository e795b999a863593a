import type { Fault } from "../../emulator/index.js";
import type { FaultCase, Confirmation } from "./fault-case.js";

const UNPROVEN = "any other 2xx to DELETE or POST";
const FOUND =
  "204 to DELETE and to a change of members, 201 with the control plane to its creation, 200 with what was asked for to GET and PATCH";
const GONE = "404 with the service's problem document";
const PENDING = "200 to that GET: it still exists after a 202, or the name is not there after a POST";
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000];

/** The answers to DELETE of the class 2xx that prove nothing. */
const ANSWERS: Readonly<Record<string, Fault>> = {
  "200 without a body": { status: 200 },
  "200 with the JSON of a captive portal": { status: 200, body: { captive: true } },
  "200 with the control plane's own document": {
    status: 200,
    body: { id: "9524ec7d-36d9-465d-a8c5-83a3c9390458", name: "edge", labels: {} },
  },
  "200 with a log-in page without a length": {
    raw: "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n",
  },
  "201": { status: 201 },
  "205": { status: 205 },
  "207 with a 403 inside": { status: 207, body: { responses: [{ status: 403 }] } },
  "299": { status: 299 },
};

const kept = (
  confirmation: Confirmation,
  more: Partial<FaultCase> = {},
): Omit<FaultCase, "title" | "faults"> => ({
  row: UNPROVEN,
  outcome: "kept",
  exists: true,
  requests: 1,
  waitsMs: [],
  says: [],
  confirmation,
  ...more,
});

const deleted = (
  confirmation: Partial<Confirmation> = {},
  more: Partial<FaultCase> = {},
): Omit<FaultCase, "title" | "faults"> => ({
  row: UNPROVEN,
  isGone: true,
  outcome: "deleted",
  exists: false,
  requests: 1,
  waitsMs: [],
  says: ["404 from ", "konnect:trace:"],
  confirmation: { row: GONE, requests: 1, ...confirmation },
  ...more,
});

const STILL_EXISTS = [", but it still exists: control plane", "state     the control plane still exists"];
const PROVES_NOTHING = [" proves nothing: control plane", "may or may not have been deleted"];
const OK: readonly Fault[] = [{ status: 200 }];
const ACCEPTED: readonly Fault[] = [{ status: 202, body: { status: "queued" } }];

/** A confirmation that settles nothing. */
const unsettled = (title: string, row: string, fault: Fault, says: string): FaultCase => ({
  title: `200, then ${title} to the GET`,
  faults: OK,
  ...kept(
    { row, faults: [fault], requests: 1 },
    { mayBeDeleted: true, begins: "200 OK proves nothing: ", says: [...PROVES_NOTHING, says] },
  ),
});

/** A DELETE that is answered with a 2xx other than 204, and what a GET finds out. */
export const SUCCESS_CASES: readonly FaultCase[] = [
  ...Object.entries(ANSWERS).flatMap(([answer, fault]): readonly FaultCase[] => [
    {
      title: `${answer}, and the control plane still exists`,
      faults: [fault],
      ...kept({ row: FOUND, requests: 1 }, { begins: answer.slice(0, 3), says: STILL_EXISTS }),
    },
    { title: `${answer}, and the control plane is gone`, faults: [fault], ...deleted() },
  ]),
  { title: "202, and the control plane is gone", faults: ACCEPTED, ...deleted() },
  {
    title: "202, and the control plane is gone at the third poll",
    faults: ACCEPTED,
    ...deleted(
      {
        row: PENDING,
        faults: [foundDocument(), foundDocument()],
        requests: 3,
      },
      { waitsMs: [500, 1_000] },
    ),
  },
  {
    title: "202, and the control plane stays",
    faults: ACCEPTED,
    virtual: true,
    ...kept(
      { row: PENDING, requests: 10 },
      {
        waitsMs: BACKOFF_MS,
        mayBeDeleted: true,
        begins: "202 Accepted, but it still exists after 10 polls: ",
        says: ["The service has not carried out the deletion yet."],
      },
    ),
  },
  unsettled(
    "the service's 403",
    "403 with the service's problem document",
    { status: 403 },
    "403 Permission denied",
  ),
  unsettled("a proxy's 403", "403 with anything else", { status: 403, body: "<h1>Blocked</h1>" }, "Blocked"),
  unsettled("401", "401", { status: 401 }, "401 "),
  unsettled("another 404", "404 with anything else", { status: 404, body: "<h1>No</h1>" }, "404 Not Found"),
  unsettled(
    "the same page",
    "any other 2xx to GET or PATCH",
    { status: 200, body: "<h1>Log in</h1>" },
    "Log in",
  ),
  unsettled("500", "500", { status: 500 }, "500 Internal Server Error"),
  {
    title: "200, then 503 and the service's 404 to the GET",
    faults: OK,
    ...deleted({ row: "503", faults: [{ status: 503 }], requests: 2 }, { waitsMs: [500] }),
  },
  {
    title: "200, then a broken-off document and the service's 404 to the GET",
    faults: OK,
    ...deleted(
      {
        row: "2xx to GET or PATCH whose body broke off",
        faults: [{ status: 200, body: "{ }".repeat(99), reset: "body" }],
        requests: 2,
      },
      { waitsMs: [500] },
    ),
  },
  {
    title: "502, then 200, and the control plane still exists",
    faults: [{ status: 502 }, { status: 200 }],
    ...kept(
      { row: FOUND, requests: 1 },
      {
        row: "502",
        requests: 2,
        waitsMs: [500],
        begins: "200 OK, but it still exists: ",
        says: STILL_EXISTS,
      },
    ),
  },
];

/** The answer to a GET that finds the control plane that the tests over sockets delete. */
function foundDocument(): Fault {
  return {
    status: 200,
    body: { id: "9524ec7d-36d9-465d-a8c5-83a3c9390458", name: "edge", labels: {} },
  };
}
