import { expect } from "chai";
import { check } from "../../../provider/hooks/check.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { readResource } from "../../../provider/hooks/read.js";
import { adoptControlPlane } from "../../../provider/hooks/adopted.js";
import {
  beside,
  declareByOther,
  errorOf,
  EU,
  facts,
  failure,
  FakeContext,
  goneFacts,
  ID,
  OTHER_ID,
  outputs,
  recordedRef,
  ref,
} from "./fake-context.js";

describe("deleting a resource", () => {
  it("deletes the control plane at the recorded address, and prints nothing after a 204", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.deep.equal([recordedRef]);
    expect(context.reads).to.deep.equal([]);
    expect(context.events).to.deep.equal([{ type: "deleted", controlPlane: recordedRef, facts, proof: 204 }]);
    expect(context.lines).to.deep.equal([]);
  });

  it("refuses while the program declares another control plane with this resource, as an import option can", async () => {
    const context = new FakeContext();
    check(context, { controlPlaneId: OTHER_ID, region: "eu" });
    const { message } = await errorOf(() => deleteResource(context, ID, outputs));
    expect(message).to.match(/^Refused: control plane "edge" \(.*\) was not deleted\n/);
    expect(message).to.contain("declare it under another resource name");
    expect(context.deletes).to.deep.equal([]);
  });

  const proven = [
    ["already gone", "already gone: "],
    ["deleted", "deleted, and confirmed by a 404: "],
  ] as const;
  for (const [outcome, beginning] of proven) {
    it(`prints the line of a 404 when the control plane is ${outcome}, since a wrong organization looks the same`, async () => {
      const context = new FakeContext();
      context.deletion = { outcome, proof: 404, facts: goneFacts };
      await deleteResource(context, ID, outputs);
      expect(context.events).to.have.length(1);
      expect(context.events[0]).to.deep.include({
        type: outcome,
        controlPlane: recordedRef,
        facts: goneFacts,
      });
      expect(context.lines).to.deep.equal([
        `${beginning}control plane "edge" (${ID}): 404 from ${EU}, konnect:trace:404, system account token from KONNECT_SPAT`,
      ]);
    });
  }

  it("fails as the call does, and prints nothing itself", async () => {
    const context = new FakeContext();
    const error = failure("forbidden", 403, "Permission denied");
    context.deletion = error;
    expect(await errorOf(() => deleteResource(context, ID, outputs))).to.equal(error);
    expect(context.events).to.deep.equal([
      { type: "failed", purpose: "delete", controlPlane: recordedRef, error },
    ]);
    expect(context.lines).to.deep.equal([]);
  });

  it("deletes a control plane whose name is not recorded", async () => {
    const context = new FakeContext();
    await deleteResource(context, ID, { baseUrl: EU });
    expect(context.deletes).to.deep.equal([{ ...recordedRef, name: undefined }]);
  });
});

