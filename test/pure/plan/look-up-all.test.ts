import { expect } from "chai";
import { lookUpAll, type Sighting } from "../../../provider/plan/look-up-all.js";
import type { HeldControlPlane } from "../../../provider/state/held-control-planes.js";
import {
  errorOf,
  EU,
  facts,
  failure,
  FakeContext,
  found,
  gone,
  ID,
  OTHER_ID,
  US,
} from "../hooks/fake-context.js";
import { recorded } from "./recorded.js";

const edge = { id: ID, name: "edge", labels: {} };

/** Asks about control planes, and returns what is said about each. */
async function sightings(
  context: FakeContext,
  ...controlPlanes: readonly HeldControlPlane[]
): Promise<readonly Sighting[]> {
  const sightingOf = await lookUpAll(controlPlanes, { client: context.client, scope: context });
  return controlPlanes.map(sightingOf);
}

describe("the look-up of the control planes of a plan", () => {
  let context: FakeContext;
  beforeEach(() => {
    context = new FakeContext();
  });

  it("lists them, and reads only what the list does not show", async () => {
    context.existing = [edge];
    context.reading = gone;
    const seen = await sightings(context, recorded(), recorded({ id: OTHER_ID }));
    expect(seen).to.deep.equal([
      { outcome: "found", controlPlane: edge, nodes: { ok: true, value: [] } },
      { outcome: "gone" },
    ]);
    expect(context.reads.map(({ id }) => id)).to.deep.equal([OTHER_ID]);
  });

  it("reads one by one where the token may not list", async () => {
    context.listing = failure("forbidden", 403, "Permission denied");
    context.reading = found("edge", { env: "preview" });
    const [seen] = await sightings(context, recorded());
    expect(seen).to.deep.include({
      outcome: "found",
      controlPlane: { id: ID, name: "edge", labels: { env: "preview" } },
    });
  });

  it("keeps what the token may not read apart from what is gone", async () => {
    const error = failure("forbidden", 403, "Permission denied");
    context.reading = error;
    expect(await sightings(context, recorded())).to.deep.equal([{ outcome: "forbidden", error }]);
  });

  it("asks each address, and asks once for what the state has twice", async () => {
    const asked: string[] = [];
    context.client.listByIds = (address, ids) => {
      asked.push(`${ids.length} at ${address}`);
      return Promise.resolve([{ controlPlane: edge, facts }]);
    };
    await sightings(context, recorded(), recorded({ resource: "again" }), recorded({ address: US }));
    expect(asked).to.deep.equal([`1 at ${EU}`, `1 at ${US}`]);
    expect(context.checks).to.deep.equal([`nodes of ${ID}`, `nodes of ${ID}`]);
  });

  it("does not ask where the state shows no id or no address", async () => {
    const seen = await sightings(context, recorded({ id: undefined }), recorded({ address: undefined }));
    expect(seen).to.deep.equal([{ outcome: "not asked" }, { outcome: "not asked" }]);
    expect([context.reads, context.checks]).to.deep.equal([[], []]);
  });

  it("asks no address that is not allowed", async () => {
    context.existing = [edge];
    const asking = { client: context.client, scope: context, isAllowed: (address: string) => address === US };
    const [here, there] = [recorded(), recorded({ address: US })];
    const sightingOf = await lookUpAll([here, there], asking);
    expect(sightingOf(here)).to.deep.equal({ outcome: "address not allowed" });
    expect(sightingOf(there)).to.include({ outcome: "found" });
    expect(sightingOf(recorded({ address: undefined }))).to.deep.equal({ outcome: "not asked" });
  });

  it("reads with the time of the creation, so that a 404 moments later does not count at once", async () => {
    context.reading = gone;
    await sightings(context, recorded({ createdAtMs: 5 }));
    expect(context.reads[0]).to.include({ id: ID, createdAtMs: 5 });
  });

  it("counts entities only where the deletion policy is empty, even when only one of two resources has it", async () => {
    context.existing = [edge];
    context.entities = { routes: { count: 3, hasMore: false } };
    const [seen] = await sightings(
      context,
      recorded({ guards: { deletionPolicy: "empty" } }),
      recorded({ guards: {} }),
    );
    expect(seen?.outcome === "found" && seen.entities?.ok && seen.entities.value.routes).to.deep.equal({
      count: 3,
      hasMore: false,
    });
    context.checks.length = 0;
    await sightings(context, recorded({ guards: { deletionPolicy: "no-connected-nodes" } }));
    expect(context.checks).to.deep.equal([`nodes of ${ID}`]);
  });

  it("counts a control plane as gone that goes before its nodes or entities are read", async () => {
    context.existing = [edge];
    context.nodes = undefined;
    expect(await sightings(context, recorded())).to.deep.equal([{ outcome: "gone" }]);
    context.nodes = [];
    context.entities = undefined;
    const mustBeEmpty = recorded({ guards: { deletionPolicy: "empty" } });
    expect(await sightings(context, mustBeEmpty)).to.deep.equal([{ outcome: "gone" }]);
  });

  for (const [kind, status] of [
    ["forbidden", 403],
    ["foreign", 404],
    ["service", 500],
  ] as const) {
    it(`goes on without the nodes when they are answered ${status}`, async () => {
      const error = failure(kind, status, "No nodes");
      context.existing = [edge];
      context.nodes = error;
      const [seen] = await sightings(context, recorded());
      expect(seen).to.deep.include({ outcome: "found", nodes: { ok: false, error } });
    });
  }

  for (const kind of [
    "unavailable",
    "unauthenticated",
    "interrupted",
    "untrusted",
    "proxy",
    "settings",
  ] as const) {
    it(`fails when the nodes end with a failure of kind ${kind}, because the plan would not know enough`, async () => {
      const error = failure(kind, 503, "No answer");
      context.existing = [edge];
      context.nodes = error;
      expect(await errorOf(() => sightings(context, recorded()))).to.equal(error);
    });
  }

  it("fails when the list or a read fails otherwise", async () => {
    const error = failure("unavailable", 503, "Service Unavailable");
    context.reading = error;
    expect(await errorOf(() => sightings(context, recorded()))).to.equal(error);
    context.listing = failure("service", 500, "Internal Error");
    expect(await errorOf(() => sightings(context, recorded()))).to.equal(context.listing);
  });
});
