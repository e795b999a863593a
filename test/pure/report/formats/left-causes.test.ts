import { expect } from "chai";
import { causesOf } from "../../../../provider/report/formats/causes.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { DENIED, lineAbout } from "../report-lines.js";

const BUSY = { error: { kind: "unavailable", summary: "503 Busy", next: "run again" } };

describe("the causes of what is left", () => {
  it("come once for each answer and next step, the most frequent one first", () => {
    const denied = { ...DENIED, error: { ...DENIED.error, next: "ask the owner" } };
    const text = [
      lineAbout(1, 1, "failed", DENIED),
      lineAbout(2, 2, "failed", BUSY),
      lineAbout(3, 3, "failed", BUSY),
      lineAbout(4, 4, "failed", denied),
      lineAbout(5, 5, "interrupted", { error: { kind: "interrupted", summary: "interrupted" } }),
      lineAbout(6, 6, "adopted", { operation: "adopt", status: 200 }),
    ];
    const causes = causesOf(buildReport([{ name: "night", text: text.join("\n") }]).left);
    expect(
      causes.map(({ summary, next, lines }) => [summary, next, lines.map((line) => line.controlPlane.name)]),
    ).to.deep.equal([
      ["503 Busy", "run again", ["plane-2", "plane-3"]],
      ["403 Permission denied", "give it the Admin role, then run again", ["plane-1"]],
      ["403 Permission denied", "ask the owner", ["plane-4"]],
      ["interrupted", undefined, ["plane-5"]],
      ["only adopted", "no deletion was reported; run the destroy", ["plane-6"]],
    ]);
  });
});
