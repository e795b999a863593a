import { expect } from "chai";
import { fitLine, type LineLimits } from "../../../provider/report/line-limits.js";

/** Returns the limits of the line that fits when its size is a multiple of the length of its texts. */
function limitsFor(texts: number): LineLimits | undefined {
  let used: LineLimits | undefined;
  fitLine((limits) => {
    used = limits;
    return "x".repeat(limits.textLength * texts);
  });
  return used;
}

describe("the limits of a line of the report file", () => {
  it("allow fewer characters for each text, the more texts there are", () => {
    const lengths = [4, 5, 10, 20, 100].map((texts) => limitsFor(texts)?.textLength);
    expect(lengths).to.deep.equal([1_000, 600, 300, 100, 40]);
  });

  it("narrow or keep every part from one try to the next", () => {
    const tried: LineLimits[] = [];
    expect(() => fitLine((limits) => (tried.push(limits), "x".repeat(5_000)))).to.throw();
    for (const [index, limits] of tried.slice(1).entries()) {
      for (const [part, limit] of Object.entries(limits)) {
        expect(limit, part).to.be.at.most(tried[index]?.[part as keyof LineLimits] ?? 0);
      }
    }
    expect(tried.at(-1), "the last one lists nothing").to.include({ attempts: 0, findings: 0, members: 0 });
  });

  it("leave one of the 4,096 bytes for the line break", () => {
    const fitting = (length: number) =>
      fitLine(({ textLength }) => (textLength === 1_000 ? "é".repeat(length / 2) : "shorter"));
    expect(fitting(4_094)).to.have.length(2_047);
    expect(fitting(4_096)).to.equal("shorter");
  });

  it("refuse a line that is too long even when its texts are cut", () => {
    expect(() => fitLine(() => "x".repeat(4_096))).to.throw("a line of the report file does not fit");
  });
});
