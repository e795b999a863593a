import type { Fault } from "../../emulator/index.js";
import type { FaultCase } from "./fault-case.js";

const LOST = "no answer: the connection failed or was lost";
const DONE =
  "204 to DELETE and to a change of members, 201 with the control plane to its creation, 200 with what was asked for to GET and PATCH";

/** A request that is not answered at the first time, and answered at the second. */
const lost = (title: string, fault: Fault, more: Partial<FaultCase> = {}): FaultCase => ({
  title,
  row: LOST,
  faults: [fault],
  outcome: "deleted",
  exists: false,
  requests: 2,
  waitsMs: [500],
  says: [],
  ...more,
});

const answered = (title: string, row: string, raw: string, more: Partial<FaultCase> = {}): FaultCase =>
  lost(title, { raw }, { row, requests: 1, waitsMs: [], exists: true, ...more });

/** What can happen to a connection, and to HTTP itself. */
export const CONNECTION_CASES: readonly FaultCase[] = [
  lost("the connection is reset before the work is done", { reset: "before" }),
  lost(
    "the connection is reset after the work is done, so that the second request meets the service's 404",
    { reset: "after" },
    { says: ["404 from ", "konnect:trace:"] },
  ),
  lost("the connection is closed without a byte", { raw: "" }),
  lost("the head of the answer breaks off", { status: 204, reset: "body" }),
  lost("the status line breaks off", { raw: "HTTP/1.1 20" }),
  lost("it is never answered", { hang: true }, { slow: true }),
  lost(
    "it is never answered, each time",
    { hang: true, times: 2 },
    {
      outcome: "kept",
      mayBeDeleted: true,
      exists: true,
      slow: true,
      maxAttempts: 2,
      begins: "No answer (timed out) after 2 attempts: ",
      says: ["state     unknown"],
    },
  ),
  lost("the answer is another protocol's banner", { raw: "SSH-2.0-OpenSSH_9.6\r\n" }),
  lost("the answer is binary", { raw: Buffer.from([0x16, 3, 1, 0, 0xff, 0, 0x80]) }),
  lost("the answer has no status", { raw: "HTTP/1.1 OK\r\n\r\n" }),
  lost("the answer has a broken header", { raw: "HTTP/1.1 204 No Content\r\nno colon\r\n\r\n" }),
  lost("the answer has a header of 100 KB", {
    raw: `HTTP/1.1 204 No Content\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
  }),
  lost("the answer is a body without a head", { raw: '{"status":204}' }),
  // Node closes the connection then, without an error.
  lost(
    "the answer is a switch to another protocol",
    { raw: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n" },
    { slow: true },
  ),
  answered(
    "an early hint precedes the answer",
    DONE,
    "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
  ),
  answered("a 204 has a body", DONE, "HTTP/1.1 204 No Content\r\ncontent-length: 4\r\n\r\nbody"),
  answered("HTTP/1.0 answers", DONE, "HTTP/1.0 204 No Content\r\n\r\n"),
  // The second answer must not be taken for the answer to the next request.
  answered(
    "two answers come to one request",
    "503",
    "HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 204 Yes\r\n\r\n",
    { requests: 2, waitsMs: [500], exists: false },
  ),
  answered(
    "the chunks of a 404 are broken",
    "404 whose body broke off",
    'HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"sta\r\nzz\r\n',
    { requests: 2, waitsMs: [500], exists: false },
  ),
  answered(
    "the status is none of HTTP's",
    "anything else",
    "HTTP/1.1 999 Strange\r\ncontent-length: 0\r\n\r\n",
    {
      outcome: "kept",
      exists: true,
      begins: "999, not from the service: ",
    },
  ),
  answered("it is answered by IPv6", DONE, "HTTP/1.1 204 No Content\r\n\r\n", { place: "IPv6" }),
  ...(
    [
      ["the connection is refused", "refused", "No answer (connection refused) after 2 attempts: ", []],
      [
        "the name is not found",
        "no such name",
        "No answer (DNS lookup failed) after 2 attempts: ",
        ["check the address, the DNS of this machine"],
      ],
      ["TLS meets a service without it", "plain", "No answer (TLS handshake failed) after 2 attempts: ", []],
    ] as const
  ).map(([title, place, begins, says]) =>
    lost(title, {}, { faults: [], place, outcome: "kept", exists: true, maxAttempts: 2, begins, says }),
  ),
  {
    title: "the certificate is not trusted",
    row: "no answer: the certificate is not accepted",
    faults: [],
    outcome: "kept",
    exists: true,
    requests: 1,
    waitsMs: [],
    begins: "No answer (certificate not trusted): ",
    says: ["NODE_EXTRA_CA_CERTS"],
    place: "untrusted",
  },
];
