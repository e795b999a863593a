import { expect } from "chai";
import { check } from "../../../provider/hooks/check.js";
import { Refreshes } from "../../../provider/hooks/refreshes.js";
import { diffResource } from "../../../provider/hooks/resource.js";
import { readResource } from "../../../provider/hooks/read.js";
import { checkSet, diffSet } from "../../../provider/hooks/set/adopt-set.js";
import { readSet } from "../../../provider/hooks/set/read-set.js";
import type { Properties } from "../../../provider/state/recorded-fields.js";
import { contextWith, recordedEdge } from "./created/created-scene.js";
import { EU, type FakeContext, ID, OTHER_ID, outputs, urnOf } from "./fake-context.js";

const [edge, legacy] = [urnOf("edge"), urnOf("legacy")];

describe("what a refresh has read and not compared yet", () => {
  it("is known once, to the same resource", () => {
    const refreshes = new Refreshes();
    refreshes.note(edge, ID, true);
    expect(refreshes.take(legacy, ID)).to.equal(undefined);
    expect([refreshes.take(edge, ID), refreshes.take(edge, ID)]).to.deep.equal([true, undefined]);
  });

  it("is the last that was read", () => {
    const refreshes = new Refreshes();
    refreshes.note(edge, ID, true);
    refreshes.note(edge, ID, false);
    expect(refreshes.take(edge, ID)).to.equal(false);
  });

  it("is known by the id when the read or both calls had no URN", () => {
    for (const urn of [edge, undefined]) {
      const refreshes = new Refreshes();
      refreshes.note(undefined, ID, true);
      expect(refreshes.take(urn, OTHER_ID)).to.equal(undefined);
      expect([refreshes.take(urn, ID), refreshes.take(urn, ID)]).to.deep.equal([true, undefined]);
    }
  });

  it("is forgotten once the program declares the resource, and that of others is not", () => {
    const refreshes = new Refreshes();
    refreshes.note(edge, ID, true);
    refreshes.note(legacy, ID, true);
    refreshes.forget(edge);
    expect([refreshes.take(edge, ID), refreshes.take(legacy, ID)]).to.deep.equal([undefined, true]);
  });

  it("is forgotten where it may be that of the resource that the program declares", () => {
    const refreshes = new Refreshes();
    refreshes.note(undefined, ID, true);
    refreshes.forget(edge);
    expect(refreshes.take(edge, ID), "a read without a URN").to.equal(undefined);
    refreshes.note(edge, ID, true);
    refreshes.forget(undefined);
    expect(refreshes.take(edge, ID), "a check without a URN").to.equal(undefined);
  });
});

/** With PULUMI_ENABLE_LEGACY_REFRESH_DIFF, the engine reads all resources, and compares them with the program only. */
describe("a refresh whose engine does not compare what was read", () => {
  const recorded = { ...recordedEdge, __given: "labels,region", labels: { env: "preview" } };
  const wanted = { name: "edge", region: "eu", labels: { env: "preview" } };
  /** Reads a resource, checks and compares it with the program. The read may be the first call, without a URN. */
  async function refresh(state: Properties, inputs: Properties, isFirst: boolean): Promise<unknown> {
    const context: FakeContext = contextWith({ labels: { env: "preview" } });
    const { urn } = context;
    if (isFirst) context.urn = undefined;
    const read = await readResource(context, ID, state);
    context.urn = urn;
    check(context, inputs);
    return diffResource(context, ID, "props" in read ? read.props : state, inputs);
  }

  for (const isFirst of [true, false]) {
    const call = isFirst ? ", and the read has no URN" : "";
    for (const [what, change] of [
      ["labels", { labels: { env: "prod" } }],
      ["a new guard", { deletionPolicy: "no-connected-nodes" }],
      ["both", { labels: { env: "prod" }, deletionPolicy: "no-connected-nodes" }],
    ] as const) {
      it(`drops no change of a created resource: ${what}${call}`, async () => {
        expect(await refresh(recorded, { ...wanted, ...change }, isFirst)).to.deep.equal({ changes: true });
      });
    }

    it(`drops no new guard of an adopted resource${call}`, async () => {
      const inputs = { controlPlaneId: ID, region: "eu", deletionPolicy: "empty" };
      expect(await refresh(outputs, inputs, isFirst)).to.deep.equal({ changes: true });
    });

    it(`finds no change of the program when there is none${call}`, async () => {
      expect(await refresh(recorded, wanted, isFirst)).to.deep.equal({ changes: false });
    });
  }

  it("drops no change of a set", async () => {
    const existing = [ID, OTHER_ID].map((id) => ({ id, name: id, labels: {} }));
    const context = Object.assign(contextWith(), { existing });
    const state = { baseUrl: EU, controlPlanes: existing.map(({ id, name }) => ({ id, name })) };
    const inputs = { controlPlaneIds: [ID], region: "eu" };
    await readSet(context, "control-plane-set", state);
    checkSet(context, inputs);
    expect(diffSet(context, state, inputs)).to.deep.equal({ changes: true });
  });
});
