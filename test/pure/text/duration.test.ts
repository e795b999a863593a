import { expect } from "chai";
import { describeDuration } from "../../../provider/text/message.js";

describe("describeDuration", () => {
  const cases = [
    [0, "0.0 s"],
    [149, "0.1 s"],
    [12_440, "12.4 s"],
    [59_949, "59.9 s"],
    [59_950, "1 min 0 s"],
    [252_000, "4 min 12 s"],
    [3_600_000, "60 min 0 s"],
  ] as const;
  for (const [ms, words] of cases) {
    it(`describes ${ms} ms as "${words}"`, () => expect(describeDuration(ms)).to.equal(words));
  }
});
