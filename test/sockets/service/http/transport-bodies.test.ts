import http from "node:http";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { type Emulator, type Fault, startEmulator } from "../../../../emulator/index.js";
import type { Reply } from "../../../../provider/service/http/answer.js";
import { createTransport, type HttpRequest } from "../../../../provider/service/http/transport.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { withoutProxies } from "./process-network.js";
import { startServer } from "./raw-server.js";
import { noStop, requestTo } from "./sending.js";
import { TOKEN_ENCODINGS } from "../../../pure/service/http/token-encodings.js";

const LIMIT = 64 * 1024;

describe("the body of an answer", () => {
  let emulator: Emulator;
  const send = createTransport(4, "test");

  withoutProxies();
  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  beforeEach(() => emulator.reset());
  after(() => emulator.close());

  const ask = async (address: string, more: Partial<HttpRequest> = {}): Promise<Reply> => {
    const answer = await send(requestTo(address, more), noStop);
    if (answer.kind === "no reply") throw new Error(`no reply: ${answer.cause} ${answer.detail}`);
    return answer;
  };
  const replyTo = (fault: Fault, more: Partial<HttpRequest> = {}): Promise<Reply> => {
    emulator.script({}, fault);
    return ask(emulator.baseUrl, more);
  };

  it("is complete at exactly 64 KiB", async () => {
    expect(await replyTo({ status: 500, body: "x".repeat(LIMIT) })).to.include({
      body: "x".repeat(LIMIT),
      bodyEnd: "complete",
    });
  });

  it("is cut at 64 KiB, and is not complete then", async () => {
    expect(await replyTo({ status: 500, body: `${"x".repeat(LIMIT)}y` })).to.include({
      body: "x".repeat(LIMIT),
      bodyEnd: "too large",
    });
  });

  it("is neither empty nor complete when 64 KiB of blanks precede a page", async () => {
    const { body, bodyEnd } = await replyTo({ status: 200, body: `${" ".repeat(LIMIT)}<html>` });
    expect({ length: body.length, bodyEnd }).to.deep.equal({ length: LIMIT, bodyEnd: "too large" });
  });

  it("is not read any further after that, also when it never ends", async () => {
    const server = await startServer(
      http.createServer((_, response) => response.writeHead(500).write("x".repeat(LIMIT + 1))),
    );
    const startMs = performance.now();
    const answer = await ask(`http://127.0.0.1:${server.port}/v2`);
    await server.close();
    expect(answer).to.include({ status: 500, bodyEnd: "too large" });
    expect(performance.now() - startMs).to.be.lessThan(2_000);
  });

  it("is decompressed", async () => {
    const body = gzipSync(JSON.stringify({ status: 503, title: "zipped" }));
    const answer = await replyTo({ status: 503, body, headers: { "content-encoding": "gzip" } });
    expect(JSON.parse(answer.body)).to.deep.equal({ status: 503, title: "zipped" });
  });

  it("is cut at 64 KiB when it is far larger than its compressed form", async () => {
    const body = gzipSync("x".repeat(20_000_000));
    const answer = await replyTo({ status: 500, body, headers: { "content-encoding": "gzip" } });
    expect(answer.body).to.have.length(LIMIT);
    expect(answer.bodyEnd).to.equal("too large");
  });

  it("is broken off when its compression is broken", async () => {
    const headers = { "content-encoding": "gzip" };
    expect(await replyTo({ status: 503, body: "no gzip", headers })).to.include({
      status: 503,
      bodyEnd: "broken off",
    });
  });

  for (const [method, status] of [
    ["DELETE", 200],
    ["DELETE", 404],
    ["GET", 200],
    ["GET", 300],
    ["GET", 404],
    ["GET", 503],
  ] as const) {
    it(`is broken off when the connection is reset in the middle of a ${status} to ${method}`, async () => {
      const answer = await replyTo({ status, body: "x".repeat(100), reset: "body" }, { method });
      expect(answer).to.include({ status, body: "x".repeat(50), bodyEnd: "broken off" });
    });
  }

  for (const [method, status] of [
    ["DELETE", 404],
    ["GET", 200],
  ] as const) {
    it(`is broken off when the time is up in the middle of a ${status} to ${method}`, async () => {
      const startMs = performance.now();
      const drip = { bytes: 1, everyMs: 5 };
      const answer = await replyTo({ status, body: "{ }", drip }, { method, timeLimitMs: 200 });
      expect(answer).to.include({ status, bodyEnd: "broken off" });
      expect(performance.now() - startMs).to.be.within(190, 2_000);
    });
  }

  it("is complete when the server closes a connection without a length after the head", async () => {
    const raw = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n";
    expect(await replyTo({ raw })).to.include({ status: 200, body: "", bodyEnd: "complete" });
  });

  it("is broken off when chunks are broken", async () => {
    const raw = 'HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"sta\r\nzz\r\n';
    expect(await replyTo({ raw })).to.include({ status: 404, bodyEnd: "broken off" });
  });
});

describe("an answer that repeats the token", () => {
  let emulator: Emulator;
  const send = createTransport(1, "test");

  withoutProxies();
  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  after(() => emulator.close());

  const replyTo = (fault: Fault) => {
    emulator.script({}, fault);
    return send(requestTo(emulator.baseUrl), noStop);
  };

  it("has no body", async () => {
    const body = { status: 503, title: "No", detail: `not for Authorization: Bearer ${SECRET}, no` };
    const headers = { date: "Thu, 01 Jan 2026 00:00:00 GMT" };
    expect(await replyTo({ status: 503, body, headers })).to.deep.equal({
      kind: "reply",
      delivery: "answered",
      status: 503,
      body: "",
      bodyEnd: "withheld",
      date: "Thu, 01 Jan 2026 00:00:00 GMT",
    });
  });

  it("has no body, in whatever encoding it repeats the token", async () => {
    for (const [how, encode] of TOKEN_ENCODINGS) {
      const answer = await replyTo({ status: 404, body: `not for ${encode(SECRET)}` });
      expect(answer, how).to.include({ status: 404, body: "", bodyEnd: "withheld" });
    }
  });

  it("has no body when the limit cuts it within the token, or the connection within an escape", async () => {
    const long = `${"x".repeat(LIMIT - 12)}${SECRET}`;
    expect(await replyTo({ status: 404, body: long })).to.include({ body: "", bodyEnd: "withheld" });
    const escaped = Array.from(SECRET, (character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    const half = escaped.padEnd(2 * 50, "x").slice(0, 100);
    expect(await replyTo({ status: 404, body: half, reset: "body" })).to.include({ bodyEnd: "withheld" });
  });

  it("loses the headers that repeat it, and keeps the body", async () => {
    const headers = {
      date: SECRET,
      "retry-after": SECRET,
      "ratelimit-remaining": "0",
      "ratelimit-reset": `1 ${SECRET}`,
    };
    expect(await replyTo({ status: 503, body: "{}", headers })).to.deep.equal({
      kind: "reply",
      delivery: "answered",
      status: 503,
      body: "{}",
      bodyEnd: "complete",
    });
  });
});
