import { expect } from "chai";
import { readResource } from "../../../../provider/hooks/read.js";
import { reply } from "../../service/answers.js";
import { FakeService } from "../../service/fake-service.js";
import {
  errorOf,
  EU,
  facts,
  failure,
  FakeContext,
  found,
  gone,
  goneFacts,
  ID,
  outputs,
  recordedRef,
  ref,
  US,
} from "../fake-context.js";

const stored = { status: 403, title: "Permission denied", detail: "No role.", instance: "konnect:trace:1" };
const forbidden = (instance = "konnect:trace:2", detail = "No role.") =>
  failure("forbidden", 403, "Permission denied", { instance, detail });

/** What the read noted for the `diff` that follows it. */
const changeNoted = (context: FakeContext) => context.refreshes.take(context.urn, ID);

describe("reading a resource", () => {
  it("asks at the recorded address, and records what is there now", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    context.reading = found("renamed");
    expect(await readResource(context, ID, { ...outputs })).to.deep.equal({
      id: ID,
      props: { baseUrl: EU, name: "renamed" },
    });
    expect(context.reads).to.deep.equal([{ ...recordedRef, purpose: "read" }]);
    expect(context.events).to.deep.equal([
      { type: "found", controlPlane: { ...recordedRef, name: "renamed" }, facts },
    ]);
    expect(changeNoted(context)).to.equal(true);
    expect(changeNoted(context), "noted once").to.equal(undefined);
  });

  it("notes no change when nothing has changed, whatever the order of the members", async () => {
    const context = new FakeContext();
    expect(await readResource(context, ID, { name: "edge", baseUrl: EU })).to.deep.equal({
      id: ID,
      props: outputs,
    });
    expect(changeNoted(context)).to.equal(false);
  });

  it("notes no change because of the text of the provider, which the host adds", async () => {
    const context = new FakeContext();
    const result = await readResource(context, ID, { ...outputs, __provider: "text" });
    expect(result).to.deep.equal({ id: ID, props: outputs });
    expect(changeNoted(context)).to.equal(false);
  });

  it("keeps members that it does not know and the mark of how the resource came to be", async () => {
    const context = new FakeContext();
    const recorded = { ...outputs, color: "a newer output", __origin: "external" };
    expect(await readResource(context, ID, recorded)).to.deep.equal({ id: ID, props: recorded });
    expect(changeNoted(context), "an import is compared").to.equal(false);
    context.reading = forbidden();
    const { id, props } = (await readResource(context, ID, recorded)) as { id: string; props: object };
    expect(id).to.equal(ID);
    expect(props).to.deep.include(recorded);
  });

  it("removes it from the state when the service says that it is gone, and prints the line of the 404", async () => {
    const context = new FakeContext();
    context.reading = gone;
    expect(await readResource(context, ID, { ...outputs })).to.deep.equal({ id: "" });
    expect(context.events).to.deep.equal([{ type: "gone", controlPlane: recordedRef, facts: goneFacts }]);
    expect(context.lines).to.deep.equal([
      `gone: control plane "edge" (${ID}): 404 from ${EU}, konnect:trace:404, system account token from KONNECT_SPAT; it leaves the state`,
    ]);
    expect(changeNoted(context)).to.equal(undefined);
  });

  for (const end of [
    failure("unauthenticated", 401, "Unauthenticated"),
    failure("foreign", 404, "Not Found"),
    failure("service", 500, "Internal Server Error"),
    failure("unavailable", 503, "Service Unavailable"),
    failure("interrupted", 0, "Interrupted"),
  ]) {
    it(`fails and leaves the state as it is on doubt: ${end.summary}`, async () => {
      const context = new FakeContext();
      context.reading = end;
      expect(await errorOf(() => readResource(context, ID, { ...outputs }))).to.equal(end);
      expect(context.events).to.deep.equal([
        { type: "failed", purpose: "read", controlPlane: recordedRef, error: end },
      ]);
      expect(changeNoted(context)).to.equal(undefined);
    });
  }

  it("is refused without a request when the recorded address is unusable", async () => {
    const context = new FakeContext();
    const error = await errorOf(() => readResource(context, ID, { baseUrl: "http://evil.example/v2" }));
    expect(error).to.include({ kind: "settings", summary: "unusable address in the state" });
    expect(context.reads).to.deep.equal([]);
  });
});

