import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect } from "chai";
import { answerControl } from "../../../emulator/control/answer-control.js";
import { ControlPlaneStore } from "../../../emulator/control-planes/control-plane-store.js";
import { FaultQueue } from "../../../emulator/faults/fault-queue.js";
import { controlPlaneIn } from "./answers.js";
import { groupId, groupSeed } from "./group-scene.js";
import { schemaNamed } from "./openapi-document.js";
import { id, one, other, RunningEmulator, token } from "./running-emulator.js";
import type { Received, Sending } from "./send-request.js";

const faultsPath = "/__control/faults";
const planesPath = "/__control/control-planes";

describe("the control of the emulator over HTTP", () => {
  const running = new RunningEmulator();
  beforeEach(() => running.restart({ control: true }));

  const send = (method: string, path: string, value?: unknown, sending: Sending = {}) =>
    value === undefined
      ? running.send({ method, path, token: undefined, ...sending })
      : running.sendJson(method, path, value, { token: undefined, ...sending });
  const mistakesIn = ({ text }: Received) => (JSON.parse(text) as { mistakes: string[] }).mistakes;

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

  const wrongFaults: readonly (readonly [body: unknown, ...mistakes: string[]])[] = [
    [
      7,
      'in the body, it must be an object such as {"match": {"method": "DELETE"}, "faults": [{"status": 503}]}, not 7',
    ],
    [{}, "in the body, faults is missing; it must be a list of at least one fault"],
    [{ faults: [] }, "faults must be a list of at least one fault, not []"],
    [{ faults: [7] }, "faults[0] must be an object that describes a fault, not 7"],
    [{ faults: [{}], fault: 1 }, 'in the body, unknown field "fault"; allowed are match, faults'],
    [
      { faults: [{}, { state: 503 }] },
      'unknown field "faults[1].state"; allowed are status, headers, body, delayMs, reset, hang, drip, raw, work, times',
    ],
    [{ faults: [{ status: 99 }] }, "faults[0].status must be a whole number from 200 to 599, not 99"],
    [{ faults: [{ status: "503" }] }, 'faults[0].status must be a whole number from 200 to 599, not "503"'],
    [
      { faults: [{ delayMs: -1 }] },
      "faults[0].delayMs must be a number of milliseconds from 0 to 2147483647, not -1",
    ],
    [{ faults: [{ reset: true }] }, "faults[0].reset must be one of before, after, body, not true"],
    [{ faults: [{ hang: false }] }, "faults[0].hang must be true, not false"],
    [{ faults: [{ headers: { a: 1 } }] }, "faults[0].headers.a must be a text, not 1"],
    [{ faults: [{ body: 7 }] }, "faults[0].body must be a text, an object or a list, not 7"],
    [{ faults: [{ raw: {} }] }, "faults[0].raw must be a text, not {}"],
    [
      { faults: [{ drip: { bytes: 0 } }] },
      "faults[0].drip.everyMs is missing; it must be a number of milliseconds from 0 to 2147483647",
      "faults[0].drip.bytes must be a whole number from 1 to 65536, not 0",
    ],
    [
      { faults: [{ work: "later" }] },
      'faults[0].work must be one of "now", {"afterMs": number} and {"afterGets": number}, not "later"',
    ],
    [
      { faults: [{ work: { afterGets: 0 } }] },
      'faults[0].work must be one of "now", {"afterMs": number} and {"afterGets": number}, not {"afterGets":0}',
    ],
    [{ faults: [{ times: 0 }] }, 'faults[0].times must be a whole number from 1, or "forever", not 0'],
    [
      { faults: [{}], match: { method: "delete" } },
      'match.method must be one of GET, POST, PUT, PATCH, DELETE, not "delete"',
    ],
    [{ faults: [{}], match: { id: "" } }, 'match.id must be a text that is not empty, not ""'],
    [{ faults: [{}], match: { path: "x" } }, 'match.path must be a path that begins with /, not "x"'],
    [
      { faults: [{}], match: { url: "x" } },
      'unknown field "match.url"; allowed are method, id, name, path, operation',
    ],
  ];
  for (const [body, ...mistakes] of wrongFaults) {
    it(`refuses the faults ${JSON.stringify(body)}, and names the place`, async () => {
      const answer = await send("POST", faultsPath, body);
      expect(answer.status).to.equal(400);
      expect(mistakesIn(answer)).to.have.members(mistakes);
      expect(schemaNamed("ControlFaults")(body), "accepted by the document").to.equal(false);
      expect(running.emulator.pendingFaults).to.equal(0);
    });
  }

  const contradictions: readonly (readonly [fault: object, mistake: string])[] = [
    [{ hang: true, raw: "x" }, "faults[1]: hang and raw exclude each other"],
    [{ status: 204, body: {} }, "faults[1]: status 204 allows no body; to send one all the same, use raw"],
    [{ headers: { "a b": "x" } }, 'faults[1]: headers: Header name must be a valid HTTP token ["a b"]'],
  ];
  for (const [fault, mistake] of contradictions) {
    it(`refuses all faults of a request when one is ${JSON.stringify(fault)}`, async () => {
      const answer = await send("POST", faultsPath, { faults: [{ status: 503 }, fault] });
      expect(answer.status).to.equal(400);
      expect(mistakesIn(answer)).to.deep.equal([mistake]);
      expect(running.emulator.pendingFaults).to.equal(0);
    });
  }

  it("names the operations when one is unknown", async () => {
    const answer = await send("POST", faultsPath, { match: { operation: "x" }, faults: [{}] });
    expect(mistakesIn(answer)[0]).to.match(
      /^match\.operation must be one of list-control-planes, create-control-plane, .*, list-certificate, not "x"$/,
    );
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

  const wrongPlanes: readonly (readonly [method: string, path: string, body: unknown, mistake: string])[] = [
    ["POST", "", {}, "in the body, name is missing; it must be a text that is not empty"],
    ["POST", "", { name: "x", id: "x" }, 'id must be a UUID, not "x"'],
    ["POST", "", { name: "x", labels: { a: 1 } }, "labels.a must be a text, not 1"],
    ["POST", "", { name: "x", id }, `A control plane with the id ${id} already exists.`],
    [
      "POST",
      "",
      { name: "x", id: groupId, members: [id] },
      `The control plane ${groupId} is not a group, so it has no members.`,
    ],
    ["POST", "", groupSeed([other]), `No control plane has the id ${other} of a member.`],
    [
      "POST",
      "",
      { name: "x", age: "7d", createdAt: "2026-01-05T10:00:00Z" },
      "A control plane has either createdAt or age, not both.",
    ],
    [
      "PATCH",
      `/${id}`,
      { age: "7d" },
      'in the body, unknown field "age"; allowed are name, labels, description, authType, proxyUrls, members, nodes, entities',
    ],
    [
      "PATCH",
      `/${id}`,
      { entities: { services: -1 } },
      "entities.services must be a whole number from 0 to 10000, not -1",
    ],
  ];
  for (const [method, path, body, mistake] of wrongPlanes) {
    it(`refuses ${method} of a control plane with ${JSON.stringify(body)}`, async () => {
      const answer = await send(method, `${planesPath}${path}`, body);
      expect(answer.status).to.equal(400);
      expect(mistakesIn(answer)).to.deep.equal([mistake]);
      expect([...running.emulator.controlPlanes.keys()]).to.deep.equal([id]);
    });
  }

  it("answers 404 for an unknown control plane and an unknown path, and names the paths", async () => {
    const plane = await send("PATCH", `${planesPath}/nope`, {});
    expect([plane.status, mistakesIn(plane)]).to.deep.equal([404, ["no control plane has the id nope"]]);
    const path = await send("GET", "/__control");
    expect([path.status, mistakesIn(path)]).to.deep.equal([
      404,
      [
        "/__control is not one of /__control/faults, /__control/requests, /__control/reset, " +
          "/__control/control-planes, /__control/control-planes/{id}",
      ],
    ]);
  });

  it("answers 405 with the methods that a path takes", async () => {
    const answer = await send("PUT", faultsPath, {});
    expect(answer.status).to.equal(405);
    expect(answer.headers.allow).to.equal("GET, POST, DELETE");
    expect(mistakesIn(answer)).to.deep.equal(["/__control/faults takes GET, POST, DELETE, not PUT"]);
  });

  it("refuses a query, a body that is not wanted, and a body that is not called JSON or is none", async () => {
    const query = await send("GET", `${faultsPath}?all=true`);
    expect(mistakesIn(query)).to.deep.equal(["/__control/faults takes no query, not ?all=true"]);
    const body = await send("POST", "/__control/reset", {});
    expect(mistakesIn(body)).to.deep.equal(["this operation takes no body"]);
    const form = await send("POST", faultsPath, {}, { headers: { "content-type": "text/plain" } });
    expect(mistakesIn(form)).to.deep.equal(["the Content-Type must be application/json"]);
    const half = await send("POST", faultsPath, {}, { body: "{" });
    expect(mistakesIn(half)[0]).to.match(/^the body is not JSON: /);
    for (const answer of [query, body, form, half]) expect(answer.status).to.equal(400);
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
      expect((await send(method!, path!)).status).to.equal(501);
    }
    expect(running.emulator.controlPlanes.size).to.equal(1);
  });
});
