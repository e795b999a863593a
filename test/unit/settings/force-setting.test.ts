import { expect } from "chai";
import { readForceDelete } from "../../../provider/settings/force-setting.js";
import { dangerIn } from "../../dangerous-text.js";
import { sourcesOf } from "./fake-sources.js";

const read = (value: string) => readForceDelete(sourcesOf({}, { KONNECT_FORCE_DELETE: value }));

describe("KONNECT_FORCE_DELETE", () => {
  it("overrides guards when it is 1", () => {
    expect(read("1")).to.deep.equal({ forceDelete: true, problems: [] });
  });

  it("may have white space around it, as a number among the settings may", () => {
    expect(read(" 1\n")).to.deep.equal({ forceDelete: true, problems: [] });
    expect(read("0 ")).to.deep.equal({ forceDelete: false, problems: [] });
  });

  for (const value of ["0", ""]) {
    it(`overrides nothing when it is ${JSON.stringify(value)}`, () => {
      expect(read(value)).to.deep.equal({ forceDelete: false, problems: [] });
    });
  }

  it("overrides nothing when it is not set, and does not come from stack configuration", () => {
    const config = { "konnect:forceDelete": "1", KONNECT_FORCE_DELETE: "1" };
    expect(readForceDelete(sourcesOf(config))).to.deep.equal({ forceDelete: false, problems: [] });
  });

  for (const value of ["true", "yes", "2", "01"]) {
    it(`is unusable, and overrides nothing, when it is ${JSON.stringify(value)}`, () => {
      expect(read(value)).to.deep.equal({
        forceDelete: false,
        problems: [
          {
            setting: "KONNECT_FORCE_DELETE",
            reason: `must be 1, to override all guards, or 0, not "${value}"`,
          },
        ],
      });
    });
  }

  it("is shown in safe and few words when it is unusable", () => {
    const [problem] = read(`\u001b[31m::error::<{%reset%}>${"x".repeat(1_000)}`).problems;
    expect(dangerIn(problem?.reason ?? "")).to.equal(undefined);
    expect(problem?.reason.length).to.be.below(300);
  });
});
