import { expect } from "chai";
import { check } from "../../../provider/hooks/check.js";
import { create } from "../../../provider/hooks/create.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { update } from "../../../provider/hooks/update.js";
import { SettingsError } from "../../../provider/service/errors.js";
import { errorOf, EU, failure, FakeContext, ID, OTHER_ID, outputs, target, US } from "./fake-context.js";

describe("deleting a resource", () => {
  it("deletes the control plane at the recorded address, and prints nothing", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.deep.equal([target]);
    expect(context.reads).to.deep.equal([]);
    expect(context.lines).to.deep.equal([]);
  });

  it("says in one line what was already gone, since a wrong organisation looks the same", async () => {
    const context = new FakeContext();
    const problem = { status: 404, instance: "konnect:trace:7\n::error::", invalidParameters: [] };
    context.deletion = { outcome: "already gone", problem, token: "system account token from KONNECT_SPAT" };
    await deleteResource(context, ID, outputs);
    expect(context.lines).to.deep.equal([
      `already gone: control plane ${ID} (404 from ${EU}, konnect:trace:7 : :error: :, system account token from KONNECT_SPAT)`,
    ]);
  });

  it("leaves the trace out of that line where there is none", async () => {
    const context = new FakeContext();
    context.deletion = { outcome: "already gone", problem: { invalidParameters: [] }, token: "token from x" };
    await deleteResource(context, ID, outputs);
    expect(context.lines).to.deep.equal([`already gone: control plane ${ID} (404 from ${EU}, token from x)`]);
  });

  it("fails as the call does", async () => {
    const context = new FakeContext();
    context.deletion = failure("forbidden", 403, "Permission denied");
    expect(await errorOf(() => deleteResource(context, ID, outputs))).to.equal(context.deletion);
  });

  it("keeps what another resource of the program declares, and says so", async () => {
    const context = new FakeContext();
    context.memory.declare(ID);
    context.memory.claim(ID, "create");
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.deep.equal([]);
    expect(context.lines).to.have.length(1);
    expect(context.lines[0]).to.match(
      new RegExp(`^kept: control plane ${ID} is declared by another resource`),
    );
  });

  for (const [how, id, baseUrl] of [
    ["the id in upper case", ID.toUpperCase(), EU],
    ["the address in another spelling", ID, "https://EU.api.konghq.com/"],
    ["another address", ID, US],
  ] as const) {
    it(`keeps it by its id, however the state has it: ${how}`, async () => {
      const context = new FakeContext();
      context.memory.declare(ID);
      context.memory.claim(ID, "diff");
      await deleteResource(context, id, { baseUrl });
      expect(context.deletes).to.deep.equal([]);
      expect(context.lines[0]).to.match(/^kept: /);
    });
  }

  it("refuses to drop what the program still declares and no resource holds", async () => {
    const context = new FakeContext();
    context.memory.declare(ID);
    const error = await errorOf(() => deleteResource(context, ID, outputs));
    expect(error).to.be.instanceOf(SettingsError);
    expect(error).to.include({
      subject: `control plane ${ID}`,
      summary: "still declared under another name, not deleted",
    });
    expect(error.message).to.match(new RegExp(`^Still declared: control plane ${ID} was not deleted\n`));
    expect(error.message).to.contain("could not be adopted; Pulumi keeps the old resource.");
    expect([...context.deletes, ...context.reads]).to.deep.equal([]);
    expect(context.lines).to.deep.equal([]);
  });

  it("refuses it too after the adoption under another name has failed", async () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: ID, region: "eu" };
    check(context, inputs);
    context.reading = failure("unavailable", 503, "Service Unavailable");
    await errorOf(() => create(context, inputs));
    expect((await errorOf(() => deleteResource(context, ID, outputs))).message).to.match(/^Still declared: /);
    expect(context.deletes).to.deep.equal([]);
  });

  it("deletes what is declared only under another id", async () => {
    const context = new FakeContext();
    context.memory.declare(OTHER_ID);
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.deep.equal([target]);
  });

  const bad: readonly (readonly [what: string, id: string, outputs: object, reason: RegExp])[] = [
    ["an id that is no UUID", "edge", outputs, /^The state's id "edge" is not a UUID/],
    ["an empty id", "", outputs, /is not a UUID/],
    ["an id that leads elsewhere", `${ID}/../${OTHER_ID}`, outputs, /is not a UUID/],
    ["no address", ID, {}, /^The state's baseUrl is not a usable address/],
    ["an address that is no text", ID, { baseUrl: 7 }, /baseUrl is not a usable address/],
    [
      "an address that is plain http",
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
  ];
  for (const [what, id, recorded, reason] of bad) {
    it(`sends nothing where the state holds ${what}`, async () => {
      const context = new FakeContext();
      const error = await errorOf(() => deleteResource(context, id, { ...recorded }));
      expect(error).to.be.instanceOf(SettingsError);
      expect(error.message).to.match(reason);
      expect(error.message).to.contain("Nothing was sent.");
      expect(error)
        .to.have.property("subject")
        .that.contains(`control plane ${id.slice(0, 60)}`);
      expect(error).to.include({ summary: `unusable ${id === ID ? "address" : "id"} in the state` });
      expect(error.message).not.to.contain("hunter2");
      expect(context.deletes).to.deep.equal([]);
    });
  }

  it("does not take an address from the settings where the state has none", async () => {
    const context = new FakeContext({ "konnect:region": "eu" });
    await errorOf(() => deleteResource(context, ID, { name: "edge" }));
    expect(context.deletes).to.deep.equal([]);
  });
});

describe("updating a resource", () => {
  it("keeps what is recorded, and only that", () => {
    const lastProblem = { status: 403, title: "Permission denied" };
    const recorded = { ...outputs, lastProblem };
    expect(update({ ...recorded, __provider: "text", region: "eu" })).to.deep.equal({ outs: recorded });
    for (const broken of [{ status: "403", title: "Permission denied" }, { status: 403 }, "403"]) {
      expect(update({ baseUrl: 7, name: null, lastProblem: broken })).to.deep.equal({ outs: {} });
    }
  });
});
