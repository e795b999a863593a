import { expect } from "chai";
import { entriesIn, problemIn } from "../emulated-answers.js";
import { changeMembers, groupId, groupSeed, idOf, idsUpTo, readMembers, seedsOf } from "./group-scene.js";
import { RunningEmulator } from "../running-emulator.js";

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
