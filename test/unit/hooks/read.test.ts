import { expect } from "chai";
import { read } from "../../../provider/hooks/read.js";
import { ForeignAnswerError, SettingsError } from "../../../provider/service/errors.js";
import { errorOf, EU, failure, FakeContext, found, gone, ID, outputs, target, US } from "./fake-context.js";
import { reply } from "../service/answers.js";
import { FakeService } from "../service/fake-effects.js";

const stored = { status: 403, title: "Permission denied", detail: "No role.", instance: "konnect:trace:1" };
const forbidden = (instance = "konnect:trace:2", detail = "No role.") =>
  failure("forbidden", 403, "Permission denied", { instance, detail });

describe("reading a resource", () => {
  it("looks at the recorded address and records what is there now", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    context.reading = found("renamed");
    expect(await read(context, ID, { ...outputs })).to.deep.equal({
      id: ID,
      props: { baseUrl: EU, name: "renamed" },
    });
    expect(context.reads).to.deep.equal([{ ...target, doing: "read" }]);
    expect(context.memory.takeChangedByRead(ID)).to.equal(true);
    expect(context.memory.takeChangedByRead(ID), "told once").to.equal(false);
  });

  it("notes no change where nothing has changed, whatever the order of the fields", async () => {
    const context = new FakeContext();
    expect(await read(context, ID, { name: "edge", baseUrl: EU })).to.deep.equal({ id: ID, props: outputs });
    expect(context.memory.takeChangedByRead(ID)).to.equal(false);
  });

  it("removes it from the state when the service says that it is gone, and says so", async () => {
    const context = new FakeContext();
    context.reading = gone;
    expect(await read(context, ID, { ...outputs })).to.deep.equal({ id: "" });
    expect(context.lines).to.deep.equal([
      `gone: control plane ${ID} (404 from ${EU}, konnect:trace:404, system account token from KONNECT_SPAT); it leaves the state`,
    ]);
  });

  it("keeps a refused read as the last problem, beside the name that is known", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    expect(await read(context, ID, { ...outputs })).to.deep.equal({
      id: ID,
      props: { ...outputs, lastProblem: { ...stored, instance: "konnect:trace:2" } },
    });
    expect(context.memory.takeChangedByRead(ID)).to.equal(true);
  });

  it("says each time in one line that it may not be read", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    await read(context, ID, { ...outputs });
    await read(context, ID, { ...outputs, lastProblem: stored });
    const line = `403 Permission denied: control plane ${ID} could not be read (konnect:trace:2)`;
    expect(context.lines).to.deep.equal([line, line]);
  });

  it("does not keep what a proxy forbids as the last problem, but fails", async () => {
    const client = new FakeService([reply(403, "<html>Blocked</html>")]).client();
    const context = Object.assign(new FakeContext(), { client });
    expect(await errorOf(() => read(context, ID, { ...outputs }))).to.be.instanceOf(ForeignAnswerError);
    expect(context.lines).to.deep.equal([]);
  });

  it("keeps the old problem when the new one differs by its trace only", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    const reordered = Object.fromEntries(Object.entries(stored).reverse());
    const result = await read(context, ID, { lastProblem: reordered, ...outputs });
    expect(result).to.deep.equal({ id: ID, props: { ...outputs, lastProblem: stored } });
    expect(context.memory.takeChangedByRead(ID)).to.equal(false);
  });

  it("notes no change of what was adopted unread and still may not be read", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    const recorded = { baseUrl: EU, lastProblem: stored };
    expect(await read(context, ID, recorded)).to.deep.equal({ id: ID, props: recorded });
    expect(context.memory.takeChangedByRead(ID)).to.equal(false);
  });

  it("takes another problem as a change", async () => {
    const context = new FakeContext();
    context.reading = forbidden("konnect:trace:2", "Another reason.");
    const result = await read(context, ID, { ...outputs, lastProblem: stored });
    expect(result).to.have.nested.property("props.lastProblem.instance", "konnect:trace:2");
    expect(context.memory.takeChangedByRead(ID)).to.equal(true);
  });

  it("drops the last problem when the look goes well, and notes the change", async () => {
    const context = new FakeContext();
    expect(await read(context, ID, { ...outputs, lastProblem: stored })).to.deep.equal({
      id: ID,
      props: outputs,
    });
    expect(context.memory.takeChangedByRead(ID)).to.equal(true);
  });

  for (const end of [
    failure("unauthenticated", 401, "Unauthenticated"),
    failure("foreign", 404, "Not Found"),
    failure("service", 500, "Internal Server Error"),
    failure("unavailable", 503, "Service Unavailable"),
    failure("interrupted", 0, "Interrupted"),
  ]) {
    it(`leaves the state as it is on doubt: ${end.summary}`, async () => {
      const context = new FakeContext();
      context.reading = end;
      expect(await errorOf(() => read(context, ID, { ...outputs }))).to.equal(end);
      expect(context.memory.takeChangedByRead(ID)).to.equal(false);
    });
  }

  it("refuses a recorded address that is unusable, without a request", async () => {
    const context = new FakeContext();
    const error = await errorOf(() => read(context, ID, { baseUrl: "http://evil.example/v2" }));
    expect(error).to.be.instanceOf(SettingsError);
    expect(context.reads).to.deep.equal([]);
  });
});

describe("looking a control plane up by its id", () => {
  for (const [what, properties, address] of [
    ["the arguments", { controlPlaneId: ID, region: "us" }, US],
    ["the settings, with arguments", { controlPlaneId: ID }, EU],
    ["the settings, with nothing", {}, EU],
  ] as const) {
    it(`takes the address of ${what}`, async () => {
      const context = new FakeContext({ "konnect:region": "eu" });
      expect(await read(context, ID.toUpperCase(), { ...properties })).to.deep.equal({
        id: ID,
        props: { baseUrl: address, name: "edge" },
      });
      expect(context.reads).to.deep.equal([{ id: ID, address, doing: "look up" }]);
      expect(context.memory.takeChangedByRead(ID), "there is nothing that could have changed").to.equal(
        false,
      );
    });
  }

  it("takes the arguments for no state, although one is called as an output is", async () => {
    const context = new FakeContext();
    await read(context, ID, { controlPlaneId: ID, baseUrl: US });
    expect(context.reads).to.deep.equal([{ id: ID, address: US, doing: "look up" }]);
  });

  it("takes it for a defect when the client finds what is gone", async () => {
    const context = new FakeContext();
    context.reading = gone;
    const error = await errorOf(() => read(context, ID, {}));
    expect(error.message).to.equal("the client finds nothing that is gone");
  });

  it("fails where there is none, rather than finding nothing", async () => {
    const context = new FakeContext();
    context.reading = failure("missing", 404, "Not Found");
    expect(await errorOf(() => read(context, ID, {}))).to.equal(context.reading);
  });

  it("needs a UUID and an address", async () => {
    for (const [config, id] of [
      [{ "konnect:region": "eu" }, "edge"],
      [{}, ID],
    ] as const) {
      const context = new FakeContext({ ...config });
      const error = await errorOf(() => read(context, id, {}));
      expect(error).to.be.instanceOf(SettingsError);
      expect(error.message).to.contain(`: control plane ${id} was not found\n`);
      expect(context.reads).to.deep.equal([]);
    }
  });
});
