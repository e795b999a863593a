import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { startEmulator, type Emulator, type Fault } from "../../../emulator/index.js";
import type { Answer, Reply } from "../../../provider/service/answer.js";
import { Token } from "../../../provider/service/token.js";
import { createTransport, type Request } from "../../../provider/service/transport.js";
import { target } from "./answers.js";
import { SECRET } from "./fake-effects.js";

const { id } = target;
const PROXIES = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

describe("the transport", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  const send = createTransport(4, "the-agent/1.2.3");
  const never = new AbortController().signal;

  const ask = async (more: Partial<Request> = {}, signal = never): Promise<Answer> => {
    const own = { id, address: emulator.baseUrl };
    const token = new Token(SECRET, "KONNECT_SPAT");
    const answer = await send({ method: "DELETE", target: own, token, timeoutMs: 5_000, ...more }, signal);
    expect(JSON.stringify(answer)).not.to.contain(SECRET);
    return answer;
  };
  const replyOf = async (fault: Fault, more: Partial<Request> = {}): Promise<Reply> => {
    emulator.script({}, fault);
    const answer = await ask(more);
    if (answer.kind === "no reply") throw new Error(`no reply: ${answer.cause} ${answer.detail}`);
    return answer;
  };
  const failureOf = async (fault: Fault | undefined, more: Partial<Request> = {}, signal = never) => {
    if (fault !== undefined) emulator.script({}, fault);
    const answer = await ask(more, signal);
    if (answer.kind === "reply") throw new Error(`answered: ${answer.status}`);
    return answer;
  };

  before(async () => {
    environment = { ...process.env };
    for (const name of PROXIES) Reflect.deleteProperty(process.env, name);
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  after(async () => {
    process.env = environment;
    await emulator.close();
  });
  beforeEach(() => {
    emulator.reset();
    if (!emulator.controlPlanes.has(id)) emulator.add({ id, name: "edge" });
  });

  it("sends the method, the path, the token and its own name, and no body", async () => {
    expect(await ask()).to.deep.equal({ kind: "reply", status: 204, body: "", complete: true });
    expect(emulator.controlPlanes.size).to.equal(0);
    const [request] = emulator.requests;
    expect(request).to.include({ method: "DELETE", path: `/v2/control-planes/${id}`, role: "sa-ci" });
    expect(request?.requestHeaders).to.include({ "user-agent": "the-agent/1.2.3" });
    expect(request?.requestHeaders.accept).to.contain("application/problem+json");
    expect(request?.requestHeaders).not.to.have.any.keys("transfer-encoding", "content-type");
  });

  it("gives the body of an answer, and of a failure too", async () => {
    const found = await ask({ method: "GET" });
    expect(found).to.include({ status: 200, complete: true });
    expect(found).to.have.property("body").that.contains('"name":"edge"');
    emulator.remove(id);
    expect(await ask())
      .to.have.property("body")
      .that.contains('"title":"Not Found"');
  });

  it("uses one connection for one request after the other", async () => {
    for (let count = 0; count < 3; count += 1) await ask({ method: "GET" });
    await replyOf({ status: 503 });
    await ask({ method: "GET" });
    expect(new Set(emulator.requests.map(({ connection }) => connection)).size).to.equal(1);
  });

  it("opens no more connections than it has slots", async () => {
    await Promise.all(Array.from({ length: 12 }, () => ask({ method: "GET" })));
    expect(emulator.requests).to.have.length(12);
    expect(new Set(emulator.requests.map(({ connection }) => connection)).size).to.be.at.most(4);
  });

  it("gives Retry-After as it came", async () => {
    expect(await replyOf({ status: 503, headers: { "retry-after": " 7 " } })).to.include({ retryAfter: "7" });
    expect(await replyOf({ status: 503 })).not.to.have.property("retryAfter");
  });

  it("gives the rate-limit headers as they came, both or none", async () => {
    const headers = { "RateLimit-Remaining": "0", "ratelimit-reset": "48" };
    expect(await replyOf({ headers })).to.deep.include({ rateLimit: { remaining: "0", reset: "48" } });
    for (const [name, value] of Object.entries(headers)) {
      expect(await replyOf({ status: 503, headers: { [name]: value } })).not.to.have.property("rateLimit");
    }
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a ${status}`, async () => {
      const location = `${emulator.baseUrl}/control-planes/${id}`;
      expect(await replyOf({ status, headers: { location } })).to.include({ status });
      expect(emulator.requests).to.have.length(1);
      expect(emulator.controlPlanes.has(id)).to.equal(true);
    });
  }

  it("reads 64 KiB of a body and no more", async () => {
    const body = "x".repeat(64 * 1024) + "y".repeat(6 * 1024);
    const answer = await replyOf({ status: 500, body });
    expect(answer.body).to.equal("x".repeat(64 * 1024));
    expect(answer.complete).to.equal(true);
  });

  it("waits for no more once it has read 64 KiB", async () => {
    const server = createHttpServer((_, response) => response.writeHead(500).write("x".repeat(64 * 1024)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await ask({ target: { id, address: `http://127.0.0.1:${port}/v2` } });
    server.close();
    expect(answer).to.include({ status: 500, complete: true });
    expect(answer)
      .to.have.property("body")
      .with.length(64 * 1024);
  });

  it("reads a body that is compressed", async () => {
    const body = gzipSync(JSON.stringify({ status: 503, title: "zipped" }));
    const answer = await replyOf({ status: 503, body, headers: { "content-encoding": "gzip" } });
    expect(JSON.parse(answer.body)).to.deep.equal({ status: 503, title: "zipped" });
  });

  it("reads 64 KiB of a body that is far larger than its compressed form", async () => {
    const body = gzipSync("x".repeat(20_000_000));
    const answer = await replyOf({ status: 500, body, headers: { "content-encoding": "gzip" } });
    expect(answer.body).to.have.length(64 * 1024);
  });

  it("takes the token out of an answer that repeats the request", async () => {
    const fault = {
      status: 503,
      body: `Authorization: Bearer ${SECRET}`,
      headers: { "retry-after": SECRET },
    };
    expect(await replyOf(fault)).to.include({
      body: "Authorization: Bearer [removed]",
      retryAfter: "[removed]",
    });
  });

  it("keeps the status where the compressed body is broken", async () => {
    const headers = { "content-encoding": "gzip" };
    expect(await replyOf({ status: 503, body: "no gzip", headers })).to.include({
      status: 503,
      complete: false,
    });
  });

  it("keeps the status of a delete whose body never ends, until the time is up", async () => {
    const began = performance.now();
    const answer = await replyOf({ status: 503, drip: { bytes: 1, everyMs: 5 } }, { timeoutMs: 150 });
    expect(answer).to.include({ status: 503, complete: false });
    expect(performance.now() - began).to.be.within(140, 1_500);
  });

  it("takes a read whose body never ends for one without an answer", async () => {
    const drip = { bytes: 1, everyMs: 5 };
    const answer = await failureOf({ status: 200, body: "{ }", drip }, { method: "GET", timeoutMs: 150 });
    expect(answer.cause).to.equal("timed out");
  });

  it("takes a read whose body broke off for one without an answer", async () => {
    const answer = await failureOf({ status: 200, body: "{ }".repeat(99), reset: "body" }, { method: "GET" });
    expect(answer.cause).to.equal("connection reset");
  });

  it("keeps the status of a delete whose body broke off", async () => {
    const answer = await replyOf({ status: 404, body: "half".repeat(99), reset: "body" });
    expect(answer).to.include({ status: 404, complete: false });
  });

  it("gives up when the time is up", async () => {
    const began = performance.now();
    const answer = await failureOf({ hang: true }, { timeoutMs: 150 });
    expect(answer).to.deep.equal({ kind: "no reply", cause: "timed out", detail: "no answer within 0.2 s" });
    expect(performance.now() - began).to.be.within(140, 1_500);
  });

  it("gives up at once when the run is stopped", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await failureOf({ hang: true }, {}, stop.signal)).to.deep.equal({
      kind: "no reply",
      cause: "interrupted",
      detail: "the request was cut off",
    });
  });

  it("sends nothing when the run was stopped before", async () => {
    expect((await failureOf(undefined, {}, AbortSignal.abort())).cause).to.equal("interrupted");
    expect(emulator.requests).to.have.length(0);
  });

  for (const reset of ["before", "after"] as const) {
    it(`names a connection that is reset ${reset} the work`, async () => {
      expect((await failureOf({ reset })).cause).to.equal("connection reset");
      expect(emulator.controlPlanes.has(id)).to.equal(reset === "before");
    });
  }

  for (const raw of [
    "SSH-2.0-OpenSSH_9.6\r\n",
    "\u0000\u0001\u0002",
    "HTTP/1.1 xxx\r\n\r\n",
    "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
  ]) {
    it(`names what is not HTTP: ${JSON.stringify(raw)}`, async () => {
      expect((await failureOf({ raw })).cause).to.equal("not an HTTP answer");
    });
  }

  it("names an answer that is no TLS", async () => {
    const address = emulator.baseUrl.replace("http:", "https:");
    expect((await failureOf(undefined, { target: { id, address } })).cause).to.equal("not an HTTP answer");
  });

  it("names a port that refuses", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
    await new Promise((resolve) => server.close(resolve));
    const answer = await failureOf(undefined, { target: { id, address: `http://127.0.0.1:${port}/v2` } });
    expect(answer.cause).to.equal("connection refused");
    expect(answer.detail).to.contain(`127.0.0.1:${port}`);
  });

  it("names a host that does not exist", async () => {
    const answer = await failureOf(undefined, { target: { id, address: "https://no-such-host.invalid/v2" } });
    expect(answer.cause).to.equal("name not found");
  });

  it("goes to loopback directly, whatever proxy the environment names", async () => {
    process.env.HTTP_PROXY = process.env.http_proxy = "http://127.0.0.1:1";
    try {
      expect(await ask({ method: "GET" })).to.include({ status: 200 });
    } finally {
      for (const name of PROXIES) Reflect.deleteProperty(process.env, name);
    }
  });
});
