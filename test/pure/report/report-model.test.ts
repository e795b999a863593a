import { expect } from "chai";
import type { ReportLine } from "../../../provider/report/line-model.js";
import { buildReport } from "../../../provider/report/report-model.js";
import { DENIED, idOf, lineAbout, lineText } from "./report-lines.js";

const file = (...lines: readonly string[]) => ({
  name: "report.jsonl",
  text: lines.map((l) => `${l}\n`).join(""),
});
const idsOf = (lines: readonly { readonly controlPlane: { readonly id: string } }[]) =>
  lines.map(({ controlPlane }) => controlPlane.id);

describe("a report", () => {
  it("tells what is left, kept and gone, with the number of each outcome", () => {
    const report = buildReport([
      file(
        lineAbout(1, 1, "deleted"),
        lineAbout(2, 2, "already-gone"),
        lineAbout(3, 3, "failed", DENIED),
        lineAbout(4, 4, "kept"),
        lineAbout(5, 5, "interrupted"),
        lineAbout(6, 6, "gone", { operation: "read" }),
        lineAbout(7, 7, "deleted"),
      ),
    ]);
    expect(idsOf(report.left)).to.deep.equal([3, 5].map(idOf));
    expect(idsOf(report.kept)).to.deep.equal([4].map(idOf));
    expect(idsOf(report.gone)).to.deep.equal([1, 2, 6, 7].map(idOf));
    expect(report.totals).to.deep.equal({
      deleted: 2,
      "already-gone": 1,
      gone: 1,
      kept: 1,
      interrupted: 1,
      failed: 1,
    });
    expect(report).to.include({ isComplete: false, runs: 1 });
    expect([report.startedAt, report.endedAt]).to.deep.equal([
      "2026-01-01T02:00:00.000Z",
      "2026-01-01T02:00:07.000Z",
    ]);
  });

  it("counts the last line about each control plane, whatever the order of the files", () => {
    const first = file(lineAbout(1, 1, "failed", DENIED), lineAbout(2, 2, "deleted"));
    const second = file(lineAbout(1, 9, "deleted", { runId: "run-2" }));
    for (const sources of [
      [first, second],
      [second, first],
    ]) {
      const report = buildReport(sources);
      expect(report).to.deep.include({ isComplete: true, left: [], runs: 2, totals: { deleted: 2 } });
    }
  });

  it("keeps the members that an earlier, failed operation removed from a group", () => {
    const [a, b] = [
      { id: idOf(8), name: "a" },
      { id: idOf(9), name: "b" },
    ];
    const report = buildReport([
      file(
        lineAbout(1, 1, "failed", { ...DENIED, membersRemoved: { count: 1, members: [a] } }),
        lineAbout(1, 2, "failed", DENIED),
        lineAbout(1, 3, "deleted", { membersRemoved: { count: 5, members: [b] } }),
      ),
    ]);
    expect(report.gone.map(({ membersRemoved }) => membersRemoved)).to.deep.equal([
      { count: 6, members: [a, b] },
    ]);
  });

  it("takes the later of two lines of the same time", () => {
    const { isComplete } = buildReport([file(lineAbout(1, 1, "failed", DENIED), lineAbout(1, 1, "deleted"))]);
    expect(isComplete).to.equal(true);
  });

  it("says that a control plane was deleted although a later run found it already gone", () => {
    const report = buildReport([
      file(lineAbout(1, 1, "already-gone"), lineAbout(2, 1, "deleted")),
      file(lineAbout(1, 2, "deleted"), lineAbout(2, 2, "already-gone"), lineAbout(2, 3, "already-gone")),
    ]);
    expect(report.totals).to.deep.equal({ deleted: 2 });
  });

  it("says that a control plane is left when it was adopted again after its deletion", () => {
    const report = buildReport([file(lineAbout(1, 1, "deleted"), lineAbout(1, 2, "adopted"))]);
    expect([report.isComplete, idsOf(report.left)]).to.deep.equal([false, [idOf(1)]]);
  });

  for (const outcome of [
    "adopted",
    "adopted-unread",
    "created",
    "updated",
    "unreadable",
    "interrupted",
    "failed",
  ] as const) {
    it(`is not complete while the last outcome of a control plane is ${outcome}`, () => {
      const report = buildReport([file(lineAbout(1, 1, "deleted"), lineAbout(2, 2, outcome))]);
      expect([report.isComplete, idsOf(report.left)]).to.deep.equal([false, [idOf(2)]]);
    });
  }

  for (const outcome of ["deleted", "already-gone", "gone", "kept"] as const) {
    it(`is complete when the last outcome of every control plane is ${outcome}`, () => {
      const report = buildReport([file(lineAbout(2, 1, "adopted"), lineAbout(2, 2, outcome))]);
      expect([report.isComplete, report.left]).to.deep.equal([true, []]);
    });
  }

  it("counts control planes that were not created by their names, because they have no ids", () => {
    const uncreated = (name: string) => ({ controlPlane: { id: "", name } });
    const report = buildReport([
      file(
        lineAbout(1, 1, "failed", uncreated("edge")),
        lineAbout(1, 2, "failed", uncreated("other")),
        lineAbout(1, 3, "failed", uncreated("edge")),
      ),
    ]);
    expect(report.left.map(({ controlPlane }) => controlPlane.name)).to.deep.equal(["edge", "other"]);
  });

  describe("about one id at several addresses", () => {
    const at = (address?: string, name = "plane-1") => ({
      controlPlane: { id: idOf(1), name, ...(address !== undefined && { address }) },
    });
    const [EU, US] = ["https://eu.api.konghq.com/v2", "https://us.api.konghq.com/v2"];
    const shown = (lines: readonly ReportLine[]) =>
      lines.map(({ controlPlane, outcome }) => [controlPlane.address, outcome]);

    it("counts two control planes, so that a success at one address hides no failure at another", () => {
      const report = buildReport([
        file(lineAbout(1, 1, "failed", { ...DENIED, ...at(EU) }), lineAbout(1, 2, "deleted", at(US))),
      ]);
      expect([report.isComplete, report.totals]).to.deep.equal([false, { deleted: 1, failed: 1 }]);
      expect([shown(report.left), shown(report.gone)]).to.deep.equal([[[EU, "failed"]], [[US, "deleted"]]]);
    });

    it("keeps them in order of their addresses", () => {
      const { gone } = buildReport([
        file(lineAbout(1, 1, "deleted", at(US)), lineAbout(1, 2, "gone", at(EU))),
      ]);
      expect(shown(gone)).to.deep.equal([
        [EU, "gone"],
        [US, "deleted"],
      ]);
    });

    it("lets no success hide a failure whose address is not known, whatever their order", () => {
      for (const [failure, success] of [
        [1, 2],
        [2, 1],
      ] as const) {
        const report = buildReport([
          file(lineAbout(1, failure, "failed", at()), lineAbout(1, success, "deleted", at(EU))),
        ]);
        expect([report.isComplete, report.totals]).to.deep.equal([false, { failed: 1 }]);
      }
    });

    it("lets no success whose address is not known hide a failure", () => {
      const report = buildReport([file(lineAbout(1, 1, "failed", at(EU)), lineAbout(1, 2, "deleted", at()))]);
      expect([report.isComplete, report.totals]).to.deep.equal([false, { failed: 1 }]);
    });

    it("counts one control plane when only one address is known, and shows the later of two failures", () => {
      const report = buildReport([
        file(lineAbout(1, 1, "interrupted", at(EU)), lineAbout(1, 2, "failed", { ...at(), ...DENIED })),
      ]);
      expect(report.totals).to.deep.equal({ failed: 1 });
      const other = buildReport([
        file(lineAbout(1, 1, "failed", at()), lineAbout(1, 2, "interrupted", { ...at(EU), ...DENIED })),
      ]);
      expect(other.totals).to.deep.equal({ interrupted: 1 });
    });

    it("counts one control plane that is gone, and says that it was deleted", () => {
      const lines = [lineAbout(1, 1, "deleted", at(EU)), lineAbout(1, 2, "already-gone", at())];
      expect(buildReport([file(...lines)]).totals).to.deep.equal({ deleted: 1 });
    });

    it("counts what has no address apart when several addresses are known", () => {
      const report = buildReport([
        file(
          lineAbout(1, 1, "deleted", at(EU)),
          lineAbout(1, 2, "deleted", at(US)),
          lineAbout(1, 3, "failed", at()),
        ),
      ]);
      expect([report.isComplete, report.totals]).to.deep.equal([false, { deleted: 2, failed: 1 }]);
    });

    it("lets a later line without an address replace an earlier one", () => {
      const report = buildReport([file(lineAbout(1, 1, "failed", at()), lineAbout(1, 2, "deleted", at()))]);
      expect([report.isComplete, report.totals]).to.deep.equal([true, { deleted: 1 }]);
    });

    it("takes an empty address for an unknown one", () => {
      const report = buildReport([
        file(lineAbout(1, 1, "failed", at(EU)), lineAbout(1, 2, "deleted", at(""))),
      ]);
      expect(report.totals).to.deep.equal({ failed: 1 });
    });

    it("counts one that was not created in the same way, by its name", () => {
      const uncreated = (address?: string) => ({ controlPlane: { ...at(address).controlPlane, id: "" } });
      const report = buildReport([
        file(
          lineAbout(1, 1, "failed", uncreated(EU)),
          lineAbout(1, 2, "failed", uncreated(US)),
          lineAbout(1, 3, "interrupted", uncreated(EU)),
        ),
      ]);
      expect(shown(report.left)).to.deep.equal([
        [EU, "interrupted"],
        [US, "failed"],
      ]);
    });
  });

  it("is complete and empty when the files are empty: there was nothing to do", () => {
    const report = buildReport([file(), { name: "other", text: "\n \n" }]);
    expect(report).to.deep.include({ isComplete: true, runs: 0, totals: {}, left: [], gone: [] });
    expect(report).not.to.have.any.keys("startedAt", "endedAt");
  });

  it("counts lines that stand in no file, without counting a process of the provider for them", () => {
    const unreported = [3, 4].map(
      (n) => JSON.parse(lineAbout(n, 9, n === 3 ? "failed" : "kept", { runId: "none" })) as ReportLine,
    );
    const report = buildReport([file(lineAbout(1, 1, "deleted"))], unreported);
    expect([idsOf(report.left), idsOf(report.kept), idsOf(report.gone)]).to.deep.equal(
      [[3], [4], [1]].map((numbers) => numbers.map(idOf)),
    );
    expect(report).to.deep.include({ isComplete: false, runs: 1, endedAt: "2026-01-01T02:00:09.000Z" });
    expect(report.files.map(({ lines }) => lines)).to.deep.equal([1]);
  });

  it("names a control plane as an earlier line did when the last line has no name", () => {
    const unnamed = { controlPlane: { id: idOf(1) } };
    const { left } = buildReport([file(lineAbout(1, 1, "adopted"), lineAbout(1, 2, "failed", unnamed))]);
    expect(left.map(({ controlPlane }) => controlPlane)).to.deep.equal([{ id: idOf(1), name: "plane-1" }]);
  });

  it("begins with the earliest start, whichever operation ended first", () => {
    const report = buildReport([
      file(
        lineAbout(1, 3, "deleted", { startedAt: "2026-01-01T02:00:02.000Z" }),
        lineAbout(2, 4, "deleted", { startedAt: "2026-01-01T01:59:00.000Z" }),
        lineAbout(3, 5, "deleted", { startedAt: "2026-01-01T02:00:04.000Z" }),
      ),
    ]);
    expect(report.startedAt).to.equal("2026-01-01T01:59:00.000Z");
  });

  it("names a control plane without a name by its id alone, and sorts it first", () => {
    const unnamed = lineAbout(2, 2, "deleted", { controlPlane: { id: idOf(2) } });
    const { gone } = buildReport([file(lineAbout(1, 1, "deleted"), unnamed)]);
    expect(gone[0]?.controlPlane).to.deep.equal({ id: idOf(2) });
  });

  it("sorts by name, then by id", () => {
    const named = (n: number, name: string) =>
      lineAbout(n, 1, "deleted", { controlPlane: { id: idOf(n), name } });
    const { gone } = buildReport([file(named(3, "b"), named(2, "a"), named(1, "b"))]);
    expect(idsOf(gone)).to.deep.equal([2, 1, 3].map(idOf));
  });

  it("names and counts the lines that are not in it, and reports the rest", () => {
    const text = [
      lineAbout(1, 1, "deleted"),
      lineAbout(2, 2, "deleted").slice(0, 100),
      "",
      "Updating (dev):",
      lineAbout(3, 3, "deleted"),
      "Resources:",
    ].join("\r\n");
    const report = buildReport([{ name: "night.jsonl", text: `\uFEFF${text}` }]);
    expect(report.files).to.deep.equal([
      {
        name: "night.jsonl",
        lines: 2,
        skipped: { torn: 1, foreign: 2, newer: 0 },
        firstSkipped: [
          { line: 2, reason: "torn" },
          { line: 4, reason: "foreign" },
          { line: 6, reason: "foreign" },
        ],
      },
    ]);
    expect(report.isComplete).to.equal(false);
  });

  it("is not complete when a line was cut off that may have told of the only failure", () => {
    const failed = lineAbout(2, 2, "failed", DENIED);
    const textOf = (end: number) => `${lineAbout(1, 1, "deleted")}\n${failed.slice(0, end)}`;
    for (let end = 1; end < failed.length; end += 1) {
      const { isComplete, left } = buildReport([{ name: "night.jsonl", text: textOf(end) }]);
      expect([isComplete, left], `cut after ${end} characters`).to.deep.equal([false, []]);
    }
    expect(buildReport([{ name: "night.jsonl", text: textOf(failed.length) }]).left).to.have.length(1);
  });

  it("is complete when another program wrote whole lines of its own into its file", () => {
    const report = buildReport([file(lineAbout(1, 1, "deleted"), "npm notice", '{"level":"info"}', "[]")]);
    expect(report).to.deep.include({ isComplete: true, totals: { deleted: 1 } });
  });

  it("names at most five of the lines that are not in it", () => {
    const [read] = buildReport([file(...Array.from({ length: 9 }, () => "x"))]).files;
    expect(read?.skipped.foreign).to.equal(9);
    expect(read?.firstSkipped.map(({ line }) => line)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it("names lines that may tell of a failure before lines of other programs", () => {
    const noise = Array.from({ length: 9 }, () => "x");
    const [read] = buildReport([file(...noise, "{", lineText({ schemaVersion: 2 }), ...noise)]).files;
    expect(read?.firstSkipped).to.deep.equal([
      { line: 1, reason: "foreign" },
      { line: 2, reason: "foreign" },
      { line: 3, reason: "foreign" },
      { line: 10, reason: "torn" },
      { line: 11, reason: "newer" },
    ]);
  });

  it("is not complete when a newer release wrote a line, which may tell of a failure", () => {
    const report = buildReport([file(lineAbout(1, 1, "deleted"), lineText({ schemaVersion: 2 }))]);
    expect(report).to.deep.include({ isComplete: false, left: [] });
    const second = buildReport([file(lineAbout(1, 1, "deleted")), file(lineText({ schemaVersion: 2 }))]);
    expect(second.isComplete, "in one of two files").to.equal(false);
  });
});