describe("deleting a resource whose control plane the program declares", () => {
  it("keeps it when another resource holds it, and prints a line", async () => {
    const context = new FakeContext();
    declareByOther(context, ref, "create");
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.deep.equal([]);
    expect(context.events).to.deep.equal([
      { type: "kept", controlPlane: recordedRef, by: 'resource "other"' },
    ]);
    expect(context.lines).to.deep.equal([
      `kept: control plane "edge" (${ID}) is declared by resource "other"; only the old one leaves the state`,
    ]);
  });

  for (const [how, id, baseUrl] of [
    ["with the id in upper case", ID.toUpperCase(), EU],
    ["with the address in another spelling", ID, "https://EU.api.konghq.com/"],
  ] as const) {
    it(`keeps it by its id and address, however they are written: ${how}`, async () => {
      const context = new FakeContext();
      declareByOther(context, ref, "diff");
      await deleteResource(context, id, { baseUrl });
      expect(context.deletes).to.deep.equal([]);
      expect(context.events.map(({ type }) => type)).to.deep.equal(["kept"]);
    });
  }

  it("fails when no resource holds it, because dropping the old one would lose it", async () => {
    const context = new FakeContext();
    declareByOther(context);
    const error = await errorOf(() => deleteResource(context, ID, outputs));
    expect(error).to.include({
      kind: "settings",
      subject: `control plane "edge" (${ID})`,
      summary: "Still declared",
    });
    expect(error.message).to.match(
      new RegExp(`^Still declared: control plane "edge" \\(${ID}\\) was not deleted\n`),
    );
    expect(error.message).to.contain("Pulumi keeps the resource");
    expect([...context.deletes, ...context.reads]).to.deep.equal([]);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
  });

  it("fails after the adoption by another resource has failed", async () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: ID, region: "eu" };
    const other = beside(context);
    check(other, inputs);
    other.reading = failure("unavailable", 503, "Service Unavailable");
    await errorOf(() => adoptControlPlane(other, inputs));
    expect((await errorOf(() => deleteResource(context, ID, outputs))).message).to.match(/^Still declared: /);
    expect(context.deletes).to.deep.equal([]);
  });

  it("fails when the program only refers to it, because a reference holds nothing", async () => {
    const context = new FakeContext();
    await readResource(beside(context, "looked-up"), ID, { controlPlaneId: ID, region: "eu" });
    const error = await errorOf(() => deleteResource(context, ID, outputs));
    expect(error).to.include({ kind: "settings", summary: "Still referred to" });
    expect(error.message).to.contain('with ControlPlane.get (resource "looked-up")');
    expect([...context.deletes, ...context.reads]).to.deep.equal([]);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
  });

  it("deletes it when the program declares only another id", async () => {
    const context = new FakeContext();
    declareByOther(context, { id: OTHER_ID, address: EU }, "diff");
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.deep.equal([recordedRef]);
  });
});

describe("deleting a resource with a state that is not as it was recorded", () => {
  const bad: readonly (readonly [what: string, id: string, outputs: object, reason: RegExp])[] = [
    ["an id that is not a UUID", "edge", outputs, /the state's id "edge" is not a UUID\n/],
    ["an empty id", "", outputs, /is not a UUID/],
    ["an id that leads elsewhere", `${ID}/../${OTHER_ID}`, outputs, /is not a UUID/],
    [
      "no address",
      ID,
      {},
      /^control plane \S+ was left alone: the state's baseUrl is not a usable address\n/,
    ],
    ["an address that is not a text", ID, { baseUrl: 7 }, /baseUrl is not a usable address/],
    [
      "an address with plain http",
      ID,
      { baseUrl: "http://evil.example/v2" },
      /baseUrl is not a usable address/,
    ],
    [
      "an address with a password",
      ID,
      { baseUrl: "https://u:hunter2@evil.example/v2" },
      /baseUrl is not a usable address/,
    ],
    ["an address with an empty user", ID, { baseUrl: "https://@evil.example" }, /not a usable address/],
    ["an address with a line break", ID, { baseUrl: `${EU}\n` }, /not a usable address/],
  ];
  for (const [what, id, recorded, reason] of bad) {
    it(`sends nothing: ${what}`, async () => {
      const context = new FakeContext();
      const error = await errorOf(() => deleteResource(context, id, { ...recorded }));
      expect(error).to.include({
        kind: "settings",
        summary: `unusable ${id === ID ? "address" : "id"} in the state`,
      });
      expect(error.message).to.match(reason);
      expect(error.message).to.contain("Nothing was sent.");
      expect(error)
        .to.have.property("subject")
        .that.contains(`control plane ${id.slice(0, 60)}`);
      expect(error.message).not.to.contain("hunter2");
      expect(context.deletes).to.deep.equal([]);
    });
  }

  it("does not take the address of the settings when the state has none", async () => {
    const context = new FakeContext({ "konnect:region": "eu" });
    await errorOf(() => deleteResource(context, ID, { name: "edge" }));
    expect(context.deletes).to.deep.equal([]);
  });
});
