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
  const widest: readonly (readonly [texts: number, limits: LineLimits])[] = [
    [
      4,
      {
        textLength: 1_000,
        invalidParameters: 10,
        traceIds: 20,
        traceIdLength: 120,
        attempts: 20,
        findings: 5,
        members: 30,
      },
    ],
    [
      5,
      {
        textLength: 600,
        invalidParameters: 5,
        traceIds: 10,
        traceIdLength: 120,
        attempts: 20,
        findings: 3,
        members: 20,
      },
    ],
    [
      10,
      {
        textLength: 300,
        invalidParameters: 2,
        traceIds: 5,
        traceIdLength: 80,
        attempts: 10,
        findings: 2,
        members: 10,
      },
    ],
    [
      20,
      {
        textLength: 100,
        invalidParameters: 1,
        traceIds: 2,
        traceIdLength: 60,
        attempts: 5,
        findings: 1,
        members: 4,
      },
    ],
    [
      100,
      {
        textLength: 40,
        invalidParameters: 0,
        traceIds: 1,
        traceIdLength: 40,
        attempts: 0,
        findings: 0,
        members: 0,
      },
    ],
  ];
  for (const [texts, limits] of widest) {
    it(`allow ${limits.textLength} characters for each of ${texts} texts`, () => {
      expect(limitsFor(texts)).to.deep.equal(limits);
    });
  }

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
