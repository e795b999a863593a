import { expect } from "chai";
import { describeAge, parseAgeMs } from "../../../provider/lookups/age.js";

describe("an age", () => {
  const allowed: readonly (readonly [text: string, ms: number])[] = [
    ["1m", 60_000],
    ["90m", 5_400_000],
    ["36h", 129_600_000],
    ["7d", 604_800_000],
    ["2w", 1_209_600_000],
    ["99999w", 60_479_395_200_000],
  ];
  for (const [text, ms] of allowed) {
    it(`${text} is ${ms} milliseconds`, () => expect(parseAgeMs(text)).to.equal(ms));
  }

  for (const text of [
    "",
    "7",
    "d",
    "0d",
    "07d",
    "-7d",
    "+7d",
    "7.5d",
    "7 d",
    " 7d",
    "7D",
    "7days",
    "7s",
    "7y",
  ]) {
    it(`"${text}" is malformed`, () => expect(parseAgeMs(text)).to.equal(undefined));
  }
  for (const text of ["100000d", "1e3d", "7d\n", "٧d", "7constructor"]) {
    it(`${JSON.stringify(text)} is malformed`, () => expect(parseAgeMs(text)).to.equal(undefined));
  }

  it("is described in whole minutes, hours or days", () => {
    const minuteMs = 60_000;
    const ages = [-5, 0, 119.9, 120, 47.9 * 60, 48 * 60, 24 * 60 * 400].map((minutes) =>
      describeAge(minutes * minuteMs),
    );
    expect(ages).to.deep.equal([
      ...["0 min old", "0 min old", "119 min old", "2 h old", "47 h old", "2 d old", "400 d old"],
    ]);
  });
});
