import { expect } from "chai";
import { checkSet, diffSet } from "../../../../provider/hooks/set/adopt-set.js";
import {
  declareByOther,
  errorOf,
  EU,
  FakeContext,
  ID,
  OTHER_ID,
  ref,
  UNKNOWN,
  urnOf,
} from "../fake-context.js";

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

  it("does not hold a member that leaves the list, because another resource may hold it now", () => {
    const context = new FakeContext();
    const other = declareByOther(context, ref, "create");
    const shorter = { ...both, controlPlaneIds: [OTHER_ID] };
    expect(checkSet(context, shorter).failures).to.deep.equal([]);
    expect(diffSet(context, recorded, shorter)).to.deep.equal({ changes: true });
    expect(context.ledger.fateOf(urnOf("third"), ref)).to.deep.equal({ outcome: "kept", by: other });
  });

  it("refuses a member that another resource of the program has adopted", async () => {
    const context = new FakeContext();
    declareByOther(context, ref, "create");
    expect((await errorOf(() => diffSet(context, recorded, both))).message.split("\n")[0]).to.equal(
      `Declared twice: control plane ${ID} is declared by resource "edge" and by resource "other"`,
    );
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