describe("reading a resource that the service forbids to read", () => {
  it("records the problem beside the known name, and prints its detail", async () => {
    const context = new FakeContext();
    const error = forbidden();
    context.reading = error;
    expect(await readResource(context, ID, { ...outputs })).to.deep.equal({
      id: ID,
      props: { ...outputs, lastProblem: { ...stored, instance: "konnect:trace:2" } },
    });
    expect(context.events).to.deep.equal([{ type: "unreadable", controlPlane: recordedRef, error }]);
    expect(context.lines).to.deep.equal([
      `403 Permission denied: control plane "edge" (${ID}) could not be read. No role. (konnect:trace:2)`,
    ]);
    expect(changeNoted(context)).to.equal(true);
  });

  it("emits its event each time, because a diff shows a stored problem only when it is new", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    await readResource(context, ID, { ...outputs });
    await readResource(context, ID, { ...outputs, lastProblem: stored });
    expect(context.events.map(({ type }) => type)).to.deep.equal(["unreadable", "unreadable"]);
  });

  it("fails when a proxy forbids it, and not the service", async () => {
    const client = new FakeService([reply(403, "<html>Blocked</html>")]).client();
    const context = Object.assign(new FakeContext(), { client });
    expect(await errorOf(() => readResource(context, ID, { ...outputs }))).to.include({ kind: "foreign" });
    expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
  });

  it("keeps the old problem when the new one differs in its trace only", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    const reordered = Object.fromEntries(Object.entries(stored).reverse());
    const result = await readResource(context, ID, { lastProblem: reordered, ...outputs });
    expect(result).to.deep.equal({ id: ID, props: { ...outputs, lastProblem: stored } });
    expect(changeNoted(context)).to.equal(false);
  });

  it("notes no change when the control plane was adopted unread and still may not be read", async () => {
    const context = new FakeContext();
    context.reading = forbidden();
    const recorded = { baseUrl: EU, lastProblem: stored };
    expect(await readResource(context, ID, recorded)).to.deep.equal({ id: ID, props: recorded });
    expect(changeNoted(context)).to.equal(false);
  });

  it("notes a change when the problem is another one", async () => {
    const context = new FakeContext();
    context.reading = forbidden("konnect:trace:2", "Another reason.");
    const result = await readResource(context, ID, { ...outputs, lastProblem: stored });
    expect(result).to.have.nested.property("props.lastProblem.instance", "konnect:trace:2");
    expect(changeNoted(context)).to.equal(true);
  });

  it("drops the last problem when it may be read again, and notes the change", async () => {
    const context = new FakeContext();
    const recorded = { ...outputs, lastProblem: stored };
    expect(await readResource(context, ID, recorded)).to.deep.equal({ id: ID, props: outputs });
    expect(changeNoted(context)).to.equal(true);
  });
});

describe("looking a control plane up by its id", () => {
  for (const [what, properties, address] of [
    ["the arguments", { controlPlaneId: ID, region: "us" }, US],
    ["the settings, with arguments", { controlPlaneId: ID }, EU],
    ["the settings, without arguments", {}, EU],
  ] as const) {
    it(`takes the address of ${what}, and marks it as external`, async () => {
      const context = new FakeContext({ "konnect:region": "eu" });
      expect(await readResource(context, ID.toUpperCase(), { ...properties })).to.deep.equal({
        id: ID,
        props: { baseUrl: address, name: "edge", __origin: "external" },
      });
      expect(context.reads).to.deep.equal([{ id: ID, address, purpose: "look up" }]);
      expect(context.events).to.deep.equal([
        { type: "found", controlPlane: { id: ID, address, name: "edge" }, facts },
      ]);
      expect(changeNoted(context), "nothing could have changed").to.equal(undefined);
    });
  }

  it("notes a change of what the program refers to, because the engine compares an import afterwards", async () => {
    const context = new FakeContext();
    await readResource(context, ID, { baseUrl: EU, name: "renamed since", __origin: "external" });
    expect(changeNoted(context)).to.equal(true);
  });

  it("does not take arguments for a state, although one has the name of an output", async () => {
    const context = new FakeContext();
    await readResource(context, ID, { controlPlaneId: ID, baseUrl: US });
    expect(context.reads).to.deep.equal([{ id: ID, address: US, purpose: "look up" }]);
  });

  it("fails when there is none, instead of finding nothing", async () => {
    const context = new FakeContext();
    const error = failure("missing", 404, "Not Found");
    context.reading = error;
    expect(await errorOf(() => readResource(context, ID, {}))).to.equal(error);
    expect(context.events).to.deep.equal([{ type: "failed", purpose: "look up", controlPlane: ref, error }]);
  });

  for (const [what, config, id] of [
    ["a UUID", { "konnect:region": "eu" }, "edge"],
    ["an address", {}, ID],
  ] as const) {
    it(`needs ${what}`, async () => {
      const context = new FakeContext({ ...config });
      const error = await errorOf(() => readResource(context, id, {}));
      expect(error).to.include({ kind: "settings" });
      expect(error.message).to.contain(`control plane ${id} could not be read: `);
      expect(context.reads).to.deep.equal([]);
    });
  }

  it("does not show a token in the place of the id", async () => {
    const { message } = await errorOf(() => readResource(new FakeContext(), "spat_sentinel", {}));
    expect(message).not.to.contain("sentinel");
  });
});
