import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { problem, type Fault, type FaultRoute } from "../../../../emulator/index.js";
import { id, one, other, RunningEmulator, token } from "../running-emulator.js";
import { failureOf } from "../send-request.js";
import { waitUntil } from "../wait-until.js";

describe("the faults of the emulator", () => {
  const running = new RunningEmulator();

  it("are used first in, first out, each by as many requests as it says", async () => {
    running.emulator.script({ method: "DELETE", id }, { status: 503 }, { status: 500, times: 2 });
    expect(running.emulator.pendingFaults).to.equal(3);
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await running.delete()).status);
    expect(statuses).to.deep.equal([503, 500, 500, 204]);
    expect(running.emulator.pendingFaults).to.equal(0);
    expect(running.emulator.requests.map(({ fault }) => fault)).to.deep.equal([true, true, true, false]);
  });

  it("make the example of docs/internals/emulator.md true", async () => {
    running.emulator.script({ method: "DELETE", id }, { status: 503, times: 2 }, { reset: "after" });
    for (let at = 0; at < 4; at += 1) await running.delete().catch(() => undefined);
    const statuses = running.emulator.requestsFor(id, "DELETE").map(({ status }) => status);
    expect(statuses).to.deep.equal([503, 503, undefined, 404]);
    expect(running.emulator.pendingFaults).to.equal(0);
  });

  const routes: readonly (readonly [title: string, route: FaultRoute, meets: boolean])[] = [
    ["with the method and the id of the request", { method: "DELETE", id }, true],
    ["with the method and the id in another case", { method: "delete", id: id.toUpperCase() }, true],
    ["without a method or an id", {}, true],
    ["with another method", { method: "GET" }, false],
    ["with another id", { id: other }, false],
    ["with the operation", { operation: "delete-control-plane" }, true],
    ["with another operation", { operation: "get-control-plane" }, false],
    ["with the operation and another id", { operation: "delete-control-plane", id: other }, false],
  ];
  for (const [title, route, meets] of routes) {
    it(`${meets ? "meet" : "do not meet"} a request when they are scripted ${title}`, async () => {
      running.emulator.script(route, { status: 418 });
      expect((await running.delete()).status).to.equal(meets ? 418 : 204);
      expect(running.emulator.pendingFaults).to.equal(meets ? 0 : 1);
    });
  }

  it("meet only the list when they are scripted with its operation", async () => {
    running.emulator.script({ operation: "list-control-planes" }, { status: 503 });
    const answers = [await running.get(), await running.list(), await running.list()];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 503, 200]);
  });

  it("come before the check of the token", async () => {
    running.emulator.script({}, { status: 503 });
    expect((await running.delete({ token: "spat_unknown" })).status).to.equal(503);
  });

  it("last forever with times Infinity, and are pending only until their first use", async () => {
    running.emulator.script({}, { status: 503, times: Infinity });
    expect(running.emulator.pendingFaults).to.equal(1);
    for (let at = 0; at < 3; at += 1) expect((await running.delete()).status).to.equal(503);
    expect(running.emulator.pendingFaults).to.equal(0);
    running.emulator.reset();
    expect((await running.delete()).status).to.equal(204);
  });
});

