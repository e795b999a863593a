import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.js";
import { DELETE_FAULTS, PATCH_FAULTS, POST_FAULTS } from "../../../tools/chaos/creates/creates-faults.js";
import {
  CHANGES,
  type CreatesPlan,
  isCreating,
  planCreates,
  STAGES,
} from "../../../tools/chaos/creates/creates-plan.js";
import { idsToAdopt } from "../../../tools/chaos/creates/mend.js";
import { STRIKES } from "../../../tools/chaos/plan.js";

describe("the plan of a chaos run that creates", () => {
  const plans = (seed: number): CreatesPlan[] =>
    Array.from({ length: 50 }, (_, n) => planCreates(seed, n + 1, 40));

  it("is the same for the same seed and run, so that one run can be repeated alone", () => {
    expect(planCreates(7, 3, 40)).to.deep.equal(planCreates(7, 3, 40));
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

  it("is made for every third run, beside those with sets, or for every run", () => {
    const runs = [1, 2, 3, 4, 5, 6];
    const which = (options: { sets?: boolean; fast?: boolean; creates?: boolean }) =>
      runs.filter((run) => isCreating(run, { sets: false, fast: false, creates: false, ...options }));
    expect(which({})).to.deep.equal([2, 5]);
    expect(which({ sets: true })).to.deep.equal([]);
    expect(which({ fast: true })).to.deep.equal([]);
    expect(which({ creates: true })).to.deep.equal(runs);
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
});
