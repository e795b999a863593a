import http from "node:http";
import https from "node:https";
import net from "node:net";
import { expect } from "chai";
import sinon from "sinon";
import { type Emulator, type Fault, startEmulator } from "../../../../emulator/index.js";
import type { NoReply } from "../../../../provider/service/http/answer.js";
import { createTransport, type HttpRequest } from "../../../../provider/service/http/transport.js";
import { ref } from "../../../pure/service/answers.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { neverConnected, withoutProxies } from "./process-network.js";
import { type RawServer, startServer } from "./raw-server.js";
import { noStop, requestTo } from "./sending.js";

const { id } = ref;

/** Sends a request that gets no answer. */
async function failureOf(
  address: string,
  more: Partial<HttpRequest> = {},
  send = createTransport(1, "test"),
): Promise<NoReply> {
  const answer = await send(requestTo(address, more), noStop);
  if (answer.kind === "reply") throw new Error(`answered: ${answer.status}`);
  expect(JSON.stringify(answer)).not.to.contain(SECRET);
  return answer;
}

describe("a request that was not sent", () => {
  let server: RawServer | undefined;
  withoutProxies();
  afterEach(async () => {
    sinon.restore();
    await server?.close();
    server = undefined;
  });

  for (const scheme of ["http", "https"]) {
    it(`met a port that refuses (${scheme})`, async () => {
      const closed = await startServer(net.createServer());
      await closed.close();
      const { port } = closed;
      const { detail, ...rest } = await failureOf(`${scheme}://127.0.0.1:${port}/v2`);
      expect(rest).to.deep.equal({ kind: "no reply", delivery: "not sent", cause: "connection refused" });
      expect(detail).to.equal(`connect ECONNREFUSED 127.0.0.1:${port}`);
    });

    // Linux refuses a TCP connection to the broadcast address by itself, without a network.
    if (process.platform === "linux") {
      it(`met a network that cannot be reached (${scheme})`, async () => {
        const answer = await failureOf(`${scheme}://255.255.255.255/v2`);
        expect(answer).to.include({ delivery: "not sent", cause: "host unreachable" });
        expect(answer.detail).to.contain("ENETUNREACH 255.255.255.255");
      });
    }

    for (const code of ["EHOSTUNREACH", "ENETUNREACH"]) {
      it(`met a host that cannot be reached: ${code} (${scheme})`, async () => {
        sinon.stub((scheme === "http" ? http : https).Agent.prototype, "createConnection").callsFake(() => {
          const socket = new net.Socket();
          process.nextTick(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code })));
          return socket;
        });
        expect(await failureOf(`${scheme}://localhost/v2`)).to.include({
          delivery: "not sent",
          cause: "host unreachable",
          detail: `connect ${code}`,
        });
      });
    }
  }

  it("named a host that does not exist", async () => {
    expect(await failureOf("https://no-such-host.invalid/v2")).to.include({
      delivery: "not sent",
      cause: "DNS lookup failed",
    });
  });

  it("waited too long for a TCP connection", async () => {
    const socket = neverConnected();
    sinon.stub(http.Agent.prototype, "createConnection").returns(socket);
    expect(await failureOf("http://localhost/v2", { timeLimitMs: 50 })).to.deep.equal({
      kind: "no reply",
      delivery: "not sent",
      cause: "timed out",
      detail: "no connection within 0.1 s",
    });
    expect(socket.destroyed, "the connection is given up").to.equal(true);
  });

  it("waited too long for the end of a TLS handshake", async () => {
    server = await startServer(net.createServer());
    expect(await failureOf(`https://localhost:${server.port}/v2`, { timeLimitMs: 50 })).to.include({
      delivery: "not sent",
      cause: "timed out",
      detail: "no connection within 0.1 s",
    });
  });

  it("waited too long for the connection of another request", async () => {
    server = await startServer(http.createServer());
    const address = `http://127.0.0.1:${server.port}/v2`;
    const send = createTransport(1, "test");
    const [first, second] = await Promise.all([
      failureOf(address, { timeLimitMs: 300 }, send),
      failureOf(address, { timeLimitMs: 50 }, send),
    ]);
    expect(first).to.include({ delivery: "unknown", cause: "timed out" });
    expect(second).to.include({ delivery: "not sent", cause: "timed out" });
  });
});

describe("a request that was sent and not answered", () => {
  let emulator: Emulator;
  withoutProxies();
  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  beforeEach(() => {
    emulator.reset();
    if (!emulator.controlPlanes.has(id)) emulator.add({ id, name: "edge" });
  });
  after(() => emulator.close());

  const failureAfter = (fault: Fault, more?: Partial<HttpRequest>) => {
    emulator.script({}, fault);
    return failureOf(emulator.baseUrl, more);
  };

  for (const reset of ["before", "after"] as const) {
    it(`has an unknown delivery when the connection is reset ${reset} the work`, async () => {
      expect(await failureAfter({ reset })).to.include({ delivery: "unknown", cause: "connection reset" });
      expect(emulator.controlPlanes.has(id)).to.equal(reset === "before");
    });
  }

  it("has an unknown delivery when the connection is closed without a byte", async () => {
    expect(await failureAfter({ raw: "" })).to.include({ delivery: "unknown", cause: "connection reset" });
  });

  it("has an unknown delivery when the time is up", async () => {
    const startMs = performance.now();
    expect(await failureAfter({ hang: true }, { timeLimitMs: 200 })).to.deep.equal({
      kind: "no reply",
      delivery: "unknown",
      cause: "timed out",
      detail: "no answer within 0.2 s",
    });
    expect(performance.now() - startMs).to.be.within(190, 2_000);
    expect(emulator.requests).to.have.length(1);
  });

  it("has an unknown delivery when the server closes a connection that was kept alive", async () => {
    const send = createTransport(1, "test");
    await send(requestTo(emulator.baseUrl, { method: "GET" }), noStop);
    emulator.script({}, { reset: "before" });
    expect(await failureOf(emulator.baseUrl, {}, send)).to.include({
      delivery: "unknown",
      cause: "connection reset",
    });
    const connections = emulator.requests.map(({ connection }) => connection);
    expect(new Set(connections).size, "one connection for both requests").to.equal(1);
  });

  it("has an unknown delivery also when it waited for the connection of another request", async () => {
    const send = createTransport(1, "test");
    emulator.script({}, { delayMs: 30 }, { reset: "before" });
    const [, second] = await Promise.all([
      send(requestTo(emulator.baseUrl, { method: "GET" }), noStop),
      failureOf(emulator.baseUrl, {}, send),
    ]);
    expect(second).to.include({ delivery: "unknown", cause: "connection reset" });
  });

  for (const raw of [
    "SSH-2.0-OpenSSH_9.6\r\n",
    "\u0000\u0001\u0002",
    "HTTP/1.1 xxx\r\n\r\n",
    "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
    `HTTP/1.1 204 No Content\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
  ]) {
    it(`has an unknown delivery when the answer is not HTTP: ${JSON.stringify(raw).slice(0, 60)}`, async () => {
      expect(await failureAfter({ raw })).to.include({ delivery: "unknown", cause: "not an HTTP answer" });
    });
  }
});
