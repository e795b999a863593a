import { expect } from "chai";
import type { Emulator, EmulatorOptions, Fault } from "../../../../emulator/index.js";
import { createResource, diffResource, updateResource } from "../../../../provider/hooks/resource.js";
import { readResource } from "../../../../provider/hooks/read.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import type { Properties } from "../../../../provider/state/recorded-fields.js";
import { errorOf, type FakeContext, UNKNOWN } from "../../../pure/hooks/fake-context.js";
import { contextOf, serveContext } from "../served-context.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";

/** The id of the nth control plane that can be a member. */
const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const ids = (...numbers: readonly number[]) => numbers.map(idOf);
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const [A = "", B = "", C = ""] = ids(1, 2, 3);

/** The hooks with the real client, over real sockets. Only the waits are skipped. */
describe("the members of a group that a resource creates", function () {
  this.timeout(20_000);
  let emulator: Emulator;
  let context: FakeContext;

  async function serve(count = 3, options: EmulatorOptions = {}): Promise<void> {
    const controlPlanes = range(count).map((n) => ({ id: idOf(n), name: `member-${n}` }));
    ({ emulator, context } = await serveContext({ ...options, controlPlanes }));
  }
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
  /** Creates a group long ago, and forgets the requests. The following hooks belong to another run. */
  async function created(members?: readonly string[], more: Properties = {}) {
    const { id, outs, unfinished } = await createResource(context, group(members, more));
    expect(unfinished).to.equal(undefined);
    emulator.reset();
    context = contextOf(emulator);
    return { id, outs: { ...outs, createdAt: "2025-06-01T10:00:00.000Z" } };
  }
  /** Refreshes a group that exists, in a run of its own. */
  async function refreshed(id: string, outs: Properties) {
    const read = await readResource(contextOf(emulator), id, outs);
    if (!("props" in read)) throw new Error("the group is gone");
    return read;
  }
  const update = (id: string, outs: Properties, inputs: Properties) =>
    updateResource(context, id, outs, inputs);
  const add = (groupId: string, ...members: readonly string[]) =>
    emulator.change(groupId, { members: [...emulator.membersOf(groupId), ...members] });
  /** What was sent about members, in short. */
  const sent = () =>
    emulator.requests
      .filter(({ path }) => path.includes("group-memberships"))
      .map(({ method, path, requestBody }) => {
        const { members = [] } = JSON.parse(requestBody ?? "{}") as { members?: readonly { id: string }[] };
        return method === "GET"
          ? "list"
          : `${path.split("/").at(-1)} ${members.map(({ id }) => Number(id.slice(-12))).join(" ")}`;
      });

  it("are added after the creation, and recorded", async () => {
    await serve();
    const { id, outs } = await createResource(context, group([A, B]));
    expect(emulator.membersOf(id)).to.deep.equal([A, B]);
    expect(outs).to.deep.include({ members: [A, B], __given: "clusterType,members" });
    expect(outs).not.to.have.property("__foreignMembers");
    expect(sent()).to.deep.equal(["list", "add 1 2"]);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["created"]);
    const [post] = emulator.requests;
    expect(JSON.parse(post?.requestBody ?? "")).not.to.have.property("members");
  });

  it("are never read and never changed when they were never given", async () => {
    await serve();
    const { id, outs } = await created();
    add(id, A);
    expect(outs).not.to.have.property("members");
    expect((await refreshed(id, outs)).props).not.to.have.property("members");
    const inputs = group(undefined, { description: "d" });
    await update(id, outs, inputs);
    expect(sent()).to.deep.equal([]);
    expect(emulator.membersOf(id)).to.deep.equal([A]);
  });

  it("are the same in another order", async () => {
    await serve();
    const { id, outs } = await created([A, B]);
    expect(await diffResource(context, id, outs, group([B, A]))).to.deep.equal({ changes: false });
    emulator.change(id, { members: [B, A] });
    expect((await refreshed(id, outs)).props).to.deep.equal({
      ...outs,
      createdAt: emulator.controlPlanes.get(id)?.created_at,
    });
    expect(await diffResource(context, id, outs, group([B, A]))).to.deep.equal({ changes: false });
    const { outs: next } = await update(id, outs, group([B, A], { description: "d" }));
    expect(next.members).to.deep.equal([A, B]);
    expect(sent()).to.deep.equal(["list"]);
  });

  it("may change as long as one of them is not known yet", async () => {
    await serve();
    const { id, outs } = await created([A]);
    expect(await diffResource(context, id, outs, group([A, UNKNOWN]))).to.deep.equal({});
  });

  it("change by difference, removals first", async () => {
    await serve();
    const { id, outs } = await created([A, B]);
    const inputs = group([B, C]);
    expect(await diffResource(context, id, outs, inputs)).to.deep.equal({ changes: true });
    const { outs: next } = await update(id, outs, inputs);
    expect(sent()).to.deep.equal(["list", "remove 1", "add 3"]);
    expect(emulator.membersOf(id)).to.have.members([B, C]);
    expect(next.members).to.deep.equal([B, C]);
    expect(emulator.requests.filter(({ method }) => method === "PATCH")).to.deep.equal([]);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["members detached", "updated"]);
  });

  it("are added only where they are missing, whoever has added or removed them since", async () => {
    await serve();
    const { id, outs } = await created([A, B]);
    emulator.change(id, { members: [B, C] });
    const { outs: next } = await update(id, outs, group([A, B, C]));
    expect(sent()).to.deep.equal(["list", "add 1"]);
    expect(emulator.membersOf(id)).to.have.members([A, B, C]);
    expect(next.members).to.deep.equal([A, B, C]);
  });

  it("are sent fifty at a time", async () => {
    await serve(110);
    const all = range(110).map(idOf);
    const { id, outs } = await createResource(context, group(all));
    const counts = () => sent().map((line) => line.split(" ").length - 1);
    expect(counts()).to.deep.equal([0, 50, 50, 10]);
    expect(emulator.membersOf(id)).to.have.length(110);
    emulator.reset();
    await update(id, outs, group([]));
    // Two pages, and then the removals.
    expect(counts()).to.deep.equal([0, 0, 50, 50, 10]);
    expect(emulator.membersOf(id)).to.deep.equal([]);
  });

  it("are exchanged in a group that is full", async () => {
    await serve(257);
    const { id, outs } = await created(range(256).map(idOf));
    await update(id, outs, group(range(257).slice(1).map(idOf)));
    expect(emulator.membersOf(id)).to.have.length(256).and.to.include(idOf(257));
  });

  it("are removed when they are given no longer, and leave the state", async () => {
    await serve();
    const { id, outs } = await created([A, B]);
    expect(await diffResource(context, id, outs, group())).to.deep.equal({ changes: true });
    const { outs: next } = await update(id, outs, group());
    expect(emulator.membersOf(id)).to.deep.equal([]);
    expect(next).not.to.have.property("members");
    expect(next.__given).to.equal("clusterType");
  });

  it("stay recorded when they are given no longer and could not be removed", async () => {
    await serve();
    const { id, outs } = await created([A]);
    emulator.script({ method: "POST" }, { status: 400 });
    const { outs: next, unfinished } = await update(id, outs, group());
    expect(unfinished).to.be.an("error");
    expect(next).to.deep.include({ members: [A], __given: "clusterType,members" });
    expect(await diffResource(context, id, next, group())).to.deep.equal({ changes: true });
    await update(id, next, group());
    expect(emulator.membersOf(id)).to.deep.equal([]);
  });

  it("are left alone when somebody else added them, until a refresh has shown them", async () => {
    await serve();
    const { id, outs } = await created([A]);
    add(id, C);
    const { outs: next } = await update(id, outs, group([B]));
    expect(emulator.membersOf(id)).to.have.members([B, C]);
    const read = await refreshed(id, next);
    expect(read.props).to.deep.include({ members: [C, B], __foreignMembers: [C] });
    expect(read).to.deep.include({ inputs: { name: "all", clusterType: GROUP, members: [C, B] } });
    expect(await diffResource(contextOf(emulator), id, read.props, group([B]))).to.deep.equal({
      changes: true,
    });
    const { outs: last } = await update(id, read.props, group([B]));
    expect(emulator.membersOf(id)).to.deep.equal([B]);
    expect(last).not.to.have.property("__foreignMembers");
  });

  it("are added again when somebody else removed them", async () => {
    await serve();
    const { id, outs } = await created([A, B]);
    emulator.change(id, { members: [B] });
    const read = await refreshed(id, outs);
    expect(read.props.members).to.deep.equal([B]);
    await update(id, read.props, group([A, B]));
    expect(emulator.membersOf(id)).to.have.members([A, B]);
  });

  it("keep what is recorded when the service forbids to read them", async () => {
    await serve();
    const { id, outs } = await created([A]);
    emulator.script({ operation: "get-control-planes-id-group-memberships" }, { status: 403 });
    const read = await readResource(context, id, outs);
    if (!("props" in read)) throw new Error("the group is gone");
    expect(read.props).to.deep.include({ members: [A] });
    expect(read.props.lastProblem).to.deep.include({ status: 403 });
    expect(context.events.map(({ type }) => type)).to.deep.equal(["unreadable"]);
  });

  describe("that are refused", () => {
    it("after the creation leave the id recorded, and the next up goes on", async () => {
      await serve(60);
      const wanted = [...range(60).map(idOf), idOf(99)];
      const { id, outs, unfinished } = await createResource(context, group(wanted));
      expect(unfinished?.message.split("\n")[0]).to.equal(
        `400 Bad Request: control plane "all" (${id}) was created, but its members were not added`,
      );
      expect(unfinished?.message).to.contain("The request adds 11 members to the group.");
      expect(unfinished?.message).to.contain("members[10].id");
      expect(outs.members).to.deep.equal(range(50).map(idOf));
      expect(context.events.at(-1)).to.include({ type: "failed", purpose: "create" });

      emulator.add({ id: idOf(99), name: "late" });
      emulator.reset();
      const { outs: next, unfinished: rest } = await update(id, outs, group(wanted));
      expect(rest).to.equal(undefined);
      expect(sent().map((line) => line.split(" ").length - 1)).to.deep.equal([0, 11]);
      expect(next.members).to.have.members(wanted);
      expect(emulator.membersOf(id)).to.have.members(wanted);
    });

    it("in a change keep what was done: the removals, but not the additions", async () => {
      await serve();
      const { id, outs } = await created([A, B]);
      const { outs: next, unfinished } = await update(id, outs, group([B, idOf(99)]));
      expect(unfinished).to.be.an("error");
      expect(next.members).to.deep.equal([B]);
      expect(emulator.membersOf(id)).to.deep.equal([B]);
    });
  });

  describe("when a connection is cut", () => {
    const faults: readonly Fault[] = [
      { reset: "before" },
      { reset: "after" },
      { reset: "body" },
      { status: 504, work: "now" },
      { status: 500, work: "now" },
      { status: 202, work: "now" },
    ];
    const paths = {
      list: "get-control-planes-id-group-memberships",
      add: "post-control-planes-id-group-memberships-add",
      remove: "post-control-planes-id-group-memberships-remove",
    } as const;
    for (const fault of faults) {
      const text = JSON.stringify(fault);
      it(`are added once to a new group: ${text}`, async () => {
        await serve();
        emulator.script({ operation: paths.add }, fault);
        const { id, outs, unfinished } = await createResource(context, group([A, B]));
        expect(unfinished).to.equal(undefined);
        expect(emulator.membersOf(id)).to.deep.equal([A, B]);
        expect(outs.members).to.deep.equal([A, B]);
      });

      it(`change once in an old group: ${text}`, async () => {
        await serve();
        const { id, outs } = await created([A, B]);
        emulator.script({ operation: paths.remove }, fault);
        emulator.script({ operation: paths.add }, fault);
        const { outs: next, unfinished } = await update(id, outs, group([B, C]));
        expect(unfinished).to.equal(undefined);
        expect(emulator.membersOf(id)).to.have.members([B, C]);
        expect(next.members).to.deep.equal([B, C]);
      });

      it(`are removed before the group is deleted: ${text}`, async () => {
        await serve();
        const { id, outs } = await created([A, B]);
        emulator.script({ operation: paths.remove }, fault);
        await deleteResource(context, id, outs);
        expect([...emulator.controlPlanes.keys()]).to.deep.equal([A, B, C]);
      });
    }

    it("are listed again", async () => {
      await serve();
      const { id, outs } = await created([A]);
      emulator.script({ operation: paths.list }, { reset: "body" });
      const { unfinished } = await update(id, outs, group([B]));
      expect(unfinished).to.equal(undefined);
      expect(emulator.membersOf(id)).to.deep.equal([B]);
    });

    it("are looked at when the service refuses what it has done already", async () => {
      await serve();
      emulator.script({ operation: paths.add }, { reset: "after" }, { status: 409 });
      const { id, unfinished } = await createResource(context, group([A]));
      expect(unfinished).to.equal(undefined);
      expect(emulator.membersOf(id)).to.deep.equal([A]);
      expect(sent()).to.deep.equal(["list", "add 1", "add 1", "list"]);
    });

    it("are not taken for added because a first attempt may have worked", async () => {
      await serve();
      emulator.script({ operation: paths.add }, { reset: "before" }, { status: 409 });
      const { id, outs, unfinished } = await createResource(context, group([A]));
      expect(unfinished?.message.split("\n")[0]).to.match(
        /^409 Conflict after 2 attempts: .* was created, but its members may or may not have been added$/,
      );
      expect(outs.members).to.deep.equal([]);
      await update(id, outs, group([A]));
      expect(emulator.membersOf(id)).to.deep.equal([A]);
    });
  });

  it("that this run has just created are added although they show late", async () => {
    await serve(0, { afterCreate: { status: 404, forAnswers: 3 } });
    const { id: member } = await createResource(context, { name: "edge" });
    const { id, unfinished } = await createResource(context, group([member]));
    expect(unfinished).to.equal(undefined);
    expect(emulator.membersOf(id)).to.deep.equal([member]);
  });

  it("that do not exist are not waited for, although this run has created another one", async () => {
    await serve(0);
    const { id: member } = await createResource(context, { name: "edge" });
    const { unfinished } = await createResource(context, group([member, idOf(99)]));
    expect(unfinished?.message).to.match(/^400 Bad Request: /);
    expect(sent()).to.have.length(2);
  });

  it("that do not exist are not waited for", async () => {
    await serve();
    const { id, outs } = await created([A]);
    await update(id, outs, group([A, idOf(99)]));
    expect(sent()).to.deep.equal(["list", "add 99"]);
  });

  describe("when the group is deleted", () => {
    it("are removed from it first, and a line names them", async () => {
      await serve();
      const { id, outs } = await created([A, B]);
      await deleteResource(context, id, outs);
      expect([...emulator.controlPlanes.keys()]).to.deep.equal([A, B, C]);
      expect(sent()).to.deep.equal(["list", "remove 1 2"]);
      expect(context.lines).to.deep.equal([
        `removed from control plane "all" (${id}) before its deletion: "member-1" (0b6f6c1e…), "member-2" (0b6f6c1e…)`,
      ]);
    });

    it("forbid that when somebody else added them, whether a refresh has shown them or not", async () => {
      await serve();
      const { id, outs } = await created([A]);
      add(id, C);
      const read = await refreshed(id, outs);
      for (const state of [outs, read.props]) {
        emulator.reset();
        const error = await errorOf(() => deleteResource(context, id, state));
        expect(error.message.split("\n").slice(0, 2)).to.deep.equal([
          `1 member added elsewhere: control plane "all" (${id}) was not deleted`,
          `  The group has members that this resource did not add: control plane "member-3" (${C}).`,
        ]);
        expect(error).to.include({ kind: "conflict" });
        expect(sent()).to.deep.equal(["list"]);
        expect(emulator.membersOf(id)).to.have.members([A, C]);
      }
    });

    it("are removed whoever added them, with detachMembers", async () => {
      await serve();
      const { id, outs } = await created([A], { detachMembers: true });
      expect(outs).to.include({ detachMembers: true });
      add(id, C);
      await deleteResource(context, id, outs);
      expect([...emulator.controlPlanes.keys()]).to.deep.equal([A, B, C]);
    });

    it("stay in it when a guard forbids the deletion", async () => {
      await serve();
      const { id, outs } = await created([A], { onlyIfLabels: { env: "preview" } });
      const error = await errorOf(() => deleteResource(context, id, outs));
      expect(error).to.include({ kind: "guarded" });
      expect(emulator.membersOf(id)).to.deep.equal([A]);
      expect(sent()).to.deep.equal([]);
    });

    it("keep it when nobody knows them", async () => {
      await serve();
      const { id, outs } = await created([A]);
      emulator.script({ operation: "get-control-planes-id-group-memberships" }, { status: 403 });
      const error = await errorOf(() => deleteResource(context, id, outs));
      expect(error.message).to.contain("it is unknown whether it has members that must stay");
      expect(emulator.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
    });

    it("do not matter any more when it is gone", async () => {
      await serve();
      const { id, outs } = await created([A]);
      emulator.remove(id);
      await deleteResource(context, id, outs);
      expect(context.events.at(-1)).to.deep.include({ type: "already gone" });
    });

    it("are not overridden by KONNECT_FORCE_DELETE", async () => {
      await serve();
      const { id, outs } = await created([A]);
      add(id, C);
      const settings = { ...context.settings, forceDelete: true };
      const error = await errorOf(() => deleteResource(Object.assign(context, { settings }), id, outs));
      expect(error).to.include({ kind: "conflict" });
    });
  });
});
