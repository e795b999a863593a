import { expect } from "chai";
import fc from "fast-check";
import { storableName } from "../../../provider/text/safe-text.js";
import { toStoredProblem } from "../../../provider/state/recorded-fields.js";
import { anyText, dangerIn } from "../../dangerous-text.js";
import { anyProblem, foreignText } from "../hooks/any-problem.js";
import { failure } from "../hooks/fake-context.js";

const RUNS = 200;

describe(`what the state stores of any text (${RUNS} runs each)`, () => {
  it("is a problem of at most 1,000 bytes that is safe and without a secret", () => {
    fc.assert(
      fc.property(anyProblem, foreignText, (problem, title) => {
        const stored = toStoredProblem(failure("forbidden", 403, title, problem));
        expect(Buffer.byteLength(JSON.stringify(stored))).to.be.at.most(1_000);
        for (const value of Object.values(stored)) {
          expect(dangerIn(String(value)), String(value)).to.equal(undefined);
          expect(String(value)).not.to.contain("hunter2");
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("is a name of at most 256 characters that is safe, and the same when it is stored again", () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        const stored = storableName(name);
        expect(dangerIn(stored), stored).to.equal(undefined);
        expect(stored.length).to.be.at.most(256);
        expect(storableName(stored)).to.equal(stored);
      }),
      { numRuns: RUNS },
    );
  });

  it("is a name as it was sent when it is short and holds no command", () => {
    fc.assert(
      fc.property(anyText(6), (name) => {
        fc.pre(name.length <= 256 && dangerIn(name) === undefined);
        expect(storableName(name)).to.equal(name);
      }),
      { numRuns: RUNS },
    );
  });
});
