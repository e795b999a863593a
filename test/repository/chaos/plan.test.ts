import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.js";
import { FINAL, TEMPORARY } from "../../../tools/chaos/faults.js";
import { kindOf, type Plan, planFastRun, planRun, STRIKES } from "../../../tools/chaos/plan.js";
import { bystanderId, planeId } from "../../../tools/chaos/setting.js";

describe("the plan of a chaos run", () => {
  const plans = (seed: number): Plan[] => Array.from({ length: 50 }, (_, n) => planRun(seed, n + 1, 100));

  it("is the same for the same seed and run, so that one run can be repeated alone", () => {
    expect(planRun(7, 3, 100)).to.deep.equal(planRun(7, 3, 100));
  });

  it("differs from run to run and from seed to seed", () => {
    const texts = [...plans(1), ...plans(2)].map((plan) => JSON.stringify(plan));
    expect(new Set(texts).size).to.equal(texts.length);
  });

  it("has every kind of strike and of fault in fifty runs", () => {
    const all = plans(1);
    expect(new Set(all.flatMap(({ strikes }) => strikes.map(({ kind }) => kind)))).to.have.keys(STRIKES);
    const names = [...TEMPORARY, ...FINAL].map(({ name }) => name);
    expect(new Set(all.flatMap(({ faults }) => faults.map(({ name }) => name)))).to.have.keys(names);
  });

  it("strikes at least once in each run, and leaves most control planes without a fault", () => {
    for (const { strikes, faults } of plans(1)) {
      expect(strikes.length).to.be.within(1, 4);
      expect(new Set(faults.map(({ plane }) => plane)).size).to.be.below(60);
    }
  });

  it("has its control planes in one or two sets where it should, and is the same otherwise", () => {
    expect(new Set(plans(1).map(({ sets }) => sets))).to.have.keys([0]);
    const inSets = Array.from({ length: 50 }, (_, n) => planRun(1, n + 1, 100, true));
    expect(new Set(inSets.map(({ sets }) => sets))).to.have.keys([1, 2]);
    expect(inSets.map((plan) => ({ ...plan, sets: 0 }))).to.deep.equal(plans(1));
  });

  it("is about each kind in turn", () => {
    const kinds = [1, 2, 3, 4, 5, 6, 7, 8].map((run) => kindOf(run));
    expect(kinds.slice(0, 4)).to.deep.equal(["single", "creates", "sets", "pairs"]);
    expect(kinds.slice(4)).to.deep.equal(kinds.slice(0, 4));
  });

  it("kills everything once in each fast run, mostly between the requests, and changes what the stack holds", () => {
    const all = Array.from({ length: 60 }, (_, n) => planFastRun(1, n + 1, 300));
    expect(planFastRun(1, 7, 300)).to.deep.equal(all[6]);
    const moments = all.map(({ strikes }) => strikes[0]!.after);
    expect(new Set(moments.map((moment) => JSON.stringify(moment))).size).to.be.above(40);
    const requests = moments.flatMap((moment) => ("requests" in moment ? moment.requests : []));
    expect(requests.length).to.be.within(45, 59);
    expect([Math.min(...requests) < 60, Math.max(...requests) > 240]).to.deep.equal([true, true]);
    for (const { strikes, faults, events, skipCheckpoints } of all) {
      expect(strikes.map(({ kind }) => kind)).to.deep.equal(["SIGKILL of all"]);
      expect([faults, events, skipCheckpoints]).to.deep.equal([[], [], true]);
    }
    expect(all.slice(0, 3).map(({ created, sets }) => [created, sets > 0])).to.deep.equal([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  it("plans only faults that the emulator can do", async () => {
    const emulator = await startEmulator();
    for (const { fault } of plans(1).flatMap(({ faults }) => faults)) emulator.script({}, fault);
    await emulator.close();
  });

  it("tells control planes and bystanders apart by one character", () => {
    expect(planeId(12)).to.equal("9524ec7d-36d9-465d-a8c5-000000000012");
    expect(bystanderId(12)).to.equal("8524ec7d-36d9-465d-a8c5-000000000012");
  });
});
