import { expect } from "chai";
import { planTurns } from "../../../tools/bench/run-rounds.js";

describe("the order of the benchmark", () => {
  it("lets all contenders take turns with one size, before the next size and the next round", () => {
    const turns = planTurns({ sizes: [1, 10], rounds: 2, contenders: ["fast", "set"] });
    expect(
      turns.map(({ round, controlPlanes, contender }) => `${round}: ${controlPlanes} ${contender}`),
    ).to.deep.equal([
      ...["1: 1 fast", "1: 1 set", "1: 10 fast", "1: 10 set"],
      ...["2: 1 fast", "2: 1 set", "2: 10 fast", "2: 10 set"],
    ]);
  });
});
