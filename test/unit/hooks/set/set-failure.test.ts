import { expect } from "chai";
import { explainSet, type FailedMember } from "../../../../provider/hooks/set/set-failure.js";
import { EU, failure, ID, OTHER_ID } from "../fake-context.js";

const THIRD_ID = "11111111-2222-4333-8444-555555555555";

function forbidden(id: string, name: string, detail: string): FailedMember {
  const error = failure("forbidden", 403, "Permission denied", { detail });
  return { controlPlane: { id, name, address: EU }, error };
}

/** Returns the first line of each block of the message: a cause, and whom it concerns. */
function causesOf(first: FailedMember, ...more: readonly FailedMember[]): readonly string[] {
  const { message } = explainSet(9, [first, ...more], "not deleted");
  return message.split("\n").filter((line) => /^ {2}\S/.test(line));
}

describe("the failure of a set", () => {
  it("has one block for a cause whose detail names each control plane by its id or its name", () => {
    expect(
      causesOf(
        forbidden(ID, "edge", `You may not delete edge [${ID}].`),
        forbidden(OTHER_ID, "pay", `You may not delete pay [${OTHER_ID.toUpperCase()}].`),
      ),
    ).to.deep.equal([
      `  403 Permission denied: control plane "edge" (${ID}), control plane "pay" (${OTHER_ID})`,
    ]);
  });

  it("has a block for each detail that differs in something else, the most frequent one first", () => {
    expect(
      causesOf(
        forbidden(ID, "edge", "The role is missing."),
        forbidden(OTHER_ID, "pay", "The plan has ended."),
        forbidden(THIRD_ID, "old", "The plan has ended."),
      ),
    ).to.deep.equal([
      `  403 Permission denied: control plane "pay" (${OTHER_ID}), control plane "old" (${THIRD_ID})`,
      `  403 Permission denied: control plane "edge" (${ID})`,
    ]);
  });
});
