import { expect } from "chai";
import { REPORT_FORMATS } from "../../../provider/report/formats/report-formats.js";
import { buildReport } from "../../../provider/report/report-model.js";
import { renderSelectionLine, type SelectionLine } from "../../../provider/report/selection-line.js";
import { DANGEROUS_PIECES, dangerIn } from "../../dangerous-text.js";
import { flawsOfReport } from "./report-schemas.js";

const LINE: SelectionLine = {
  selectionVersion: 1,
  time: "2026-01-01T02:00:00.000Z",
  project: "konnect-teardown",
  stack: "nightly",
  address: "https://eu.api.konghq.com/v2",
  filters: ["labels env=preview", "olderThan 7d"],
  matched: 12,
  selected: 0,
  kept: { exclude: 1, keep: 2, unreadableDay: 1, deleteAfter: 3, age: 5 },
  why: "nothing today",
  said: ["nothing today: 12 control planes match"],
};

const lineText = (change: Readonly<Record<string, unknown>> = {}) => JSON.stringify({ ...LINE, ...change });
const reportOf = (...lines: readonly string[]) =>
  buildReport([{ name: "night.jsonl", text: lines.join("\n") }]);

describe("the line about a selection", () => {
  it("is in the report and in its JSON as it was written, and leaves the report complete", () => {
    const report = reportOf(renderSelectionLine(LINE));
    expect(report.selections).to.deep.equal([LINE]);
    expect(report).to.deep.include({ isComplete: true, totals: {}, runs: 0 });
    expect(report.files[0]).to.deep.include({ lines: 1, firstSkipped: [] });
    const json = REPORT_FORMATS.json(report);
    expect(JSON.parse(json)).to.have.deep.property("selections", [LINE]);
    expect(flawsOfReport(json)).to.deep.equal([]);
  });

  it("is in the order of time, whichever file holds it", () => {
    const later = "2026-01-02T02:00:00.000Z";
    const report = reportOf(lineText({ time: later }), lineText());
    expect(report.selections?.map(({ time }) => time)).to.deep.equal([LINE.time, later]);
    expect(reportOf()).not.to.have.property("selections");
  });

  for (const [what, text, reason] of [
    ["has another reason", lineText({ why: "bored" }), "torn"],
    ["lacks a count", lineText({ kept: { ...LINE.kept, age: undefined } }), "torn"],
    ["has a negative count", lineText({ matched: -1 }), "torn"],
    ["has no address", lineText({ address: undefined }), "torn"],
    ["has no time", lineText({ time: "tonight" }), "torn"],
    ["is cut off", lineText().slice(0, -40), "torn"],
    ["comes from a newer release", lineText({ selectionVersion: 2 }), "newer"],
  ] as const) {
    it(`makes the report incomplete when it ${what}`, () => {
      const report = reportOf(text);
      expect(report.isComplete).to.equal(false);
      expect(report.files[0]?.skipped).to.deep.equal({ torn: 0, foreign: 0, newer: 0, [reason]: 1 });
    });
  }

  it("stays within the length of a line, whatever its texts hold, and keeps its counts", () => {
    const long = "\u{1f600}".repeat(3_000);
    const line = {
      ...LINE,
      filters: Array.from({ length: 9 }, () => long),
      said: Array.from({ length: 99 }, () => long),
    };
    const text = renderSelectionLine(line);
    expect(Buffer.byteLength(text)).to.be.below(4_096);
    expect(reportOf(text).selections?.[0]).to.deep.include({
      matched: 12,
      kept: LINE.kept,
      why: "nothing today",
    });
  });

  it("is read without anything that a terminal or a pipeline obeys", () => {
    for (const piece of DANGEROUS_PIECES) {
      const report = reportOf(lineText({ filters: [piece], said: [piece], stack: piece, project: piece }));
      for (const text of [...(report.selections?.[0]?.filters ?? []), report.selections?.[0]?.stack ?? ""]) {
        expect(dangerIn(text)).to.equal(undefined);
      }
    }
  });
});
