import { expect } from "chai";
import { parseRateLimit } from "../../../../provider/service/retry/rate-limit.js";

describe("rate-limit headers", () => {
  for (const [remaining, reset, ms] of [
    ["0", "48", 48_000],
    ["0", "0", 0],
    ["00", "1", 1_000],
    ["1", "48", undefined],
    ["10", "48", undefined],
    ["", "48", undefined],
    ["-1", "48", undefined],
    ["0.0", "48", undefined],
    ["0", "", undefined],
    ["0", "-3", undefined],
    ["0", "1.5", undefined],
    ["0", "soon", undefined],
    ["0", "Thu, 01 Jan 2026 00:00:20 GMT", undefined],
  ] as const) {
    it(`with ${JSON.stringify(remaining)} left and a reset of ${JSON.stringify(reset)} ask for ${
      ms === undefined ? "nothing" : `${ms} ms`
    }`, () => {
      expect(parseRateLimit({ remaining, reset })).to.equal(ms);
    });
  }

  it("that are not there ask for nothing", () => {
    expect(parseRateLimit(undefined)).to.equal(undefined);
  });
});
