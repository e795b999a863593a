import { expect } from "chai";
import { entriesIn } from "../emulated-answers.js";
import { RunningEmulator } from "../running-emulator.js";
import { changeMembers, groupId, groupSeed, idOf, idsUpTo, seedsOf } from "./group-scene.js";

describe("the members of a group in the emulator", () => {
  const running = new RunningEmulator();
  const restart = (count: number, members: string[] = []) =>
    running.restart({ controlPlanes: [groupSeed(members), ...seedsOf(idsUpTo(count))] });
  const add = (ids: readonly string[]) => changeMembers(running, "add", ids);
  const remove = (ids: readonly string[]) => changeMembers(running, "remove", ids);
  const replace = (ids: readonly string[]) => changeMembers(running, "replace", ids);

  it("change by at most 50 at a time, and are at most 256", async () => {
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

  it("change by at most 50 in each direction in one replacement", async () => {
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
    expect((await replace(idsUpTo(50, 41))).status, "40 removed and 40 added").to.equal(204);
    expect((await replace(idsUpTo(50))).status).to.equal(204);
    expect(entriesIn(await replace(idsUpTo(101)))).to.deep.equal(expected);
    expect(running.emulator.membersOf(groupId)).to.have.length(50);
  });

  it("stay as they are when one control plane of a call may not join, and the answer says which and why", async () => {
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

  it("may have data planes that last pinged five minutes ago", async () => {
    const nodes = [{ hostname: "dp-1", lastPingSecondsAgo: 300 }];
    await running.restart({ controlPlanes: [groupSeed(), { id: idOf(1), name: "old", nodes }] });
    expect((await add([idOf(1)])).status).to.equal(204);
  });

  it("may belong to four other groups, but not to five", async () => {
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
});
