import { gzipSync } from "node:zlib";
import { type Fault, problem } from "../../emulator/index.js";

/** One form of a body that a status can come with. */
export interface BodyForm {
  readonly title: string;
  readonly fault: (status: number) => Fault;
  /** The service's own problem document, as part 7 of the specification requires it. */
  readonly proves?: true;
  /** The body does not arrive whole. */
  readonly breaksOff?: true;
  /** Only the time limit ends it. */
  readonly slow?: true;
}

const PROBLEM_JSON = "application/problem+json";
const DETAIL = { detail: "The words of the service." };
const document = (status: number, more: object = {}) =>
  JSON.stringify({ ...problem(status, DETAIL), type: undefined, invalid_parameters: undefined, ...more });

/** A text or bytes with a media type. */
const sent = (status: number, body: string | Buffer, type = PROBLEM_JSON, headers = {}): Fault => ({
  status,
  body,
  headers: { "content-type": type, ...headers },
});
const form = (
  title: string,
  body: (status: number) => string | Buffer,
  kind: Omit<BodyForm, "title" | "fault"> = {},
  type?: string,
): BodyForm => ({ title, fault: (status) => sent(status, body(status), type), ...kind });

const PROOF = { proves: true } as const;
const SLOW = { breaksOff: true, slow: true } as const;
const MIB = 1024 * 1024;

/** Every form of a body, whole and broken. */
export const BODY_FORMS: readonly BodyForm[] = [
  form("its problem document", document, PROOF),
  form("its problem document as application/json", document, PROOF, "application/json"),
  form("its problem document as text/html", document, PROOF, "text/html"),
  form("its problem document and bytes that are not UTF-8", latin1Document, PROOF),
  form("its problem document and parameters of wrong types", withWrongParameters, PROOF),
  {
    title: "its problem document, compressed",
    fault: (status) => sent(status, gzipSync(document(status)), PROBLEM_JSON, { "content-encoding": "gzip" }),
    ...PROOF,
  },
  form("a problem document without a status", (s) => document(s, { status: undefined })),
  form("a problem document without a title", (s) => document(s, { title: undefined })),
  form("a problem document with an empty title", (s) => document(s, { title: "" })),
  form("a problem document without an instance", (s) => document(s, { instance: undefined })),
  form("a problem document with an empty instance", (s) => document(s, { instance: "" })),
  form("a framework's problem document, whose instance is a path", springDocument),
  form("a problem document whose status is a string", (s) => document(s, { status: String(s) })),
  form("a problem document that says another status", (s) => document(s, { status: s + 1 })),
  form("a problem document whose title is a number", (s) => document(s, { title: 7 })),
  form("a problem document whose instance is null", (s) => document(s, { instance: null })),
  form("a problem document inside an array", (s) => `[${document(s)}]`),
  form("a framework's JSON", frameworkJson),
  form("a gateway's message", () => '{"message":"no Route matched with those values"}'),
  form("the media type alone", () => "no document"),
  form("HTML", () => "<html><h1>It is not here</h1></html>", {}, "text/html"),
  form("nothing", () => ""),
  form("a page after 64 KiB of blanks", () => `${" ".repeat(64 * 1024)}<html>`, {}, "text/html"),
  form("its problem document before 64 KiB of blanks", (s) => document(s) + " ".repeat(64 * 1024)),
  form("a problem document cut in half", (s) => document(s).slice(0, 40)),
  form("broken JSON", (s) => document(s).replace(":", ";")),
  form("a problem document in UTF-16", (s) => Buffer.from(document(s), "utf16le")),
  { title: "200 MB", fault: (status) => streamed(status, 200 * MIB) },
  { title: "a body that drips forever", fault: (status) => dripping(status), ...SLOW },
  {
    title: "its problem document, and more that never arrives",
    fault: (status) => sent(status, document(status), PROBLEM_JSON, { "content-length": "9999" }),
    ...SLOW,
  },
  {
    title: "a body that is shorter than it says",
    fault: (status) => sent(status, document(status).slice(0, 40), PROBLEM_JSON, { "content-length": "99" }),
    ...SLOW,
  },
  {
    title: "a body that is longer than it says",
    fault: (status) => sent(status, document(status), PROBLEM_JSON, { "content-length": "20" }),
  },
  {
    title: "a body that is broken off by a reset",
    fault: (status) => ({ ...sent(status, document(status)), reset: "body" }),
    breaksOff: true,
  },
  {
    title: "a body that says it is compressed and is not",
    fault: (status) => sent(status, document(status), PROBLEM_JSON, { "content-encoding": "gzip" }),
    breaksOff: true,
  },
];

function latin1Document(status: number): Buffer {
  return Buffer.from(document(status, { detail: "The words of the service. Größe" }), "latin1");
}

function withWrongParameters(status: number): string {
  return document(status, { invalid_parameters: [7, null, [], { field: 1, reason: {} }, { field: "name" }] });
}

/** What Spring answers where no controller is found (RFC 9457). */
function springDocument(status: number): string {
  return JSON.stringify({
    type: "about:blank",
    title: "Not Found",
    status,
    instance: "/v2/control-planes/x",
  });
}

function frameworkJson(status: number): string {
  return JSON.stringify({ statusCode: status, error: "Not Found", path: "/v2/control-planes" });
}

/** A body that the emulator would send without end, with a length. */
function streamed(status: number, bytes: number): Fault {
  return {
    status,
    body: "x",
    headers: { "content-length": String(bytes) },
    drip: { bytes: MIB, everyMs: 0 },
  };
}

function dripping(status: number): Fault {
  return { status, body: "{ ", drip: { bytes: 1, everyMs: 20 } };
}