describe("a fault of the emulator", () => {
  const running = new RunningEmulator();

  it("sends the scripted status, headers and body, and does no work", async () => {
    const body = problem(404, { title: "Gone fishing", instance: "kong:trace:77" });
    running.emulator.script({}, { status: 404, headers: { "Retry-After": "7" }, body });
    running.emulator.script(
      {},
      { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad</h1>" },
    );
    const first = await running.delete();
    expect(first.headers).to.include({ "retry-after": "7", "content-type": "application/problem+json" });
    expect(JSON.parse(first.text)).to.deep.equal(body);
    expect(running.emulator.requests[0]).to.include({ status: 404, traceId: "77" });
    const second = await running.delete();
    expect([second.headers["content-type"], second.text]).to.deep.equal(["text/html", "<h1>Bad</h1>"]);
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("sends scripted framing headers in place of the emulator's own", async () => {
    running.emulator.script({}, { status: 200, headers: { "Content-Length": "99" }, body: "abcdef" });
    const { headers, text, brokeOff } = await running.delete();
    expect([headers["content-length"], text, brokeOff]).to.deep.equal(["99", "abcdef", true]);
  });

  const alone: readonly (readonly [fault: Fault, type: string | undefined, text: RegExp])[] = [
    [{ status: 404 }, "application/problem+json", /^\{"status":404,"title":"Not Found","instance":"konnect:/],
    [{ status: 500 }, "application/problem+json", /^\{"status":500,"title":"Internal Server Error","inst/],
    [{ status: 429 }, "application/json; charset=utf-8", /^\{"message":"API rate limit exceeded"\}$/],
    [{ status: 502 }, "application/json; charset=utf-8", /^\{"message":"Bad Gateway"\}$/],
    [{ status: 202 }, undefined, /^$/],
    [{ body: "text" }, "text/plain; charset=utf-8", /^text$/],
    [{ body: { a: 1 } }, "application/json; charset=utf-8", /^\{"a":1\}$/],
  ];
  for (const [fault, type, text] of alone) {
    const status = fault.status ?? 200;
    it(`sends status ${status} and a default for the rest with ${JSON.stringify(fault)} alone`, async () => {
      running.emulator.script({}, fault);
      const answer = await running.delete();
      expect([answer.status, answer.headers["content-type"]]).to.deep.equal([status, type]);
      expect(answer.text).to.match(text);
    });
  }

  const failing: readonly (readonly [method: string, path: string, hasDetail: boolean])[] = [
    ["GET", "/control-planes", true],
    ["POST", "/control-planes", false],
    ["GET", one, true],
    ["PATCH", one, false],
    ["DELETE", one, false],
    ["GET", `${one}/group-memberships`, true],
    ["POST", `${one}/group-memberships/remove`, true],
  ];
  for (const [method, path, hasDetail] of failing) {
    it(`sends a 500 ${hasDetail ? "with" : "without"} a detail to ${method} ${path}, as the public API does`, async () => {
      running.emulator.script({}, { status: 500 });
      const answer = await running.send({ method, path });
      expect(JSON.parse(answer.text)).to.have.all.keys(
        ...["status", "title", "instance"],
        ...(hasDetail ? ["detail"] : []),
      );
    });
  }

  it("leaves the work and the answer in place when it only adds headers and a delay", async () => {
    running.emulator.script({}, { headers: { "x-slow": "yes" }, delayMs: 60 });
    const startedAtMs = performance.now();
    const { status, headers } = await running.delete();
    expect([status, headers["x-slow"]]).to.deep.equal([204, "yes"]);
    expect(performance.now() - startedAtMs).to.be.at.least(59);
  });

  it("does the work before the delay", async () => {
    running.emulator.script({}, { delayMs: 15_000 });
    const answer = failureOf(running.delete());
    await waitUntil(() => !running.emulator.controlPlanes.has(id), "the control plane is deleted");
    await running.emulator.close();
    expect(await answer).to.equal("ECONNRESET");
  });

  it("resets the connection before the work", async () => {
    running.emulator.script({}, { reset: "before" });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("resets the connection after the work, so that the answer is lost", async () => {
    running.emulator.script({}, { reset: "after" });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.false;
    expect(running.emulator.requests[0]).to.include({ status: undefined, fault: true });
  });

  it("resets the connection within the body of a scripted answer, and does no work", async () => {
    running.emulator.script({}, { status: 404, reset: "body" });
    const { status, headers, text, brokeOff } = await running.delete();
    expect([status, brokeOff]).to.deep.equal([404, true]);
    expect(text.length).to.equal(Math.ceil(Number(headers["content-length"]) / 2));
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("resets the connection within the body of the real answer, after the work", async () => {
    running.emulator.script({}, { reset: "body" });
    const { status, text, brokeOff } = await running.get();
    expect([status, brokeOff]).to.deep.equal([200, true]);
    expect(text).to.match(new RegExp(`^\\{"id":"${id}"`));
  });

  it("resets the connection within the head of a real answer that has no body, after the work", async () => {
    running.emulator.script({}, { reset: "body" });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.false;
    expect(running.emulator.requests[0]?.status).to.equal(204);
  });

  it("never answers with hang, and does no work", async () => {
    running.emulator.script({}, { hang: true });
    const answer = failureOf(running.delete());
    const outcome = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 100, "none"))]);
    expect(outcome).to.equal("none");
    expect(running.emulator.requests[0]).to.include({ status: undefined, fault: true });
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
    await running.emulator.close();
    expect(await answer).to.equal("ECONNRESET");
  });

  it("writes raw bytes in place of an HTTP answer and closes the connection, without work", async () => {
    running.emulator.script({}, { raw: "SSH-2.0-OpenSSH_9.6\r\n" }, { raw: "" });
    expect(await failureOf(running.delete())).to.equal("HPE_INVALID_CONSTANT");
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
    expect(running.emulator.requests.map(({ status }) => status)).to.deep.equal([undefined, undefined]);
  });

  it("drips its body again and again without end, and does no work", async () => {
    running.emulator.script({}, { status: 503, body: "abc", drip: { bytes: 2, everyMs: 1 } });
    const text = await dripped(503, 300);
    expect(text.slice(0, 300)).to.equal("abc".repeat(100));
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("stops dripping when the client goes away", async () => {
    const countTimers = async (): Promise<number> => {
      // A timer counts as active while its own callback runs.
      await setImmediate();
      return process.getActiveResourcesInfo().filter((type) => type === "Timeout").length;
    };
    const before = await countTimers();
    running.emulator.script({}, { drip: { bytes: 1, everyMs: 1 } });
    await dripped(200, 3);
    await waitUntil(async () => (await countTimers()) <= before, "the timer of the drip ends");
  });

  it("does not collect a drip in memory while the client does not read", async () => {
    const bytesInMemory = () => process.memoryUsage().arrayBuffers;
    const before = bytesInMemory();
    running.emulator.script({}, { drip: { bytes: 1_048_576, everyMs: 0 } });
    const outgoing = request(`${running.emulator.baseUrl}${one}`, { agent: false }, (incoming) => {
      incoming.on("error", () => undefined);
    });
    outgoing.on("error", () => undefined).end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(bytesInMemory() - before).to.be.below(33_554_432);
    outgoing.destroy();
  });

  it("drips blanks with status 200 when it scripts only the drip, and does no work", async () => {
    running.emulator.script({}, { drip: { bytes: 7, everyMs: 1 } });
    expect(await dripped(200, 21)).to.equal(" ".repeat(21));
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  /** Sends a DELETE and returns the beginning of an endless body. Rejects if the body ends. */
  const dripped = (status: number, length: number): Promise<string> =>
    new Promise((resolve, reject) => {
      let seen = "";
      const url = `${running.emulator.baseUrl}${one}`;
      const headers = { authorization: `Bearer ${token}` };
      const outgoing = request(url, { method: "DELETE", agent: false, headers }, (incoming) => {
        expect(incoming.statusCode).to.equal(status);
        incoming.on("data", (piece: Buffer) => {
          seen += piece.toString();
          if (seen.length < length) return;
          resolve(seen.slice(0, length));
          incoming.destroy();
        });
        incoming.on("end", () => reject(new Error(`the body ended after ${seen.length} bytes`)));
      });
      outgoing.on("error", reject).end();
    });
});
