import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.js";
import { FINAL, TEMPORARY } from "../../../tools/chaos/faults.js";
import {
  ENDS,
  GET_FAULTS,
  type PairsPlan,
  planPairs,
  STAGES,
} from "../../../tools/chaos/pairs/pairs-plan.js";
import { planesOf } from "../../../tools/chaos/pairs/pairs-world.js";
import { STRIKES } from "../../../tools/chaos/plan.js";
import { planeId } from "../../../tools/chaos/setting.js";

describe("the plan of a chaos run with pairs", () => {
  const plans = (seed: number): PairsPlan[] =>
    Array.from({ length: 50 }, (_, n) => planPairs(seed, n + 1, 25));

  it("is the same for the same seed and run, and differs from run to run and from seed to seed", () => {
    expect(planPairs(7, 3, 25)).to.deep.equal(planPairs(7, 3, 25));
    const texts = [...plans(1), ...plans(2)].map((plan) => JSON.stringify(plan));
    expect(new Set(texts).size).to.equal(texts.length);
  });

  it("has every kind of pair with every end in fifty runs, in one provider and in two", () => {
    const pairs = plans(1).flatMap((plan) => plan.pairs);
    const kinds = pairs.map(({ first, second, isRecordedTwice, end, isInSecondProvider, isSecondFirst }) =>
      [first, second, isRecordedTwice, end, isInSecondProvider, isSecondFirst].join(" "),
    );
    expect(new Set(kinds).size).to.equal(3 * 2 * 2 * ENDS.length * 2 * 2);
  });

  it("has every kind of strike and fault in fifty runs, and strikes every stage", () => {
    const all = plans(1);
    const strikes = all.flatMap((plan) => STAGES.flatMap((stage) => plan.strikes[stage]));
    expect(new Set(strikes.map(({ kind }) => kind))).to.have.keys(STRIKES);
    for (const stage of STAGES) expect(all.flatMap((plan) => plan.strikes[stage])).not.to.have.length(0);
    for (const [method, tables] of [
      ["GET", [...GET_FAULTS.survived, ...GET_FAULTS.costly]],
      ["DELETE", [...TEMPORARY, ...FINAL]],
    ] as const) {
      const met = all.flatMap(({ faults }) => faults.filter((fault) => fault.method === method));
      expect(new Set(met.map(({ name }) => name)), method).to.have.keys(tables.map(({ name }) => name));
    }
  });

  it("plans only faults that the emulator can do", async () => {
    const emulator = await startEmulator();
    for (const { fault } of plans(1).flatMap(({ faults }) => faults)) emulator.script({}, fault);
    await emulator.close();
  });

  it("gives each pair control planes of its own", () => {
    expect(planesOf(1)).to.deep.equal([planeId(1), planeId(2), planeId(3)]);
    expect(planesOf(2)).to.deep.equal([planeId(4), planeId(5), planeId(6)]);
  });
});
