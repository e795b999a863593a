import { get } from "node:http";
import { performance } from "node:perf_hooks";
import { expect } from "chai";
import { problem } from "../../../emulator/index.js";
import { id, one, RunningEmulator } from "./running-emulator.js";
import { failureOf } from "./send-request.js";

describe("faults of the emulator", () => {
  const running = new RunningEmulator();

  it("are used first in, first out, each by one request that matches", async () => {
    running.emulator.script({ method: "DELETE", id }, { status: 503 }, { status: 500, times: 2 });
    expect(running.emulator.pendingFaults).to.equal(3);
    expect((await running.get()).status).to.equal(200);
    const statuses = [
      await running.delete(),
      await running.delete(),
      await running.delete(),
      await running.delete(),
    ].map(({ status }) => status);
    expect(statuses).to.deep.equal([503, 500, 500, 204]);
    expect(running.emulator.pendingFaults).to.equal(0);
  });

  it("win over the check of the token", async () => {
    running.emulator.script({}, { status: 503 });
    expect((await running.delete({ token: "spat_unknown" })).status).to.equal(503);
  });

  it("last for ever when they are to, and count as pending only until their first use", async () => {
    running.emulator.script({}, { status: 503, times: Infinity });
    expect(running.emulator.pendingFaults).to.equal(1);
    for (let at = 0; at < 3; at += 1) expect((await running.delete()).status).to.equal(503);
    expect(running.emulator.pendingFaults).to.equal(0);
    running.emulator.reset();
    expect((await running.delete()).status).to.equal(204);
  });

  it("send the status, headers and body that they script", async () => {
    const body = problem(404, { title: "Gone fishing", instance: "kong:trace:77" });
    running.emulator.script({}, { status: 404, headers: { "Retry-After": "7" }, body });
    running.emulator.script(
      {},
      { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad</h1>" },
    );
    const first = await running.delete();
    expect(first.headers["retry-after"]).to.equal("7");
    expect(JSON.parse(first.text)).to.deep.equal(body);
    expect(running.emulator.requests[0]?.traceId).to.equal("77");
    const second = await running.delete();
    expect([second.headers["content-type"], second.text]).to.deep.equal(["text/html", "<h1>Bad</h1>"]);
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("leave the real work and answer in place when they only add a header or a delay", async () => {
    running.emulator.script({}, { headers: { "x-slow": "yes" }, delayMs: 60 });
    const startedAtMs = performance.now();
    const { status, headers } = await running.delete();
    expect([status, headers["x-slow"]]).to.deep.equal([204, "yes"]);
    expect(performance.now() - startedAtMs).to.be.at.least(59);
  });

  it("reset the connection before the work", async () => {
    running.emulator.script({}, { reset: "before" });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("reset the connection after the work, so that the answer is lost", async () => {
    running.emulator.script({}, { reset: "after" });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.false;
    expect(running.emulator.requests[0]).to.include({ status: undefined, fault: true });
  });

  it("reset the connection in the middle of the body", async () => {
    running.emulator.script({}, { status: 404, reset: "body" });
    const { status, headers, text, brokeOff } = await running.delete();
    expect([status, brokeOff]).to.deep.equal([404, true]);
    expect(text.length).to.be.within(1, Number(headers["content-length"]) - 1);
  });

  it("reset the connection in the middle of the head when the real answer has no body", async () => {
    running.emulator.script({}, { reset: "body" });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.false;
  });

  it("write raw bytes instead of an answer, then close the connection", async () => {
    running.emulator.script({}, { raw: "SSH-2.0-OpenSSH_9.6\r\n" }, { raw: "" });
    expect(await failureOf(running.delete())).to.equal("HPE_INVALID_CONSTANT");
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
  });

  it("drip a body for ever", async () => {
    running.emulator.script({}, { status: 503, drip: { bytes: 700, everyMs: 1 } });
    const length = await new Promise<number>((resolve) => {
      let seen = 0;
      get(`${running.emulator.baseUrl}${one}`, { agent: false }, (incoming) => {
        expect(incoming.statusCode).to.equal(503);
        incoming.on("data", (piece: Buffer) => {
          seen += piece.length;
          if (seen > 5000) resolve(seen);
          if (seen > 5000) incoming.destroy();
        });
      });
    });
    expect(length).to.be.above(5000);
  });

  it("are refused where they are written when they contradict themselves", () => {
    expect(() => running.emulator.script({}, { hang: true, raw: "x" })).to.throw(
      "fault 1: hang and raw exclude each other",
    );
    expect(() => running.emulator.script({}, { reset: "after", status: 500 })).to.throw(
      'fault 1: reset "after" sends no HTTP answer',
    );
    expect(() => running.emulator.script({}, { status: 99 })).to.throw(
      "fault 1: status must be a whole number from 200 to 599, not 99",
    );
    expect(() => running.emulator.script({}, { status: 204, body: "x" })).to.throw("use raw");
    expect(() => running.emulator.script({}, { status: 500, headers: { "x y": "1" } })).to.throw("x y");
    expect(running.emulator.pendingFaults).to.equal(0);
  });
});
