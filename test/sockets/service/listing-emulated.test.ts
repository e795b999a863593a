import { expect } from "chai";
import type { EmulatorOptions, SeedControlPlane } from "../../../emulator/index.js";
import type { ServiceClient } from "../../../provider/service/client.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { CallScope } from "../../../provider/service/retry/call.js";
import { createSession } from "../../../provider/session/session.js";
import { RunningEmulator, id, token } from "../emulator/running-emulator.js";

const seeds = (count: number): SeedControlPlane[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `cp-${n}`,
    labels: { env: n % 2 === 0 ? "preview" : "prod" },
  }));

describe("listing over real sockets", () => {
  const running = new RunningEmulator();
  let client: ServiceClient;
  let scope: CallScope;
  let address: string;

  /** Starts the service with these options, and a session with it. */
  async function serve(options: EmulatorOptions = {}): Promise<void> {
    await running.restart(options);
    address = running.emulator.baseUrl;
    ({ client, scope } = createSession({
      config: () => undefined,
      env: { KONNECT_SPAT: token },
      emit: () => undefined,
      signal: AbortSignal.timeout(20_000),
    }));
  }

  async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
    const end = await work.catch((error: unknown) => error);
    if (end instanceof ControlPlaneError) return end;
    throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
  }

  // A total of 99 control planes could also be one of 99 pages, so one more page is asked for.
  for (const [count, byTotal] of [
    [0, { objects: 1, pages: 1 }],
    [1, { objects: 1, pages: 1 }],
    [99, { objects: 2, pages: 1 }],
    [100, { objects: 2, pages: 2 }],
    [250, { objects: 3, pages: 3 }],
  ] as const) {
    for (const listTotal of ["objects", "pages"] as const) {
      const requests = byTotal[listTotal];
      it(`lists ${count} control planes when the total counts ${listTotal} (requests: ${requests})`, async () => {
        await serve({ controlPlanes: seeds(count), listTotal });
        const { controlPlanes } = await client.listControlPlanes(address, { nameContains: "cp-" }, scope);
        expect(new Set(controlPlanes.map(({ name }) => name)).size).to.equal(count);
        expect(running.emulator.requests).to.have.length(requests);
      });
    }
  }

  it("lists 251 ids with three requests, and leaves out the one that does not exist", async () => {
    await serve({ controlPlanes: seeds(260) });
    const ids = [...running.emulator.controlPlanes.keys()].slice(0, 250);
    const listed = await client.listByIds(address, [...ids, "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10"], scope);
    expect(listed.map(({ controlPlane }) => controlPlane.id)).to.have.members(ids);
    expect(running.emulator.requests).to.have.length(3);
  });

  it("reads 250 nodes by their cursors, with the times of their last pings", async () => {
    const nodes = Array.from({ length: 250 }, (_, n) => ({ hostname: `dp-${n}`, lastPingSecondsAgo: n }));
    await serve({ controlPlanes: [{ id, name: "edge", nodes }] });
    const reading = await client.readNodes({ id, address }, scope);
    const read = reading.outcome === "found" ? reading.nodes : [];
    expect(read.map(({ hostname }) => hostname)).to.deep.equal(nodes.map(({ hostname }) => hostname));
    expect(read[249]?.silentForMs).to.be.within(247_000, 300_000);
    expect(running.emulator.requests).to.have.length(3);
  });

  it("counts entities by one page, and says whether there are more", async () => {
    const entities = { services: 3, routes: 101, "config-stores": 101, "plugin-schemas": 1 };
    await serve({ controlPlanes: [{ id, name: "edge", entities }] });
    const counting = await client.countEntities({ id, address }, scope);
    expect("counts" in counting && counting.counts).to.deep.include({
      services: { count: 3, hasMore: false },
      routes: { count: 100, hasMore: true },
      plugins: { count: 0, hasMore: false },
      "config stores": { count: 100, hasMore: true },
      "plugin schemas": { count: 1, hasMore: false },
    });
    expect(running.emulator.requests).to.have.length(25);
  });

  it("finds a control plane gone by the service's own 404 to its nodes, its entities and itself", async () => {
    await serve({ controlPlanes: [] });
    expect(await client.readNodes({ id, address }, scope)).to.include({ outcome: "gone" });
    expect(await client.countEntities({ id, address }, scope)).to.include({ outcome: "gone" });
  });

  it("never counts a control plane as gone that still exists, whatever its nodes are answered", async () => {
    await serve({ controlPlanes: [{ id, name: "edge" }] });
    running.emulator.script({ operation: "list-dataplane-nodes" }, { status: 404 });
    const error = await failureOf(client.readNodes({ id, address }, scope));
    expect(error.message).to.contain("A GET still finds the control plane, so this 404 proves nothing.");
  });

  it("never takes a list that the connection cut for a whole one", async () => {
    await serve({ controlPlanes: seeds(50) });
    running.emulator.script({ operation: "list-control-planes" }, { reset: "body" });
    const { controlPlanes } = await client.listControlPlanes(address, { nameContains: "cp-" }, scope);
    expect(controlPlanes).to.have.length(50);
    expect(running.emulator.requests).to.have.length(3);
  });

  it("fails when the answer repeats the token instead of listing", async () => {
    await serve({ controlPlanes: seeds(2) });
    const body = { data: [], meta: { note: token } };
    running.emulator.script({ operation: "list-control-planes" }, { body });
    const error = await failureOf(client.listByIds(address, [id], scope));
    expect(error.message).to.contain("repeats the token").and.not.to.contain(token);
  });
});
