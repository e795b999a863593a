import { expect } from "chai";
import { exponentOf, spreadOf } from "../../../tools/bench/page/statistics.js";

describe("the statistics of the benchmark", () => {
  it("takes the middle value as the median, and the mean of the two middle ones of an even number", () => {
    expect(spreadOf([30, 10, 20])).to.deep.equal({ median: 20, least: 10, greatest: 30 });
    expect(spreadOf([40, 100, 10, 20])).to.deep.equal({ median: 30, least: 10, greatest: 100 });
    expect(spreadOf([7])).to.deep.equal({ median: 7, least: 7, greatest: 7 });
    expect(() => spreadOf([])).to.throw(RangeError, "there are no values");
  });

  it("computes the exponent between the two largest sizes, in any order", () => {
    const square = [
      { controlPlanes: 1000, ms: 90_000 },
      { controlPlanes: 1, ms: 1_000 },
      { controlPlanes: 100, ms: 900 },
    ];
    expect(exponentOf(square)).to.be.closeTo(2, 1e-9);
    const linear = [
      { controlPlanes: 300, ms: 1_500 },
      { controlPlanes: 900, ms: 4_500 },
    ];
    expect(exponentOf(linear)).to.be.closeTo(1, 1e-9);
  });

  it("knows no exponent of a single size", () => {
    expect(exponentOf([{ controlPlanes: 10, ms: 1 }])).to.equal(undefined);
    expect(exponentOf([])).to.equal(undefined);
  });
});
