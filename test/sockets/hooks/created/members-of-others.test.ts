import { expect } from "chai";
import type { Emulator, SeedControlPlane } from "../../../../emulator/index.js";
import { createResource, diffResource, updateResource } from "../../../../provider/hooks/resource.js";
import { readResource } from "../../../../provider/hooks/read.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import type { Properties } from "../../../../provider/state/recorded-fields.js";
import { errorOf, type FakeContext } from "../../../pure/hooks/fake-context.js";
import { contextOf, serveContext } from "../served-context.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";
const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const [A, B, C] = [idOf(1), idOf(2), idOf(3)];
const ADD = { operation: "post-control-planes-id-group-memberships-add" } as const;
const LIST = { operation: "get-control-planes-id-group-memberships" } as const;

/** The hooks with the real client, over real sockets. Only the waits are skipped. */
describe("who added a member of a group", function () {
  this.timeout(20_000);
  let emulator: Emulator;
  let context: FakeContext;

  beforeEach(async () => {
    const controlPlanes = [1, 2, 3].map((n): SeedControlPlane => ({ id: idOf(n), name: `member-${n}` }));
    ({ emulator, context } = await serveContext({ controlPlanes }));
  });
  afterEach(async () => {
    expect(emulator.pendingFaults).to.equal(0);
    await emulator.close();
  });

  const group = (members?: unknown, more: Properties = {}) => ({
    name: "all",
    clusterType: GROUP,
    ...(members !== undefined && { members }),
    ...more,
  });
  /** Forgets the requests. The following hooks belong to another run, long after the creation. */
  function later(outs: Properties): Properties {
    emulator.reset();
    context = contextOf(emulator);
    return { ...outs, createdAt: "2025-06-01T10:00:00.000Z" };
  }
  /** Creates a group with one member. Somebody else adds another one, and a refresh shows it. */
  async function refreshedWithForeign(more: Properties = {}) {
    const { id, outs } = await createResource(context, group([A], more));
    const state = later(outs);
    emulator.change(id, { members: [A, B] });
    const read = await readResource(contextOf(emulator), id, state);
    if (!("props" in read)) throw new Error("the group is gone");
    return { id, props: read.props, inputs: read.inputs ?? {} };
  }
  const posts = () => emulator.requests.filter(({ method }) => method === "POST");

  it("does not change when ignoreChanges puts the members that a refresh has shown into the program", async () => {
    const { id, props, inputs } = await refreshedWithForeign();
    // The engine replaces what the program gives by the inputs of the state.
    const program = group(inputs.members);
    expect(await diffResource(context, id, props, program)).to.deep.equal({ changes: false });
    const { outs } = await updateResource(context, id, props, { ...program, description: "d" });
    expect(emulator.membersOf(id)).to.deep.equal([A, B]);
    expect(outs).to.deep.include({ __foreignMembers: [B] });
    const error = await errorOf(() => deleteResource(contextOf(emulator), id, outs));
    expect(error.message).to.contain(`that this resource did not add: control plane "member-2" (${B}).`);
    expect(emulator.membersOf(id)).to.deep.equal([A, B]);
    expect(posts()).to.deep.equal([]);
  });

  it("matters when the program gives it together with others", async () => {
    const { id, props } = await refreshedWithForeign();
    const { outs } = await updateResource(context, id, props, group([A, B, C]));
    expect(outs).to.deep.include({ members: [A, B, C], __foreignMembers: [B] });
    await errorOf(() => deleteResource(contextOf(emulator), id, outs));
    expect(emulator.membersOf(id)).to.deep.equal([A, B, C]);
  });

  it("matters no longer when the resource adds it again", async () => {
    const { id, props } = await refreshedWithForeign();
    emulator.change(id, { members: [A] });
    const { outs } = await updateResource(context, id, props, group([A, B, C]));
    expect(outs).not.to.have.property("__foreignMembers");
  });

  it("decides what is removed when members are given no longer", async () => {
    const { id, props } = await refreshedWithForeign();
    const { outs } = await updateResource(context, id, props, group());
    expect(emulator.membersOf(id)).to.deep.equal([B]);
    expect(outs).not.to.have.property("members");
    expect(context.lines[0]).to.equal(`removed from control plane "all" (${id}): "member-1" (0b6f6c1e…)`);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["members detached", "updated"]);
  });

  it("is found out when the last attempt to add it has no clear answer", async () => {
    emulator.script(ADD, { status: 504, work: "now", times: 10 });
    const { id, outs, unfinished } = await createResource(context, group([A]));
    expect(unfinished).to.equal(undefined);
    expect(outs).to.deep.include({ members: [A] });
    expect(emulator.membersOf(id)).to.deep.equal([A]);
  });

  describe("when it stays unclear whether it was added", () => {
    async function unclear() {
      emulator.script(ADD, { status: 504, work: "now", times: 10 });
      emulator.script(LIST, {}, { status: 500 });
      const { id, outs, unfinished } = await createResource(context, group([A]));
      expect(unfinished?.message.split("\n")[0]).to.equal(
        `504 Gateway Timeout after 10 attempts: control plane "all" (${id}) was created, but its members may or may not have been added`,
      );
      expect(outs).to.deep.include({ members: [], __attemptedMembers: [A] });
      return { id, outs: later(outs) };
    }

    it("counts as added by the resource, so that a destroy removes it", async () => {
      const { id, outs } = await unclear();
      await deleteResource(context, id, outs);
      expect(emulator.controlPlanes.has(id)).to.equal(false);
    });

    it("counts as added by the resource after a refresh, too", async () => {
      const { id, outs } = await unclear();
      const read = await readResource(context, id, outs);
      if (!("props" in read)) throw new Error("the group is gone");
      expect(read.props).to.deep.include({ members: [A] });
      expect(read.props).not.to.have.any.keys("__foreignMembers", "__attemptedMembers");
    });

    it("is settled by the next up, which adds it or finds it", async () => {
      const { id, outs } = await unclear();
      expect(await diffResource(context, id, outs, group([A]))).to.deep.equal({ changes: true });
      const { outs: next } = await updateResource(context, id, outs, group([A]));
      expect(next)
        .to.deep.include({ members: [A] })
        .and.not.to.have.property("__attemptedMembers");
    });

    it("is removed by the next up when the program gives it no longer", async () => {
      const { id, outs } = await unclear();
      expect(await diffResource(context, id, outs, group([]))).to.deep.equal({ changes: true });
      await updateResource(context, id, outs, group([]));
      expect(emulator.membersOf(id)).to.deep.equal([]);
    });
  });

  describe("when a request about members fails, the headline says what was done before it", () => {
    it("the control plane was changed", async () => {
      const { id, outs } = await createResource(context, group([A]));
      const { unfinished } = await updateResource(
        context,
        id,
        outs,
        group([A, idOf(99)], { description: "d" }),
      );
      expect(unfinished?.message.split("\n")[0]).to.equal(
        `400 Bad Request: control plane "all" (${id}) was changed, but its members were not`,
      );
    });

    it("the control plane was created, and its members could not be read", async () => {
      emulator.script(LIST, { status: 400 });
      const { id, unfinished } = await createResource(context, group([A]));
      expect(unfinished?.message.split("\n")[0]).to.equal(
        `400 Bad Request: control plane "all" (${id}) was created, but its members were not added`,
      );
    });
  });

  it("asks for pulumi up first when an interrupted up may have added it", async () => {
    const { id, outs } = await createResource(context, group([A]));
    emulator.change(id, { members: [A, B] });
    const state = later(outs);
    const error = await errorOf(() => deleteResource(context, id, state));
    expect(error.message).to.contain(
      "next      if the program lists these members, run pulumi up; otherwise remove them from the group, or set detachMembers: true and run pulumi up; then run again",
    );
  });

  it("is read before a DELETE whatever the service calls the type of the group", async () => {
    const { id, outs } = await createResource(context, group([A]));
    emulator.change(id, { members: [A, B] });
    const asked = { ...outs, clusterType: "CLUSTER_TYPE_NEW" };
    for (const state of [{ ...asked, members: undefined, __asked: { clusterType: GROUP } }, asked]) {
      const recorded = later(state);
      const error = await errorOf(() => deleteResource(context, id, recorded));
      expect(error.message).to.match(/^\d members? added elsewhere: /);
    }
    expect(emulator.requests.filter(({ method }) => method === "DELETE")).to.deep.equal([]);
  });
});
