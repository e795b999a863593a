import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect } from "chai";
import { answerControl } from "../../../../emulator/control/answer-control.js";
import { ControlPlaneStore } from "../../../../emulator/control-planes/control-plane-store.js";
import { FaultQueue } from "../../../../emulator/faults/fault-queue.js";
import { controlPlaneIn } from "../emulated-answers.js";
import { groupId, groupSeed } from "../groups/group-scene.js";
import { schemaNamed } from "../contract/openapi-document.js";
import { id, one, other, RunningEmulator, token } from "../running-emulator.js";
import { faultsPath, mistakesIn, planesPath, sendToControl } from "./control-scene.js";
import type { Sending } from "../send-request.js";

describe("the control of the emulator over HTTP", () => {
  const running = new RunningEmulator();
  beforeEach(() => running.restart({ control: true }));

  const send = (method: string, path: string, value?: unknown, sending?: Sending) =>
    sendToControl(running, method, path, value, sending);

  it("queues faults, counts the requests that they wait for, and forgets them", async () => {
    const match = { method: "DELETE", name: "edge", operation: "delete-control-plane", id, path: one };
    const added = await send("POST", faultsPath, {
      match,
      faults: [{ status: 503, times: 2 }, { reset: "after" }],
    });
    expect([added.status, added.text]).to.deep.equal([201, '{"pending":3}']);
    expect((await running.get()).status).to.equal(200);
    expect((await running.delete()).status).to.equal(503);
    expect((await send("GET", faultsPath)).text).to.equal('{"pending":2}');
    const cleared = await send("DELETE", faultsPath);
    expect([cleared.status, cleared.text]).to.deep.equal([204, ""]);
    expect((await running.delete()).status).to.equal(204);
  });

  it("takes every kind of fault", async () => {
    const faults = [
      { status: 202, headers: { "X-Test": "1" }, body: { a: 1 }, delayMs: 1, work: { afterMs: 5 } },
      { status: 202, body: [], work: { afterGets: 1 } },
      { body: "text", work: "now" },
      { reset: "body" },
      { hang: true },
      { drip: { bytes: 1, everyMs: 5 } },
      { raw: "HTTP/1.0 200 OK\r\n\r\n" },
      {},
      { status: 500, times: "forever" },
    ];
    const added = await send("POST", faultsPath, { match: { name: "none" }, faults });
    expect([added.status, added.text]).to.deep.equal([201, '{"pending":9}']);
    expect(schemaNamed("ControlFaults")({ faults })).to.equal(true);
  });

  it("queues a fault that lasts forever, for every request if it has no match", async () => {
    await send("POST", faultsPath, { faults: [{ status: 418, times: "forever" }] });
    const statuses = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await running.get()).status);
    expect(statuses).to.deep.equal([418, 418, 418, 418]);
  });

  it("reads the requests with their bodies and without tokens, but not those to the control", async () => {
    await running.patch({ description: `x ${token}` });
    await send("GET", faultsPath);
    const { text } = await send("GET", "/__control/requests");
    const { requests } = JSON.parse(text) as { requests: Record<string, unknown>[] };
    expect(requests).to.have.length(1);
    expect(requests[0]).to.deep.include({
      method: "PATCH",
      path: `/v2${one}`,
      id,
      operation: "update-control-plane",
      status: 200,
      role: "sa-ci",
      requestBody: '{"description":"x [token]"}',
      connection: 1,
      fault: false,
    });
    expect(text).to.not.contain(token);
  });

  it("resets as a program does", async () => {
    await running.get();
    await send("POST", faultsPath, { faults: [{ status: 503 }] });
    expect((await send("POST", "/__control/reset")).status).to.equal(204);
    expect((await send("GET", "/__control/requests")).text).to.equal('{"requests":[]}');
    expect((await running.get()).status).to.equal(200);
  });

  it("adds, changes, shows and removes control planes without a request to the service", async () => {
    const added = await send("POST", planesPath, { id: other, name: "x", age: "7d" });
    expect(added.status).to.equal(201);
    expect(JSON.parse(added.text)).to.deep.equal({
      controlPlane: running.emulator.controlPlanes.get(other),
      members: [],
    });
    await send("POST", planesPath, groupSeed([other]));
    const changed = await send("PATCH", `${planesPath}/${id.toUpperCase()}`, { labels: { env: "test" } });
    expect(changed.status).to.equal(200);
    expect(controlPlaneIn(await running.get()).labels).to.deep.equal({ env: "test" });
    const { data } = JSON.parse((await send("GET", planesPath)).text) as {
      data: { controlPlane: { id: string }; members: string[] }[];
    };
    expect(data.map(({ controlPlane, members }) => [controlPlane.id, members])).to.deep.equal([
      [id, []],
      [other, []],
      [groupId, [other]],
    ]);
    expect((await send("DELETE", `${planesPath}/${other}`)).status).to.equal(204);
    expect(running.emulator.membersOf(groupId)).to.deep.equal([]);
    expect(running.emulator.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  it("meets no fault, no limit and no latency", async () => {
    await running.restart({ control: true, requestsPerMinute: 1, latencyMs: 60_000 });
    running.emulator.script({}, { status: 503, times: Infinity });
    for (let at = 0; at < 3; at += 1) expect((await send("GET", faultsPath)).status).to.equal(200);
    expect(running.emulator.pendingFaults).to.equal(1);
  });

  for (const host of ["emulator.example", "127.0.0.1.example:80", "localhost.example", "[::2]", "0.0.0.0"]) {
    it(`refuses a request whose Host header is ${host}`, async () => {
      const answer = await send("GET", faultsPath, undefined, { headers: { host } });
      expect(answer.status).to.equal(403);
      expect(mistakesIn(answer)).to.deep.equal([
        "the control takes requests from this machine only, to a loopback address",
      ]);
    });
  }

  for (const host of ["localhost", "LOCALHOST:80", "127.0.0.1", "127.1.2.3:80", "[::1]:80"]) {
    it(`takes a request whose Host header is ${host}`, async () => {
      expect((await send("GET", faultsPath, undefined, { headers: { host } })).status).to.equal(200);
    });
  }

  const senders: readonly (readonly [address: string, status: number])[] = [
    ["127.0.0.1", 200],
    ["127.8.8.8", 200],
    ["::1", 200],
    ["::ffff:127.0.0.1", 200],
    ["10.0.0.7", 403],
    ["::ffff:10.0.0.7", 403],
    ["fe80::1", 403],
    ["", 403],
  ];
  for (const [address, status] of senders) {
    it(`answers ${status} to a sender with the address "${address}"`, () => {
      const request = new IncomingMessage(new Socket());
      Object.defineProperty(request.socket, "remoteAddress", { value: address });
      Object.assign(request, { url: faultsPath, method: "GET", headers: { host: "localhost" } });
      const controlled = {
        store: new ControlPlaneStore([]),
        faults: new FaultQueue(),
        log: { entries: [] },
        reset: () => undefined,
      };
      expect(answerControl(controlled, request, undefined).status).to.equal(status);
    });
  }

  it("is off by default, so that its paths belong to the service", async () => {
    await running.restart({});
    for (const [method, path] of [
      ["GET", faultsPath],
      ["POST", "/__control/reset"],
      ["DELETE", `${planesPath}/${id}`],
    ]) {
      expect((await send(method!, path!)).status).to.equal(404);
    }
    expect(running.emulator.controlPlanes.size).to.equal(1);
  });
});
