import { expect } from "chai";
import { diffSet } from "../../../../provider/hooks/set/adopt-set.js";
import { errorOf, EU, FakeContext, ID, OTHER_ID, UNKNOWN } from "../fake-context.js";

const recorded = { baseUrl: EU, controlPlanes: [{ id: ID }, { id: OTHER_ID }] };
const both = { controlPlaneIds: [ID, OTHER_ID], region: "eu" };
const idOf = (n: number) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;

describe("the diff of a set", () => {
  it("lets through an address and guards that are not known yet", () => {
    expect(diffSet(new FakeContext(), recorded, { ...both, region: UNKNOWN })).to.deep.equal({
      changes: false,
    });
    expect(diffSet(new FakeContext(), recorded, { ...both, onlyIfLabels: UNKNOWN })).to.deep.equal({});
  });

  it("does not claim a member that leaves the list, because another resource may hold it now", () => {
    const context = new FakeContext();
    context.memory.noteDeclared(ID);
    context.memory.claim({ id: ID, address: EU }, "create");
    const shorter = { ...both, controlPlaneIds: [OTHER_ID] };
    expect(diffSet(context, recorded, shorter)).to.deep.equal({ changes: true });
  });

  it("refuses a member that another resource of the program has adopted", async () => {
    const context = new FakeContext();
    context.memory.noteDeclared(ID);
    context.memory.claim({ id: ID, address: EU }, "create");
    expect((await errorOf(() => diffSet(context, recorded, both))).message).to.match(/^Adopted twice: /);
  });

  for (const [count, end] of [
    [20, `control plane ${idOf(19)}.`],
    [21, `control plane ${idOf(19)}, and 1 more.`],
    [23, `control plane ${idOf(19)}, and 3 more.`],
  ] as const) {
    it(`names twenty of ${count} control planes that another address would delete`, async () => {
      const controlPlanes = Array.from({ length: count }, (_, n) => ({ id: idOf(n) }));
      const error = await errorOf(() =>
        diffSet(new FakeContext(), { baseUrl: EU, controlPlanes }, { ...both, region: "us" }),
      );
      expect(error.message.split("\n")[1]).to.satisfy((line: string) => line.endsWith(end));
      expect(error).to.include({
        subject: "the set",
        summary: `refused, this change would delete ${count} control planes`,
      });
    });
  }
});
