import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.js";
import { DELETE_FAULTS, PATCH_FAULTS, POST_FAULTS } from "../../../tools/chaos/creates/creates-faults.js";
import { CHANGES, type CreatesPlan, planCreates, STAGES } from "../../../tools/chaos/creates/creates-plan.js";
import { groupsToMend, idsToAdopt } from "../../../tools/chaos/creates/mend.js";
import { STRIKES } from "../../../tools/chaos/plan.js";

describe("the plan of a chaos run that creates", () => {
  const plans = (seed: number): CreatesPlan[] =>
    Array.from({ length: 50 }, (_, n) => planCreates(seed, n + 1, 40, 20));

  it("is the same for the same seed and run, so that one run can be repeated alone", () => {
    expect(planCreates(7, 3, 40, 20)).to.deep.equal(planCreates(7, 3, 40, 20));
  });

  it("differs from run to run and from seed to seed", () => {
    const texts = [...plans(1), ...plans(2)].map((plan) => JSON.stringify(plan));
    expect(new Set(texts).size).to.equal(texts.length);
  });

  it("has every kind of strike, fault and change in fifty runs, and both that a person does", () => {
    const all = plans(1);
    const strikes = all.flatMap((plan) => STAGES.flatMap((stage) => plan.strikes[stage]));
    expect(new Set(strikes.map(({ kind }) => kind))).to.have.keys(STRIKES);
    for (const [method, { survived, costly }] of [
      ["POST", POST_FAULTS],
      ["PATCH", PATCH_FAULTS],
      ["DELETE", DELETE_FAULTS],
    ] as const) {
      const met = all.flatMap(({ faults }) => faults.filter((fault) => fault.method === method));
      const names = [...survived, ...costly].map(({ name }) => name);
      expect(new Set(met.map(({ name }) => name)), method).to.have.keys(names);
    }
    expect(new Set(all.flatMap(({ changes }) => changes.flat()))).to.have.keys(CHANGES);
    expect(new Set(all.flatMap(({ mends }) => mends))).to.have.keys(["adopt", "delete"]);
  });

  it("strikes creations and changes at least once in each run, and leaves most control planes without a fault", () => {
    for (const { strikes, faults } of plans(1)) {
      expect(strikes.create.length).to.be.within(1, 3);
      expect(strikes.change.length).to.be.within(1, 2);
      const created = faults.filter(({ method }) => method === "POST");
      expect(new Set(created.map(({ plane }) => plane)).size).to.be.below(30);
    }
  });

  it("plans only faults that the emulator can do", async () => {
    const emulator = await startEmulator();
    for (const { fault } of plans(1).flatMap(({ faults }) => faults)) emulator.script({}, fault);
    await emulator.close();
  });

  it("has groups with and without detachMembers, whose members change, and to most of which somebody else adds one", () => {
    const groups = plans(1).flatMap((plan) => [...plan.groups]);
    expect(groups).to.have.length(50 * 5);
    expect(new Set(groups.map(([plane]) => plane))).to.have.keys([36, 37, 38, 39, 40]);
    for (const [, { members, changedMembers }] of groups) {
      for (const member of [...members, ...changedMembers]) expect(member).to.be.within(1, 35);
    }
    const strangers = groups.filter(([, { stranger }]) => stranger !== undefined);
    expect(strangers.length).to.be.within(125, 200);
    for (const detachMembers of [true, false]) {
      expect(strangers.filter(([, group]) => group.detachMembers === detachMembers)).to.have.length.above(40);
    }
    const changed = groups.filter(
      ([, { members, changedMembers }]) => members.join() !== changedMembers.join(),
    );
    expect(changed.length).to.be.above(200);
  });
});

describe("a person in a chaos run", () => {
  it("reads in an error which control planes can be adopted, each once", () => {
    const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
    const output = `
      error: 409 Conflict: control plane "edge" was not created
        The name is taken by control plane "edge" (${id}), created 2026-01-01, without labels.
        adopt     controlPlaneId: "${id}" instead of name and what belongs to it
        adopt     controlPlaneId: "${id}" instead of name and what belongs to it`;
    expect(idsToAdopt(output)).to.deep.equal([id]);
    expect(idsToAdopt(`control plane "edge" (${id}) could not be read`)).to.deep.equal([]);
  });

  it("reads in an error which groups somebody else has added a member to, each once", () => {
    const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
    const output = `
      error: 1 member added elsewhere: control plane "plane-38-renamed" (${id}) was not deleted
      error: 1 member added elsewhere: control plane "plane-38-renamed" (${id}) was not deleted`;
    expect(groupsToMend(output)).to.deep.equal([id]);
    expect(groupsToMend(`409 Conflict: control plane "edge" (${id}) was not deleted`)).to.deep.equal([]);
  });
});
