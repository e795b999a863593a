import { expect } from "chai";
import { readResource } from "../../../../provider/hooks/read.js";
import { failure, gone, ID, MARK } from "../fake-context.js";
import { contextWith, PROXIES, recordedEdge } from "./created-scene.js";

/** Reads, and returns what is recorded and whether that counts as a change. */
async function read(recorded: object, more: object = {}) {
  const context = contextWith(more);
  const result = await readResource(context, ID, { ...recorded });
  return { context, result, hasChanged: context.refreshes.take(context.urn, ID) };
}

describe("reading a created control plane", () => {
  it("finds no change when nothing has changed, and returns the arguments that the program gave", async () => {
    const recorded = { ...recordedEdge, description: "d", __given: "description,region", __provider: "text" };
    const { result, hasChanged } = await read(recorded, { description: "d" });
    const { __provider, ...props } = recorded;
    expect(__provider).to.equal("text");
    expect(result).to.deep.equal({ id: ID, props, inputs: { name: "edge", description: "d", region: "eu" } });
    expect(hasChanged).to.equal(false);
  });

  it("finds no change in the mark, in the order of proxies, and in a later time of the last change", async () => {
    const more = {
      labels: { "pulumi-creation-id": MARK },
      proxyUrls: [PROXIES[1]!, PROXIES[0]!],
      updatedAt: "2026-01-01T00:00:00.000Z",
    };
    const { result, hasChanged } = await read({ ...recordedEdge, proxyUrls: PROXIES }, more);
    expect(hasChanged).to.equal(false);
    expect(result).to.have.nested.property("props.updatedAt", "2026-01-01T00:00:00.000Z");
    expect(result).to.have.nested.property("props.proxyUrls").that.deep.equals(PROXIES);
  });

  for (const [what, change] of [
    ["name", { name: "renamed" }],
    ["description", { description: "by hand" }],
    ["labels", { labels: { team: "billing" } }],
    ["authType", { authType: "pki_client_certs" }],
    ["proxyUrls", { proxyUrls: PROXIES }],
  ] as const) {
    it(`shows what somebody else changed in the outputs and in the arguments that were given: ${what}`, async () => {
      const recorded = { ...recordedEdge, __given: "authType,description,labels,proxyUrls" };
      const { result, hasChanged } = await read(recorded, change);
      expect(hasChanged).to.equal(true);
      expect(result).to.have.property("props").that.deep.include(change);
      expect(result).to.have.property("inputs").that.deep.include(change);
    });
  }

  it("returns no argument that the program did not give", async () => {
    const { result } = await read(recordedEdge, { description: "by hand", labels: { team: "billing" } });
    expect(result).to.have.property("inputs").that.deep.equals({ name: "edge" });
  });

  it("returns guards and the address as arguments where the program gave them", async () => {
    const onlyIfLabels = { env: "preview" };
    const recorded = { ...recordedEdge, onlyIfLabels, __given: "baseUrl,deletionPolicy,onlyIfLabels" };
    const { result } = await read(recorded);
    expect(result).to.have.property("inputs").that.deep.equals({
      name: "edge",
      baseUrl: recordedEdge.baseUrl,
      deletionPolicy: "always",
      onlyIfLabels,
    });
  });

  it("leaves the state when the service's own 404 says that it is gone", async () => {
    const context = contextWith();
    context.reading = gone;
    expect(await readResource(context, ID, recordedEdge)).to.deep.equal({ id: "" });
    expect(context.events.map(({ type }) => type)).to.deep.equal(["gone"]);
  });

  it("keeps everything and records the problem when the service forbids it", async () => {
    const context = contextWith();
    context.reading = failure("forbidden", 403, "Permission denied");
    const result = await readResource(context, ID, {
      ...recordedEdge,
      __given: "labels",
      labels: { a: "b" },
    });
    expect(result)
      .to.have.property("props")
      .that.deep.include({
        ...recordedEdge,
        labels: { a: "b" },
        __given: "labels",
        lastProblem: { status: 403, title: "Permission denied", instance: "konnect:trace:403" },
      });
    expect(context.refreshes.take(context.urn, ID)).to.equal(true);
  });

  it("passes the time of its creation on, so that a new one is looked at again", async () => {
    const { context } = await read(recordedEdge);
    expect(context.reads[0]).to.include({ createdAtMs: Date.UTC(2025, 5, 1, 10) });
  });

  it("keeps when the run saw it created", async () => {
    const { context, result } = await read({ ...recordedEdge, __createdAtMs: 7 });
    expect(context.reads[0]).to.include({ createdAtMs: 7 });
    expect(result).to.have.nested.property("props.__createdAtMs", 7);
  });

  it("keeps a guard that this release does not know, because it forbids the deletion", async () => {
    const { result } = await read({ ...recordedEdge, deletionPolicy: "of-tomorrow" });
    expect(result).to.have.nested.property("props.deletionPolicy", "of-tomorrow");
  });
});
