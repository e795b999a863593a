import http from "node:http";
import { Readable } from "node:stream";
import { expect } from "chai";
import { type Emulator, type Fault, startEmulator } from "../../../../emulator/index.js";
import type { Answer, Reply } from "../../../../provider/service/http/answer.js";
import { Token } from "../../../../provider/service/http/token.js";
import { createTransport, type HttpRequest, readBody } from "../../../../provider/service/http/transport.js";
import { safe } from "../../../../provider/text/safe-text.js";
import { ref } from "../../../pure/service/answers.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { withoutProxies } from "./process-network.js";
import { startServer } from "./raw-server.js";
import { noStop, requestTo } from "./sending.js";

const { id } = ref;

describe("the transport", () => {
  let emulator: Emulator;
  const send = createTransport(4, "the-agent/1.2.3");

  withoutProxies();
  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  beforeEach(() => {
    emulator.reset();
    if (!emulator.controlPlanes.has(id)) emulator.add({ id, name: "edge" });
  });
  after(() => emulator.close());

  const ask = (more: Partial<HttpRequest> = {}): Promise<Answer> =>
    send(requestTo(emulator.baseUrl, more), noStop);
  const replyTo = async (fault: Fault): Promise<Reply> => {
    emulator.script({}, fault);
    const answer = await ask();
    if (answer.kind === "no reply") throw new Error(`no reply: ${answer.cause} ${answer.detail}`);
    return answer;
  };

  it("sends the method, the path, the token and its own name, and no body", async () => {
    expect(await replyTo({ headers: { date: "Thu, 01 Jan 2026 00:00:00 GMT" } })).to.deep.equal({
      kind: "reply",
      delivery: "answered",
      status: 204,
      body: "",
      bodyEnd: "complete",
      date: "Thu, 01 Jan 2026 00:00:00 GMT",
    });
    expect(emulator.controlPlanes.size).to.equal(0);
    const [request] = emulator.requests;
    expect(request).to.include({ method: "DELETE", path: `/v2/control-planes/${id}`, role: "sa-ci" });
    expect(request?.requestHeaders).to.include({ "user-agent": "the-agent/1.2.3" });
    expect(request?.requestHeaders.accept).to.contain("application/problem+json");
    expect(request?.requestHeaders).not.to.have.any.keys("transfer-encoding", "content-type");
  });

  it("sends a body as JSON", async () => {
    let received = "";
    const server = await startServer(
      http.createServer((request, response) => {
        received = `${request.method} ${request.headers["content-type"]} `;
        request.setEncoding("utf8").on("data", (text: string) => (received += text));
        request.once("end", () => response.writeHead(201).end());
      }),
    );
    const body = { name: "größe", labels: { a: "1" } };
    const answer = await send(
      requestTo(`http://127.0.0.1:${server.port}/v2`, { method: "POST", body }),
      noStop,
    );
    await server.close();
    expect(answer).to.include({ kind: "reply", status: 201 });
    expect(received).to.equal('POST application/json {"name":"größe","labels":{"a":"1"}}');
  });

  it("returns the body of an answer, and of a failure too", async () => {
    const found = await ask({ method: "GET" });
    expect(found).to.include({ status: 200, bodyEnd: "complete" });
    expect(found).to.have.property("body").that.contains('"name":"edge"');
    emulator.remove(id);
    expect(await ask())
      .to.have.property("body")
      .that.contains('"title":"Not Found"');
  });

  it("keeps a connection for the requests that follow", async () => {
    for (let count = 0; count < 3; count += 1) await ask({ method: "GET" });
    await replyTo({ status: 503 });
    await ask({ method: "GET" });
    expect(new Set(emulator.requests.map(({ connection }) => connection)).size).to.equal(1);
  });

  it("opens no more connections than it is allowed to", async () => {
    await Promise.all(Array.from({ length: 12 }, () => ask({ method: "GET" })));
    expect(emulator.requests).to.have.length(12);
    expect(new Set(emulator.requests.map(({ connection }) => connection)).size).to.be.at.most(4);
  });

  it("returns Retry-After as it was sent", async () => {
    expect(await replyTo({ status: 503, headers: { "retry-after": " 7 " } })).to.include({ retryAfter: "7" });
    expect(await replyTo({ status: 503 })).not.to.have.property("retryAfter");
  });

  it("returns the rate-limit headers as they were sent, both or none", async () => {
    const headers = { "RateLimit-Remaining": "0", "ratelimit-reset": "48" };
    expect(await replyTo({ headers })).to.deep.include({ rateLimit: { remaining: "0", reset: "48" } });
    for (const [name, value] of Object.entries(headers)) {
      expect(await replyTo({ status: 503, headers: { [name]: value } })).not.to.have.property("rateLimit");
    }
  });

  it("connects to loopback directly, whatever proxy the environment names", async () => {
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]) {
      process.env[name] = "http://127.0.0.1:1";
    }
    expect(await ask({ method: "GET" })).to.include({ status: 200 });
  });

  it("works with a token of 7,000 characters, whether an answer repeats it or not", async () => {
    const value = `spat_${"0123456789abcdefghijklmnopqrstuvwxyz".repeat(200)}`.slice(0, 7_000);
    emulator.grant(value, { name: "sa-long" });
    const token = new Token(value, safe`test`);
    emulator.script({}, { status: 503, body: { title: `${value.slice(3_000, 3_100)} is not known` } });
    expect(await ask({ token })).to.include({ status: 503, body: "", bodyEnd: "withheld" });
    expect(await ask({ token })).to.include({ status: 204, bodyEnd: "complete" });
    emulator.revoke(value);
  });
});

const LIMIT = 64 * 1024;

describe("readBody", () => {
  it("reads a body to its end, in several pieces", async () => {
    const bytes = Buffer.from("größe");
    const stream = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    expect(await readBody(stream)).to.deep.equal({ text: "größe", end: "complete" });
  });

  it("reads an empty body", async () => {
    expect(await readBody(Readable.from([]))).to.deep.equal({ text: "", end: "complete" });
  });

  it("treats a body of exactly 64 KiB as complete", async () => {
    const stream = Readable.from([Buffer.alloc(LIMIT - 1, "x"), Buffer.from("y")]);
    expect(await readBody(stream)).to.deep.equal({ text: `${"x".repeat(LIMIT - 1)}y`, end: "complete" });
  });

  it("cuts a longer body at 64 KiB, says so, and ends the stream", async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push(Buffer.alloc(LIMIT, "x"));
    stream.push(Buffer.from("y"));
    expect(await readBody(stream)).to.deep.equal({ text: "x".repeat(LIMIT), end: "too large" });
    expect(stream.destroyed).to.equal(true);
  });

  it("returns what arrived before the stream failed", async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push(Buffer.from("half"));
    setImmediate(() => stream.destroy(new Error("reset")));
    expect(await readBody(stream)).to.deep.equal({ text: "half", end: "broken off" });
  });
});
