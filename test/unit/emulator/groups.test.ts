import { expect } from "chai";
import { entriesIn, problemIn } from "./answers.js";
import { changeMembers, groupId, groupSeed, idOf, idsUpTo, readMembers, seedsOf } from "./group-scene.js";
import { RunningEmulator } from "./running-emulator.js";

const groupPath = `/control-planes/${groupId}`;

describe("a control plane group in the emulator", () => {
  const running = new RunningEmulator();
  const restart = (count: number, members: string[] = []) =>
    running.restart({ controlPlanes: [groupSeed(members), ...seedsOf(idsUpTo(count))] });
  const add = (ids: readonly string[]) => changeMembers(running, "add", ids);
  const remove = (ids: readonly string[]) => changeMembers(running, "remove", ids);
  const replace = (ids: readonly string[]) => changeMembers(running, "replace", ids);

  it("gets members, keeps those that it has, and loses members, each with 204 and no body", async () => {
    await restart(3);
    const answer = await add([idOf(1), idOf(2).toUpperCase()]);
    expect([answer.status, answer.text]).to.deep.equal([204, ""]);
    expect((await add([idOf(2), idOf(3)])).status).to.equal(204);
    expect((await readMembers(running)).ids).to.deep.equal([idOf(1), idOf(2), idOf(3)]);
    expect((await remove([idOf(1), idOf(3).toUpperCase()])).status).to.equal(204);
    expect((await readMembers(running)).ids).to.deep.equal([idOf(2)]);
    expect(running.emulator.membersOf(groupId.toUpperCase())).to.deep.equal([idOf(2)]);
  });

  it("is replaced as a whole by PUT, also by nothing", async () => {
    await restart(3, [idOf(1), idOf(2)]);
    expect((await replace([idOf(3), idOf(2)])).status).to.equal(204);
    expect((await readMembers(running)).ids).to.deep.equal([idOf(3), idOf(2)]);
    expect((await replace([])).status).to.equal(204);
    expect((await readMembers(running)).ids).to.deep.equal([]);
  });

  it("ignores the removal of what is not a member, even if it does not exist", async () => {
    await restart(2, [idOf(1)]);
    expect((await remove([idOf(2), idOf(9)])).status).to.equal(204);
    expect((await readMembers(running)).ids).to.deep.equal([idOf(1)]);
  });

  it("lists its members as whole control planes, in pages with a cursor", async () => {
    await restart(3, idsUpTo(3));
    const first = await readMembers(running, "?page[size]=2");
    expect(first.ids).to.deep.equal([idOf(1), idOf(2)]);
    expect(first.page.total).to.equal(3);
    expect(first.page.size).to.equal(2);
    const [, query] = first.page.next?.split(`${groupPath}/group-memberships`) ?? [];
    expect(query).to.match(/^\?page\[size\]=2&page\[after\]=[\w-]+$/);
    const second = await readMembers(running, query);
    expect(second).to.deep.equal({ page: { next: null, size: 2 }, ids: [idOf(3)] });
    const { text } = await running.send({ path: `${groupPath}/group-memberships` });
    const [member] = (JSON.parse(text) as { data: object[] }).data;
    expect(member).to.deep.equal(running.emulator.controlPlanes.get(idOf(1)));
  });

  it("shows ten members on a page unless the query asks for another number", async () => {
    await restart(11, idsUpTo(11));
    expect((await readMembers(running, "")).ids).to.have.length(10);
  });

  it("does not list members that the role may not read", async () => {
    await restart(2, idsUpTo(2));
    running.emulator.grant("spat_part", { name: "part", deny: { read: [idOf(1)] } });
    const path = `${groupPath}/group-memberships`;
    const { text } = await running.send({ path, token: "spat_part" });
    expect(text).to.not.contain(idOf(1));
    expect(text).to.contain('"total":1');
  });

  it("takes 50 members at a time and 256 in all", async () => {
    await restart(300);
    for (let first = 1; first <= 201; first += 50) {
      expect((await add(idsUpTo(50, first))).status).to.equal(204);
    }
    expect((await add(idsUpTo(6, 251))).status).to.equal(204);
    const answer = await add([idOf(257)]);
    expect(entriesIn(answer)).to.deep.equal([
      {
        field: "members",
        reason: "must leave the group with at most 256 members",
        rule: "max_items",
        maximum: 256,
        source: "body",
      },
    ]);
    expect(running.emulator.membersOf(groupId)).to.have.length(256);
    expect((await remove(idsUpTo(50))).status).to.equal(204);
    expect((await add([idOf(257)])).status).to.equal(204);
  });

  it("adds and removes at most 50 members in one replacement", async () => {
    await restart(120, idsUpTo(50));
    expect((await replace(idsUpTo(100))).status).to.equal(204);
    const expected = [
      {
        field: "members",
        reason: "must add or remove at most 50 members at a time",
        rule: "max_items",
        maximum: 50,
        source: "body",
      },
    ];
    expect(entriesIn(await replace(idsUpTo(49)))).to.deep.equal(expected);
    expect(entriesIn(await replace([]))).to.deep.equal(expected);
    expect((await replace(idsUpTo(50))).status).to.equal(204);
    expect(entriesIn(await replace(idsUpTo(101)))).to.deep.equal(expected);
    expect(running.emulator.membersOf(groupId)).to.have.length(50);
  });

  it("refuses all of a call in which one control plane may not join, and says which and why", async () => {
    await running.restart({
      controlPlanes: [
        groupSeed(),
        groupSeed([], idOf(90)),
        ...seedsOf([idOf(1), idOf(4)]),
        { id: idOf(2), name: "ingress", clusterType: "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER" },
        { id: idOf(3), name: "connected", nodes: [{ hostname: "dp-1", lastPingSecondsAgo: 299 }] },
      ],
    });
    const secret = { name: "part", deny: { read: [idOf(4)] } };
    running.emulator.grant("spat_sentinel0123456789", secret);
    const given = [idOf(1), groupId, idOf(90), idOf(2), idOf(3), idOf(4), idOf(5)];
    const cannot = (type: string) => [`a control plane of the type ${type} cannot be a member`, "invalid"];
    for (const call of ["add", "replace"] as const) {
      const answer = await changeMembers(running, call, given);
      expect(answer.status).to.equal(400);
      expect(entriesIn(answer).map(({ field, reason, rule }) => [field, reason, rule])).to.deep.equal([
        ["members[1].id", ...cannot("CLUSTER_TYPE_CONTROL_PLANE_GROUP")],
        ["members[2].id", ...cannot("CLUSTER_TYPE_CONTROL_PLANE_GROUP")],
        ["members[3].id", ...cannot("CLUSTER_TYPE_K8S_INGRESS_CONTROLLER")],
        ["members[4].id", `the control plane [${idOf(3)}] has connected data planes`, "invalid"],
        ["members[5].id", `the control plane [${idOf(4)}] does not exist`, "missing_reference"],
        ["members[6].id", `the control plane [${idOf(5)}] does not exist`, "missing_reference"],
      ]);
      expect(running.emulator.membersOf(groupId)).to.deep.equal([]);
    }
  });

  it("takes a control plane whose data planes last pinged five minutes ago", async () => {
    const nodes = [{ hostname: "dp-1", lastPingSecondsAgo: 300 }];
    await running.restart({ controlPlanes: [groupSeed(), { id: idOf(1), name: "old", nodes }] });
    expect((await add([idOf(1)])).status).to.equal(204);
  });

  it("shares a member with four other groups, but not with five", async () => {
    const groups = idsUpTo(5, 90).map((id) => groupSeed([idOf(1)], id));
    await running.restart({ controlPlanes: [groupSeed(), ...groups, ...seedsOf([idOf(1)])] });
    expect(entriesIn(await add([idOf(1)]))).to.deep.equal([
      {
        field: "members[0].id",
        reason: `the control plane [${idOf(1)}] already belongs to 5 groups`,
        rule: "max",
        maximum: 5,
        source: "body",
      },
    ]);
    running.emulator.change(idOf(90), { members: [] });
    expect((await add([idOf(1)])).status).to.equal(204);
    expect((await add([idOf(1)])).status, "as a member").to.equal(204);
  });

  it("is not deleted while it has members, and its members are not deleted before it", async () => {
    await restart(2, [idOf(1)]);
    const group = await running.delete({ path: groupPath });
    expect(group.status).to.equal(409);
    expect(problemIn(group).title).to.equal("Conflict");
    expect(problemIn(group).detail).to.equal(`The control plane group [${groupId}] still has members.`);
    const member = await running.delete({ path: `/control-planes/${idOf(1)}` });
    expect(member.status).to.equal(409);
    expect(problemIn(member).detail).to.equal(
      `The control plane [${idOf(1)}] is a member of a control plane group.`,
    );
    expect(running.emulator.controlPlanes.size).to.equal(3);
    await remove([idOf(1)]);
    expect((await running.delete({ path: `/control-planes/${idOf(1)}` })).status).to.equal(204);
    expect((await running.delete({ path: groupPath })).status).to.equal(204);
  });

  it("loses a member that is removed without a request", async () => {
    await restart(2, idsUpTo(2));
    running.emulator.remove(idOf(1));
    expect((await readMembers(running)).ids).to.deep.equal([idOf(2)]);
    running.emulator.remove(groupId);
    expect((await running.delete({ path: `/control-planes/${idOf(2)}` })).status).to.equal(204);
  });

  it("says whether a control plane is a member of any group", async () => {
    await restart(2, [idOf(1)]);
    const statusOf = async (id: string) =>
      (await running.send({ path: `/control-planes/${id}/group-member-status` })).text;
    expect(await statusOf(idOf(1))).to.equal('{"is_member":true}');
    expect(await statusOf(idOf(2))).to.equal('{"is_member":false}');
  });

  it("is in order, and has no conflicts", async () => {
    await restart(0);
    const { text } = await running.send({ path: `${groupPath}/group-status` });
    const { created_at, updated_at } = running.emulator.controlPlanes.get(groupId)!;
    expect(JSON.parse(text)).to.deep.equal({
      item: { id: groupId, created_at, updated_at, conflicts: [], state: "OK" },
    });
  });

  it("is the only kind of control plane that has members and a state", async () => {
    await restart(1);
    const ordinary = `/control-planes/${idOf(1)}`;
    const answers = await Promise.all([
      running.send({ path: `${ordinary}/group-memberships` }),
      running.send({ path: `${ordinary}/group-status` }),
      changeMembers(running, "add", [], ordinary),
      changeMembers(running, "remove", [], ordinary),
      changeMembers(running, "replace", [], ordinary),
    ]);
    for (const answer of answers) {
      expect(answer.status).to.equal(400);
      expect(entriesIn(answer)).to.deep.equal([
        { field: "id", reason: "must be the id of a control plane group", rule: "invalid" },
      ]);
    }
  });

  it("is not changed by a role that may not edit it", async () => {
    await restart(1);
    running.emulator.grant("spat_sentinel0123456789", { name: "part", deny: { edit: [groupId] } });
    const answers = await Promise.all([add([idOf(1)]), remove([]), replace([])]);
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 403]);
    expect(running.emulator.membersOf(groupId)).to.deep.equal([]);
  });

  it("cannot be seeded or changed with members that do not exist", () => {
    expect(() => running.emulator.add(groupSeed([idOf(9)]))).to.throw(
      RangeError,
      `No control plane has the id ${idOf(9)} of a member.`,
    );
    running.emulator.add(groupSeed());
    expect(() => running.emulator.change(groupId, { members: [idOf(9)] })).to.throw(RangeError);
    expect(running.emulator.controlPlanes.size).to.equal(2);
  });
});
