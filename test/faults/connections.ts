import type { Fault } from "../../emulator/index.js";
import type { FaultCase } from "./fault-case.js";

const LOST = "no answer: reset, timed out, not HTTP";

/** A request that gets no answer once, and the answer at the second time. */
const lost = (title: string, fault: Fault, more: Partial<FaultCase> = {}): FaultCase => ({
  title,
  row: LOST,
  faults: [fault],
  outcome: "deleted",
  requests: 2,
  waitsMs: [500],
  says: [],
  ...more,
});

const answered = (title: string, row: string, raw: string, more: Partial<FaultCase> = {}): FaultCase =>
  lost(title, { raw }, { row, requests: 1, waitsMs: [], ...more });

/** What can happen to a connection, and to HTTP itself. */
export const CONNECTION_CASES: readonly FaultCase[] = [
  lost("the connection is reset before the work is done", { reset: "before" }),
  // The second request gets the service's own 404: the first one had worked.
  lost("the connection is reset after the work is done", { reset: "after" }),
  lost("the connection is closed without a byte", { raw: "" }),
  lost("the head of the answer breaks off", { status: 204, reset: "body" }),
  lost("the status line breaks off", { raw: "HTTP/1.1 20" }),
  lost("it is never answered", { hang: true }, { slow: true }),
  lost(
    "it is never answered, each time",
    { hang: true, times: 2 },
    {
      outcome: "kept",
      slow: true,
      maxAttempts: 2,
      says: ["No answer (timed out) after 2 attempts", "may be deleted or not", "state     unknown"],
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
    "2xx",
    "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
  ),
  answered("a 204 has a body", "2xx", "HTTP/1.1 204 No Content\r\ncontent-length: 4\r\n\r\nbody"),
  answered("HTTP/1.0 answers", "2xx", "HTTP/1.0 204 No Content\r\n\r\n"),
  // The second answer belongs to no request: it must not answer the next one.
  answered(
    "two answers come to one request",
    "503",
    "HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 204 Yes\r\n\r\n",
    {
      requests: 2,
      waitsMs: [500],
    },
  ),
  answered(
    "the chunks of a 404 are broken",
    "404 whose body broke off",
    'HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"sta\r\nzz\r\n',
    { requests: 2, waitsMs: [500] },
  ),
  answered(
    "the status is none of HTTP's",
    "anything else",
    "HTTP/1.1 999 Strange\r\ncontent-length: 0\r\n\r\n",
    {
      outcome: "kept",
      says: ["999, not from the service"],
    },
  ),
  answered("it is answered by IPv6", "2xx", "HTTP/1.1 204 No Content\r\n\r\n", { place: "IPv6" }),
  lost(
    "the connection is refused",
    {},
    {
      row: "no answer: connection refused",
      faults: [],
      place: "refused",
      outcome: "kept",
      maxAttempts: 2,
      says: ["No answer (connection refused) after 2 attempts", "was not deleted"],
    },
  ),
  lost(
    "the name is not found",
    {},
    {
      row: "no answer: name not found",
      faults: [],
      place: "no such name",
      outcome: "kept",
      maxAttempts: 2,
      says: ["No answer (name not found) after 2 attempts", "check the address, the name service"],
    },
  ),
  lost(
    "TLS meets a service without it",
    {},
    { faults: [], place: "plain", outcome: "kept", maxAttempts: 2, says: ["not an HTTP answer"] },
  ),
  {
    title: "the certificate is not trusted",
    row: "certificate not trusted",
    faults: [],
    place: "untrusted",
    outcome: "kept",
    requests: 1,
    waitsMs: [],
    says: ["certificate not trusted", "NODE_EXTRA_CA_CERTS"],
  },
];
