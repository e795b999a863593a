import { expect } from "chai";
import type { Emulator, SeedControlPlane } from "../../../../emulator/index.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import { deleteSet } from "../../../../provider/hooks/set/delete-set.js";
import { declareByOther, errorOf, type FakeContext, urnOf } from "../../../pure/hooks/fake-context.js";
import { serveContext } from "../served-context.js";

const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const GROUP_ID = idOf(9);
const member = (n: number): SeedControlPlane => ({ id: idOf(n), name: `member-${n}`, age: "7d" });
const group = (...numbers: readonly number[]): SeedControlPlane => ({
  id: GROUP_ID,
  name: "all",
  clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
  members: numbers.map(idOf),
  age: "7d",
});

/** The hooks with the real client, over real sockets. Only the waits are skipped. */
describe("a group that was not created here", function () {
  this.timeout(20_000);
  let emulator: Emulator;
  let context: FakeContext;

  async function serve(...controlPlanes: SeedControlPlane[]): Promise<void> {
    ({ emulator, context } = await serveContext({ controlPlanes }));
  }
  afterEach(async () => {
    expect(emulator.pendingFaults).to.equal(0);
    await emulator.close();
  });

  const set = (ids: readonly string[], more: object = {}) => ({
    baseUrl: emulator.baseUrl,
    controlPlanes: ids.map((id) => ({ id, name: emulator.controlPlanes.get(id)?.name })),
    ...more,
  });
  const adopted = (name: string, more: object = {}) => ({ baseUrl: emulator.baseUrl, name, ...more });
  const left = () => [...emulator.controlPlanes.keys()];
  const sent = () =>
    emulator.requests.map(({ method, path }) => `${method} ${path.split("?")[0]?.split("/").at(-1)}`);
  const conclusions = () =>
    context.events.map(({ type }) => type).filter((type) => ["deleted", "failed"].includes(type));

  for (const [order, ids] of [
    ["first", [GROUP_ID, idOf(1), idOf(2)]],
    ["last", [idOf(1), idOf(2), GROUP_ID]],
  ] as const) {
    it(`ends with its members in one run when a set holds all of them, the group ${order}`, async () => {
      await serve(member(1), member(2), member(3), group(1, 2));
      await deleteSet(context, set(ids));
      expect(left()).to.deep.equal([idOf(3)]);
      expect(conclusions()).to.deep.equal(["deleted", "deleted", "deleted"]);
    });
  }

  it("keeps its members and stays when a set holds only some of them, and names the others", async () => {
    await serve(member(1), member(2), group(1, 2));
    const error = await errorOf(() => deleteSet(context, set([GROUP_ID, idOf(1)])));
    expect(error.message.split("\n")[0]).to.equal("2 of 2 control planes were not deleted");
    expect(error.message).to.contain(
      `It is a group with 1 member in the way: control plane "member-2" (${idOf(2)}).`,
    );
    expect(error.message).to.contain(`detachMembers: true`);
    expect(emulator.membersOf(GROUP_ID)).to.deep.equal([idOf(1), idOf(2)]);
    expect(conclusions()).to.deep.equal(["failed", "failed"]);
    // Nothing has changed, so nothing is tried again.
    expect(emulator.requests.filter(({ method }) => method === "DELETE")).to.have.length(2);
  });

  it("is deleted by a set with detachMembers, and members outside of the set stay", async () => {
    await serve(member(1), member(2), group(1, 2));
    await deleteSet(context, set([idOf(1), GROUP_ID], { detachMembers: true }));
    expect(left()).to.deep.equal([idOf(2)]);
  });

  it("keeps its members in a set with a guard, which may keep one of them", async () => {
    const labels = { env: "preview" };
    await serve({ ...member(1), labels: { env: "prod" } }, { ...group(1), labels });
    Object.assign(context, { monotonicMs: () => performance.now() });
    for (const guards of [{ onlyIfLabels: labels }, { deletionPolicy: "no-connected-nodes" }]) {
      const error = await errorOf(() => deleteSet(context, set([idOf(1), GROUP_ID], guards)));
      expect(error.message).to.contain("It is a group with 1 member in the way");
      expect(emulator.membersOf(GROUP_ID)).to.deep.equal([idOf(1)]);
    }
  });

  it("ends with its members in a set with a guard and detachMembers", async () => {
    const labels = { env: "preview" };
    await serve({ ...member(1), labels }, { ...group(1), labels });
    const state = set([idOf(1), GROUP_ID], { onlyIfLabels: labels, detachMembers: true });
    await deleteSet(context, state);
    expect(left()).to.deep.equal([]);
  });

  it("has a cause of its own in the error of a set", async () => {
    const other = { ...group(2), id: idOf(8), name: "other" };
    await serve(member(1), member(2), group(1), other);
    const error = await errorOf(() => deleteSet(context, set([idOf(1), idOf(2)])));
    expect(error.message).to.contain(`It is a member of the group: control plane "all" (${GROUP_ID}).`);
    expect(error.message).to.contain(`It is a member of the group: control plane "other" (${idOf(8)}).`);
  });

  it("stays with its members when another resource of the program holds one of them, because the set has moved", async () => {
    await serve(member(1), group(1));
    declareByOther(context, { id: idOf(1), address: emulator.baseUrl }, "diff");
    await deleteSet(context, set([GROUP_ID, idOf(1)]));
    expect(emulator.membersOf(GROUP_ID)).to.deep.equal([idOf(1)]);
    expect(left()).to.deep.equal([idOf(1), GROUP_ID]);
    expect(sent()).to.deep.equal([]);
  });

  it("stays when a reference keeps one of its members from being deleted with the set", async () => {
    await serve(member(1), group(1));
    context.ledger.refer(urnOf("looked-up"), idOf(1));
    const error = await errorOf(() => deleteSet(context, set([GROUP_ID, idOf(1)])));
    expect(error.message)
      .to.contain("It is a group with 1 member in the way")
      .and.to.contain("Still referred to");
    expect(emulator.membersOf(GROUP_ID)).to.deep.equal([idOf(1)]);
  });

  it("stays when it was adopted, after one DELETE, and the error names its members", async () => {
    await serve(member(1), group(1));
    const error = await errorOf(() => deleteResource(context, GROUP_ID, adopted("all")));
    expect(error.message.split("\n")[0]).to.equal(
      `409 Conflict: control plane "all" (${GROUP_ID}) was not deleted`,
    );
    expect(error.message).to.contain(
      `It is a group with 1 member in the way: control plane "member-1" (${idOf(1)}).`,
    );
    expect(sent()).to.deep.equal([`DELETE ${GROUP_ID}`, "GET group-memberships"]);
  });

  it("is deleted when it was adopted with detachMembers", async () => {
    await serve(member(1), group(1));
    await deleteResource(context, GROUP_ID, adopted("all", { detachMembers: true }));
    expect(left()).to.deep.equal([idOf(1)]);
    expect(sent()).to.deep.equal([
      ...[`DELETE ${GROUP_ID}`, "GET group-memberships", "POST remove", `DELETE ${GROUP_ID}`],
    ]);
    expect(context.events.at(-1)).to.deep.include({ type: "deleted" });
  });

  it("stays when somebody adds members faster than they are removed", async () => {
    await serve(member(1), group(1));
    emulator.script({ method: "POST" }, { status: 204 });
    const error = await errorOf(() =>
      deleteResource(context, GROUP_ID, adopted("all", { detachMembers: true })),
    );
    expect(error.message).to.contain("It is a group with 1 member in the way");
    expect(emulator.requests.filter(({ method }) => method === "DELETE")).to.have.length(2);
  });

  it("is named when one of its members cannot be deleted", async () => {
    await serve(member(1), group(1));
    const error = await errorOf(() => deleteResource(context, idOf(1), adopted("member-1")));
    expect(error.message.split("\n")[0]).to.equal(
      `409 Conflict: control plane "member-1" (${idOf(1)}) was not deleted`,
    );
    expect(error.message).to.contain(`It is a member of the group: control plane "all" (${GROUP_ID}).`);
    expect(error.message).to.contain("take it out of the group, or delete the group first, then run again");
  });

  for (const [which, order] of [
    ["before its member", [GROUP_ID, idOf(1)]],
    ["after its member", [idOf(1), GROUP_ID]],
  ] as const) {
    it(`ends together with a member that is deleted at the same time, when its deletion begins ${which}`, async () => {
      await serve(member(1), group(1));
      const states = new Map([
        [GROUP_ID, adopted("all", { detachMembers: true })],
        [idOf(1), adopted("member-1")],
      ]);
      await Promise.all(order.map((id) => deleteResource(context, id, states.get(id) ?? {})));
      expect(left()).to.deep.equal([]);
      expect(conclusions()).to.deep.equal(["deleted", "deleted"]);
    });
  }

  it("keeps a member that is deleted at the same time when it stays itself", async () => {
    await serve(member(1), member(2), group(1, 2));
    const ends = await Promise.allSettled([
      deleteResource(context, idOf(1), adopted("member-1")),
      deleteResource(context, GROUP_ID, adopted("all")),
    ]);
    expect(ends.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    expect(left()).to.have.length(3);
  });

  it("is looked for once for all members of a set that cannot be deleted", async () => {
    await serve(member(1), member(2), member(3), group(1, 2, 3));
    const error = await errorOf(() => deleteSet(context, set([1, 2, 3].map(idOf))));
    expect(error.message).to.contain(`It is a member of the group: control plane "all" (${GROUP_ID}).`);
    expect(sent().filter((request) => request === "GET control-planes")).to.have.length(1);
  });

  it("is not named when the token may not see it, and the message says so", async () => {
    await serve(member(1), group(1));
    emulator.script({ operation: "list-control-planes" }, { status: 403 });
    const error = await errorOf(() => deleteResource(context, idOf(1), adopted("member-1")));
    expect(error.message).to.contain("Could not check whether a group holds it.");
    expect(error.message).to.contain("409 Conflict");
    expect(error.message).to.contain("remove what is in the way");
  });

  it("is not found when nothing holds a control plane that cannot be deleted", async () => {
    await serve(member(1), group());
    emulator.script({ method: "DELETE" }, { status: 409 });
    const error = await errorOf(() => deleteResource(context, idOf(1), adopted("member-1")));
    expect(error.message).to.contain("This token can see neither a member of it nor a group that holds it.");
  });
});
