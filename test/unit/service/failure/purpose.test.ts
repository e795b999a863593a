import { expect } from "chai";
import { outcomeFor, type Purpose } from "../../../../provider/service/failure/purpose.js";

describe("what a failure means for the subject of a call", () => {
  for (const [purpose, missing, other, mayHaveWorked] of [
    ["delete", "was not deleted", "was not deleted", "may or may not have been deleted"],
    ["check", "was not deleted", "was not deleted", "may or may not have been deleted"],
    ["adopt", "was not adopted", "was not adopted", "was not adopted"],
    ["read", "could not be read", "could not be read", "could not be read"],
    ["list", "could not be listed", "could not be listed", "could not be listed"],
    ["look up", "was not found", "could not be read", "could not be read"],
  ] as const satisfies readonly (readonly [Purpose, ...string[]])[]) {
    it(`says that it ${other} (${purpose})`, () => {
      expect(outcomeFor(purpose, "missing", false)).to.equal(missing);
      expect(outcomeFor(purpose, "unavailable", false)).to.equal(other);
      expect(outcomeFor(purpose, "unavailable", true)).to.equal(mayHaveWorked);
    });

    it(`has the same words for many control planes (${purpose})`, () => {
      expect(outcomeFor(purpose, "unavailable", false, true)).to.equal(other.replace("was ", "were "));
    });
  }
});
