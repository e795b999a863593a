import { expect } from "chai";
import {
  describeSkipped,
  describeSpan,
  describeTotals,
  describeUnread,
  explanationOf,
  idOf as shownIdOf,
  nameOf,
  outcomeOf,
} from "../../../../provider/report/formats/describe-line.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import type { ReportLine } from "../../../../provider/report/line-model.js";
import { DENIED, idOf, lineAbout, lineText } from "../report-lines.js";

const reportOf = (...lines: readonly string[]) =>
  buildReport([{ name: "night.jsonl", text: lines.join("\n") }]);

/** Returns a line of a failed deletion, with changed members. */
const failed = (change: Readonly<Record<string, unknown>>) =>
  JSON.parse(lineAbout(1, 1, "failed", change)) as ReportLine;

describe("the words of a report", () => {
  const outcomes: readonly (readonly [ReportLine["outcome"], string])[] = [
    ["deleted", "deleted"],
    ["already-gone", "already gone"],
    ["gone", "gone"],
    ["kept", "kept"],
    ["adopted", "only adopted"],
    ["adopted-unread", "adopted unread"],
    ["unreadable", "unreadable"],
    ["interrupted", "interrupted"],
    ["failed", "failed"],
  ];
  for (const [outcome, words] of outcomes) {
    it(`call the outcome ${outcome} "${words}"`, () => {
      expect(outcomeOf({ outcome })).to.equal(words);
    });
  }

  it("leave out a name that is not known, and say that there is no id", () => {
    const line = failed({ controlPlane: { id: "" } });
    expect([nameOf(line), shownIdOf(line)]).to.deep.equal(["", "(no id)"]);
    expect(shownIdOf(failed({}))).to.equal(idOf(1));
  });

  it("list each invalid parameter after the detail, with or without its field", () => {
    const invalidParameters = [{ field: "labels.env", reason: "too long" }, { reason: "unknown" }];
    const problem = { status: 400, title: "Bad Request", detail: "Invalid Parameters", invalidParameters };
    expect(explanationOf(failed({ problem })).said).to.deep.equal([
      "Invalid Parameters",
      "labels.env  too long",
      "(no field)  unknown",
    ]);
    expect(explanationOf(failed({})).said).to.deep.equal([]);
  });

  it("repeat what was found out about a failure, and name members that were removed before it", () => {
    const error = { ...DENIED.error, findings: ["It is a group.", "It has members."] };
    const membersRemoved = { count: 2, members: [{ id: "1", name: "a" }, { id: "2" }] };
    expect(explanationOf(failed({ ...DENIED, error, membersRemoved })).said).to.deep.equal([
      ...["The role-set of [sa-ci] does not allow this.", "It is a group.", "It has members."],
      "2 members were removed: a, 2",
    ]);
    expect(explanationOf(failed({ membersRemoved: { count: 1, members: [] } })).said).to.deep.equal([
      "1 member was removed",
    ]);
    const more = { count: 3, members: [{ id: "1", name: "a" }] };
    expect(explanationOf(failed({ membersRemoved: more })).said).to.deep.equal([
      "3 members were removed: a, and 2 more",
    ]);
  });

  for (const outcome of ["adopted", "adopted-unread"] as const) {
    it(`ask for the destroy when a control plane was only adopted, whatever its error says (${outcome})`, () => {
      const { facts } = explanationOf({ ...failed(DENIED), outcome });
      expect(facts.at(-1)).to.deep.equal(["next", "no deletion was reported; run the destroy"]);
    });
  }

  it("have no row for what is not known", () => {
    const { facts } = explanationOf(failed({ controlPlane: { id: idOf(1), address: "" } }));
    expect(facts).to.deep.equal([]);
  });

  it("count one control plane and one run in the singular, and more in the plural", () => {
    const one = reportOf(lineAbout(1, 1, "deleted"));
    expect(describeTotals(one)).to.equal("1 control plane: 1 deleted");
    expect(describeSpan(one)).to.equal("1 run, from 2026-01-01 02:00:00 UTC, 1.0 s");
    const two = reportOf(lineAbout(1, 1, "deleted"), lineAbout(2, 2, "deleted", { runId: "run-2" }));
    expect(describeTotals(two)).to.equal("2 control planes: 2 deleted");
    expect(describeSpan(two)).to.equal("2 runs, from 2026-01-01 02:00:00 UTC, 2.0 s");
  });

  it("name five lines that are not in the report, and show that there are more", () => {
    const describe = (count: number) =>
      reportOf(...Array.from({ length: count }, () => "x")).files.map(describeSkipped);
    expect(describe(5)).to.deep.equal([
      "night.jsonl: 5 lines are not in the report (5 not from this package): line 1, 2, 3, 4, 5",
    ]);
    expect(describe(6)).to.deep.equal([
      "night.jsonl: 6 lines are not in the report (6 not from this package): line 1, 2, 3, 4, 5, …",
    ]);
  });

  it("say how many lines may tell of something that is left, and nothing when there are none", () => {
    const [torn, newer] = [lineText({}).slice(0, 90), lineText({ schemaVersion: 2 })];
    expect(describeUnread(reportOf(torn, "x"))).to.equal(
      "It is not known whether anything is left: 1 line cannot be read.",
    );
    expect(describeUnread(reportOf(torn, newer, lineAbout(1, 1, "failed")))).to.equal(
      "It is not known whether anything else is left: 2 lines cannot be read.",
    );
    expect(describeUnread(reportOf("x", lineAbout(1, 1, "failed")))).to.equal(undefined);
  });

  it("do not say that there was nothing to do when a line cannot be read", () => {
    expect(describeTotals(reportOf(lineText({}).slice(0, 90)))).to.equal("No control planes are reported.");
  });

  it("tell apart why lines are not in the report", () => {
    const torn = lineText({}).slice(0, 90);
    const { files } = reportOf(torn, "x", lineText({ schemaVersion: 2 }), "y");
    expect(files.map(describeSkipped)).to.deep.equal([
      "night.jsonl: 4 lines are not in the report (1 cut off or damaged, 2 not from this package, 1 from a newer release): line 1, 2, 3, 4",
    ]);
  });
});
