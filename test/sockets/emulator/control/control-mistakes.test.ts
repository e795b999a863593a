import { expect } from "chai";
import { schemaNamed } from "../contract/openapi-document.js";
import { groupId, groupSeed } from "../groups/group-scene.js";
import { id, other, RunningEmulator } from "../running-emulator.js";
import type { Sending } from "../send-request.js";
import { faultsPath, mistakesIn, planesPath, sendToControl } from "./control-scene.js";

describe("a request that the control of the emulator refuses", () => {
  const running = new RunningEmulator();
  beforeEach(() => running.restart({ control: true }));

  const send = (method: string, path: string, value?: unknown, sending?: Sending) =>
    sendToControl(running, method, path, value, sending);

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
    [{ faults: [{ headers: { a: 1 } }] }, "faults[0].headers.a must be a string, not 1"],
    [{ faults: [{ body: 7 }] }, "faults[0].body must be a string, an object or a list, not 7"],
    [{ faults: [{ raw: {} }] }, "faults[0].raw must be a string, not {}"],
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
    [{ faults: [{}], match: { id: "" } }, 'match.id must be a string that is not empty, not ""'],
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
      /^match\.operation must be one of list-control-planes, create-control-plane, .*, list-certificate, .*, not "x"$/,
    );
  });

  const wrongPlanes: readonly (readonly [method: string, path: string, body: unknown, mistake: string])[] = [
    ["POST", "", {}, "in the body, name is missing; it must be a string that is not empty"],
    ["POST", "", { name: "x", id: "x" }, 'id must be a UUID, not "x"'],
    ["POST", "", { name: "x", labels: { a: 1 } }, "labels.a must be a string, not 1"],
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
});
