import { expect } from "chai";
import { type OwnerLabels, ownersWord } from "../../../provider/state/owner-labels.js";

const BOTH: OwnerLabels = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
const DAY_MS = Date.UTC(2026, 11, 24);

const say = (labels: Readonly<Record<string, string>>, names = BOTH, nowMs = DAY_MS) =>
  ownersWord(names, labels, nowMs).says;

describe("the word of the owner of a control plane", () => {
  for (const [labels, says] of [
    [{}, "nothing"],
    [{ env: "preview" }, "nothing"],
    [{ keep: "true" }, "keep"],
    [{ keep: "" }, "keep"],
    [{ keep: "no" }, "keep"],
    [{ KEEP: "yes" }, "keep"],
    [{ keep: "false" }, "nothing"],
    [{ keep: "False" }, "nothing"],
    [{ keep: "false", Keep: "true" }, "keep"],
    [{ keep: "false", "delete-after": "2026-12-25" }, "not yet"],
    [{ keep: "true", "delete-after": "2026-12-24" }, "keep"],
    [{ keep: "true", "delete-after": "soon" }, "keep"],
    [{ "delete-after": "2026-12-24" }, "due"],
    [{ "delete-after": "2026-12-25" }, "not yet"],
    [{ "Delete-After": "2026-12-25" }, "not yet"],
    [{ "Delete-After": "2026-12-24" }, "nothing"],
    [{ "delete-after": "2026-12-24", "Delete-After": "2027-01-01" }, "not yet"],
    [{ "delete-after": "2026-12-24", "Delete-After": "soon" }, "unreadable day"],
    [{ "delete-after": "" }, "unreadable day"],
    [{ "delete-after": "soon" }, "unreadable day"],
    [{ "delete-after": "2026-02-30" }, "unreadable day"],
    [{ "delete-after": "2026-2-3" }, "unreadable day"],
    [{ "delete-after": "24.12.2026" }, "unreadable day"],
    [{ "delete-after": " 2026-12-24" }, "unreadable day"],
    [{ "delete-after": "2026-12-24T00:00:00Z" }, "unreadable day"],
    [{ "delete-after": "0001-01-01" }, "unreadable day"],
  ] as const) {
    it(`is "${says}" with ${JSON.stringify(labels)}`, () => {
      expect(say(labels)).to.equal(says);
    });
  }

  it("lets the day begin at midnight UTC, and not a millisecond before", () => {
    const labels = { "delete-after": "2026-12-24" };
    expect(say(labels, BOTH, DAY_MS - 1)).to.equal("not yet");
    expect(say(labels, BOTH, DAY_MS)).to.equal("due");
  });

  it("is not heard in labels that are switched off, or that have another name", () => {
    const labels = { keep: "true", "delete-after": "2099-01-01" };
    expect(say(labels, {})).to.equal("nothing");
    expect(say(labels, { keepLabel: "stay", deleteAfterLabel: "until" })).to.equal("nothing");
    expect(say({ stay: "1" }, { keepLabel: "stay" })).to.equal("keep");
  });

  it("names the label as it is carried", () => {
    expect(ownersWord(BOTH, { Keep: "Please" }, DAY_MS)).to.deep.equal({
      says: "keep",
      label: { key: "Keep", value: "Please" },
    });
  });
});
