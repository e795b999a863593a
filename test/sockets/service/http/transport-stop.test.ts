import http from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import sinon from "sinon";
import { type Emulator, startEmulator } from "../../../../emulator/index.js";
import { createTransport, IN_FLIGHT_GRACE_MS } from "../../../../provider/service/http/transport.js";
import { ref } from "../../../pure/service/answers.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { neverConnected, withoutProxies } from "./process-network.js";
import { requestTo } from "./sending.js";

const { id } = ref;

/** Waits for something that happens without timers. */
async function until(isTrue: () => boolean): Promise<void> {
  const giveUpMs = performance.now() + 2_000;
  while (!isTrue()) {
    if (performance.now() > giveUpMs) throw new Error("it did not happen within 2 s");
    await turn();
  }
}

describe("a run that is stopped", () => {
  let emulator: Emulator;
  const send = createTransport(4, "test");

  withoutProxies();
  before(async () => {
    emulator = await startEmulator({
      tokens: { [SECRET]: { name: "sa-ci" } },
      controlPlanes: [{ id, name: "edge" }],
    });
  });
  beforeEach(() => emulator.reset());
  afterEach(() => sinon.restore());
  after(() => emulator.close());

  it("sends no request afterwards", async () => {
    expect(await send(requestTo(emulator.baseUrl), AbortSignal.abort())).to.deep.equal({
      kind: "no reply",
      delivery: "not sent",
      cause: "interrupted",
      detail: "the request was cut off",
    });
    expect(emulator.requests).to.have.length(0);
  });

  it("waits for the answer of a request that is under way", async () => {
    emulator.script({}, { delayMs: 50 });
    const stop = new AbortController();
    const answer = send(requestTo(emulator.baseUrl, { method: "GET" }), stop.signal);
    await until(() => emulator.requests.length === 1);
    stop.abort();
    expect(await answer).to.include({ kind: "reply", delivery: "answered", status: 200 });
  });

  it("cuts a request off that is not answered within five seconds", async () => {
    const clock = sinon.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    emulator.script({}, { hang: true });
    const stop = new AbortController();
    let answer: unknown;
    void send(requestTo(emulator.baseUrl, { timeLimitMs: 30_000 }), stop.signal).then((it) => (answer = it));
    await until(() => emulator.requests.length === 1);
    await clock.tickAsync(10_000);
    stop.abort();
    await clock.tickAsync(4_999);
    expect(answer, "after 4.999 s").to.equal(undefined);
    await clock.tickAsync(1);
    await until(() => answer !== undefined);
    expect(IN_FLIGHT_GRACE_MS).to.equal(5_000);
    expect(answer).to.deep.equal({
      kind: "no reply",
      delivery: "unknown",
      cause: "interrupted",
      detail: "the request was cut off",
    });
  });

  it("cuts a request off that is not connected within five seconds, which was not sent", async () => {
    const clock = sinon.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    sinon.stub(http.Agent.prototype, "createConnection").returns(neverConnected());
    const stop = new AbortController();
    let answer: unknown;
    const sending = createTransport(1, "test")(
      requestTo(emulator.baseUrl, { timeLimitMs: 30_000 }),
      stop.signal,
    );
    void sending.then((it) => (answer = it));
    stop.abort();
    await clock.tickAsync(5_000);
    await until(() => answer !== undefined);
    expect(answer).to.include({ kind: "no reply", delivery: "not sent", cause: "interrupted" });
  });

  it("gives a request no more time than it had", async () => {
    emulator.script({}, { hang: true });
    const stop = new AbortController();
    const answer = send(requestTo(emulator.baseUrl, { timeLimitMs: 200 }), stop.signal);
    await until(() => emulator.requests.length === 1);
    stop.abort();
    expect(await answer).to.include({ delivery: "unknown", cause: "timed out" });
  });
});
