import { Agent } from "node:http";
import { connect } from "node:net";
import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.js";
import { RequestLimit } from "../../../emulator/http/request-limit.js";
import { id, RunningEmulator } from "./running-emulator.js";
import { failureOf, send } from "./send-request.js";
import { waitUntil } from "./wait-until.js";

describe("the limits of the emulator", () => {
  const running = new RunningEmulator();

  it("answer 429 with Retry-After beyond the requests of a minute, whatever the request asks", async () => {
    await running.restart({ requestsPerMinute: 1 });
    expect((await running.get()).headers["ratelimit-remaining"]).to.equal("0");
    const { status, headers, text } = await running.delete({ token: "spat_unknown" });
    expect([status, text]).to.deep.equal([429, '{"message":"API rate limit exceeded"}']);
    expect(headers).to.include({ "ratelimit-limit": "1", "x-ratelimit-remaining-minute": "0" });
    expect(Number(headers["retry-after"])).to.be.within(50, 60);
    expect((await running.delete()).status).to.equal(429);
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("begin a new window 60 seconds after its first request", () => {
    const limit = new RequestLimit(2);
    const outcomes = [1_000, 30_000, 60_999, 61_000, 62_000, 62_001].map((nowMs) => {
      const { headers, refusal } = limit.count(nowMs);
      return [refusal?.status ?? "passed", headers["ratelimit-reset"], refusal?.headers["retry-after"]];
    });
    expect(outcomes).to.deep.equal([
      ["passed", "60", undefined],
      ["passed", "31", undefined],
      [429, "1", "1"],
      ["passed", "60", undefined],
      ["passed", "59", undefined],
      [429, "59", "59"],
    ]);
  });

  it("answer 429 without Retry-After on a connection beyond the limit, and close it", async () => {
    await running.restart({ maxConnections: 1 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await running.list({ agent })).status).to.equal(200);
    const second = new Agent({ keepAlive: true, maxSockets: 1 });
    const { status, headers, text } = await running.delete({ agent: second });
    expect([status, text]).to.deep.equal([429, '{"message":"Too many connections"}']);
    expect(headers).to.not.have.property("retry-after");
    expect(headers.connection).to.equal("close");
    expect((await running.delete({ agent })).status).to.equal(204);
    agent.destroy();
    await waitUntil(async () => (await running.list()).status === 200, "the connection is free again");
  });
});

describe("the latency of the emulator", () => {
  const running = new RunningEmulator();

  it("delays each answer", async () => {
    await running.restart({ latencyMs: 60 });
    const startedAtMs = performance.now();
    await running.list();
    expect(performance.now() - startedAtMs).to.be.at.least(59);
  });

  it("does not delay the work", async () => {
    await running.restart({ latencyMs: 15_000 });
    const answer = failureOf(running.delete());
    await waitUntil(() => !running.emulator.controlPlanes.has(id), "the control plane is deleted");
    expect(running.emulator.requests[0]?.status).to.equal(undefined);
    await running.emulator.close();
    expect(await answer).to.equal("ECONNRESET");
  });
});

describe("the server of the emulator", () => {
  const running = new RunningEmulator();

  it("listens on 127.0.0.1 by default, and on the given host and port otherwise", async () => {
    expect(running.emulator.baseUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
    const { port } = new URL(running.emulator.baseUrl);
    const second = await startEmulator({ host: "::1", port: Number(port) });
    try {
      expect(second.baseUrl).to.equal(`http://[::1]:${port}/v2`);
      expect((await send(second.baseUrl, {})).status).to.equal(401);
    } finally {
      await second.close();
    }
  });

  it("rejects the start when the port is taken", async () => {
    const port = Number(new URL(running.emulator.baseUrl).port);
    const failure = await startEmulator({ port }).then(
      async (second) => {
        await second.close();
        return "started";
      },
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    expect(failure).to.equal("EADDRINUSE");
  });

  it("survives a client that goes away within its request", async () => {
    const { port } = new URL(running.emulator.baseUrl);
    const client = connect(Number(port), "127.0.0.1");
    client.on("error", () => undefined);
    client.write("DELETE /v2/control-planes/x HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
    await waitUntil(() => running.emulator.requests.length === 1, "the request arrives");
    client.resetAndDestroy();
    expect((await running.delete()).status).to.equal(204);
  });

  it("closes at once although connections hang, drip, wait for an answer or send nothing", async () => {
    running.emulator.script(
      {},
      { hang: true },
      { delayMs: 15_000 },
      { status: 200, drip: { bytes: 1, everyMs: 5 } },
      { status: 202, work: { afterMs: 15_000 } },
    );
    const answers = [0, 1, 2, 3].map(() => running.delete().catch(() => undefined));
    const silent = connect(Number(new URL(running.emulator.baseUrl).port), "127.0.0.1");
    silent.on("error", () => undefined);
    await waitUntil(() => running.emulator.requests.length === 4, "all requests arrive");
    const startedAtMs = performance.now();
    await running.emulator.close();
    await Promise.all(answers);
    expect(performance.now() - startedAtMs).to.be.below(1_000);
    silent.destroy();
  });

  it("does no later work once it is closed", async () => {
    running.emulator.script({}, { status: 202, work: { afterMs: 300 } });
    await running.delete();
    await running.emulator.close();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("throws an error of its own outside the request, where it cannot go unnoticed", async () => {
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    try {
      const thrown = new Promise((resolve) => process.once("uncaughtException", resolve));
      const circular: { self?: object } = {};
      circular.self = circular;
      running.emulator.script({}, { status: 500, body: circular });
      const answer = failureOf(running.delete());
      expect(await thrown).to.be.instanceOf(TypeError);
      await running.emulator.close();
      expect(await answer).to.equal("ECONNRESET");
    } finally {
      for (const listener of listeners) process.on("uncaughtException", listener);
    }
  });

  it("may be closed twice", async () => {
    await running.emulator.close();
    await running.emulator.close();
    expect(await failureOf(running.list())).to.equal("ECONNREFUSED");
  });
});
