import { expect } from "chai";
import { parseGuards } from "../../../../provider/hooks/arguments/argument-parts.js";
import { UNKNOWN } from "../fake-context.js";

describe("the guards among the arguments", () => {
  it("are none when none is given", () => {
    expect(parseGuards({})).to.deep.equal({ guards: {}, invalid: [] });
    expect(parseGuards({ onlyIfLabels: undefined, deletionPolicy: undefined })).to.deep.equal({
      guards: {},
      invalid: [],
    });
  });

  for (const deletionPolicy of ["always", "no-connected-nodes", "empty"]) {
    it(`are labels and the policy ${deletionPolicy}`, () => {
      const guards = { onlyIfLabels: { env: "preview", team: "" }, deletionPolicy };
      expect(parseGuards(guards)).to.deep.equal({ guards, invalid: [] });
    });
  }

  for (const open of [
    { deletionPolicy: UNKNOWN },
    { onlyIfLabels: UNKNOWN },
    { onlyIfLabels: { env: "preview", team: UNKNOWN } },
    { onlyIfLabels: { env: UNKNOWN }, deletionPolicy: "empty" },
  ]) {
    it(`are not known yet, and no error, in a preview: ${JSON.stringify(open)}`, () => {
      expect(parseGuards(open)).to.deep.equal({ guards: undefined, invalid: [] });
    });
  }

  for (const onlyIfLabels of [null, {}, [], ["env"], "env=preview", 7, { env: 7 }, { env: null }]) {
    it(`refuse onlyIfLabels that is ${JSON.stringify(onlyIfLabels)}`, () => {
      expect(parseGuards({ onlyIfLabels })).to.deep.equal({
        guards: undefined,
        invalid: [
          {
            field: "onlyIfLabels",
            reason: 'must name labels and their values, for example { env: "preview" }',
            rule: "invalid",
          },
        ],
      });
    });
  }

  it("are the names of the labels of an owner, and refuse what is no name, or the same one", () => {
    const names = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
    expect(parseGuards(names)).to.deep.equal({ guards: names, invalid: [] });
    expect(parseGuards({ ...names, keepLabel: UNKNOWN })).to.deep.equal({ guards: undefined, invalid: [] });
    for (const wrong of [{ keepLabel: "" }, { deleteAfterLabel: true }, { keepLabel: "a b" }]) {
      expect(parseGuards(wrong).invalid.map(({ field }) => field)).to.deep.equal(Object.keys(wrong));
    }
    expect(parseGuards({ keepLabel: "a", deleteAfterLabel: "A" }).invalid).to.have.length(1);
  });

  for (const deletionPolicy of [null, "", "never", "Empty", 1, ["empty"], {}]) {
    it(`refuse deletionPolicy that is ${JSON.stringify(deletionPolicy)}, and list what is allowed`, () => {
      expect(parseGuards({ deletionPolicy })).to.deep.equal({
        guards: undefined,
        invalid: [
          {
            field: "deletionPolicy",
            reason: "is not a known policy",
            rule: "enum",
            choices: ["always", "no-connected-nodes", "empty"],
          },
        ],
      });
    });
  }

  it("are all refused at a time", () => {
    const { invalid } = parseGuards({ onlyIfLabels: {}, deletionPolicy: "never" });
    expect(invalid.map(({ field }) => field)).to.deep.equal(["onlyIfLabels", "deletionPolicy"]);
  });
});
