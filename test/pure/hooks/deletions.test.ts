import { expect } from "chai";
import { Deletions } from "../../../provider/hooks/deletions.js";
import { errorOf, EU, ID, OTHER_ID, US } from "./fake-context.js";

const member = { id: ID, address: EU };
const group = { id: OTHER_ID, address: EU };
const SECOND_ID = "e3107b9c-48a6-4d5f-92c1-7fb6a05d8e24";

describe("the deletions of a run", () => {
  let deletions: Deletions;
  beforeEach(() => (deletions = new Deletions()));
  const progressAt = (nowMs: number, ...groupIds: readonly string[]) =>
    deletions.progressOf(member, groupIds, nowMs);

  it("let a member go once its group is deleted, and are waited for until then", async () => {
    await deletions.during(group, async () => {
      expect(progressAt(0, OTHER_ID)).to.equal("pending");
      expect(progressAt(3_600_000, OTHER_ID), "an hour later").to.equal("pending");
      await Promise.resolve();
    });
    expect(progressAt(0, OTHER_ID)).to.equal("free");
  });

  it("let a member go once it is removed from its group, also when the group stays", async () => {
    const error = await errorOf(() =>
      deletions.during(group, () => {
        deletions.noteDetached(group, [member]);
        expect(progressAt(0, OTHER_ID)).to.equal("free");
        return Promise.reject(new Error("the group stays"));
      }),
    );
    expect(error.message).to.equal("the group stays");
    expect(progressAt(0, OTHER_ID)).to.equal("free");
    expect(deletions.progressOf({ id: SECOND_ID, address: EU }, [OTHER_ID], 0), "another member").to.equal(
      "held",
    );
  });

  it("are waited for for three seconds from the first question when they have not begun", () => {
    expect(progressAt(1_000, OTHER_ID)).to.equal("pending");
    expect(progressAt(3_999, OTHER_ID)).to.equal("pending");
    expect(progressAt(4_000, OTHER_ID)).to.equal("not begun");
    expect(deletions.progressOf({ id: SECOND_ID, address: EU }, [OTHER_ID], 4_000)).to.equal("not begun");
  });

  it("are waited for again when they begin late, and when they begin again", async () => {
    progressAt(0, OTHER_ID);
    await errorOf(() =>
      deletions.during(group, () => {
        expect(progressAt(9_000, OTHER_ID)).to.equal("pending");
        return Promise.reject(new Error("refused"));
      }),
    );
    expect(progressAt(9_000, OTHER_ID)).to.equal("held");
    await deletions.during(group, () => Promise.resolve(expect(progressAt(0, OTHER_ID)).to.equal("pending")));
  });

  it("let a member go only when each of its groups does", async () => {
    await deletions.during(group, () => Promise.resolve());
    expect(progressAt(0, OTHER_ID, SECOND_ID)).to.equal("pending");
    expect(progressAt(3_000, OTHER_ID, SECOND_ID)).to.equal("not begun");
    await errorOf(() =>
      deletions.during({ id: SECOND_ID, address: EU }, () => Promise.reject(new Error("x"))),
    );
    expect(progressAt(3_000, SECOND_ID, OTHER_ID)).to.equal("held");
  });

  it("let a member go that no group holds any more because it was removed from one", () => {
    expect(progressAt(0)).to.equal("held");
    deletions.noteDetached(group, [member]);
    expect(progressAt(0)).to.equal("free");
  });

  it("are told apart by their address", async () => {
    await deletions.during({ ...group, address: US }, () => Promise.resolve());
    deletions.noteDetached({ ...group, address: US }, [member]);
    expect([progressAt(0, OTHER_ID), progressAt(0)]).to.deep.equal(["pending", "held"]);
  });
});
