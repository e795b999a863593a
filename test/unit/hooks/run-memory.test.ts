import { expect } from "chai";
import { RunMemory } from "../../../provider/hooks/run-memory.js";
import { ID, OTHER_ID } from "./fake-context.js";

describe("the memory of a run", () => {
  const orders = [
    ["create", "create", false],
    ["create", "diff", false],
    ["diff", "create", false],
    ["diff", "diff", true],
  ] as const;
  for (const [first, second, may] of orders) {
    it(`${may ? "lets" : "does not let"} a ${second} hold what a ${first} holds`, () => {
      const memory = new RunMemory();
      expect(memory.claim(ID, first)).to.equal(true);
      expect(memory.claim(ID, second)).to.equal(may);
      expect(memory.isHeld(ID)).to.equal(true);
      expect(memory.claim(OTHER_ID, second), "another one").to.equal(true);
    });
  }

  it("lets go of a claim that came to nothing", () => {
    const memory = new RunMemory();
    memory.claim(ID, "create");
    memory.release(ID);
    expect(memory.isHeld(ID)).to.equal(false);
    expect(memory.claim(ID, "diff")).to.equal(true);
  });

  it("holds nothing that is only declared", () => {
    const memory = new RunMemory();
    memory.declare(ID);
    expect([memory.isDeclared(ID), memory.isHeld(ID), memory.isDeclared(OTHER_ID)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
