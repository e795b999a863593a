import { expect } from "chai";
import { renderJunit } from "../../../../provider/report/formats/junit-report.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { idOf, lineAbout } from "../report-lines.js";
import { parseJunit } from "./junit-parser.js";
import { emptyReport, reportOfANight } from "./report-of-a-night.js";

describe("a report as JUnit XML, read back by a JUnit parser", () => {
  it("has a test case for each control plane: left ones have failed, kept ones are skipped", async () => {
    const read = await parseJunit(renderJunit(reportOfANight()));
    expect(read).to.deep.include({ tests: 6, failures: 2, errors: 1, skipped: 1, time: 3.7 });
    const [suite] = read.testsuite ?? [];
    expect(suite).to.deep.include({ name: "control planes", tests: 6, timestamp: "2026-01-01T02:00:00" });
    const cases = suite?.testcase ?? [];
    const of = (n: number) => cases.find(({ name }) => name === `plane-${n} (${idOf(n)})`);
    expect(of(1)).to.deep.equal({
      name: `plane-1 (${idOf(1)})`,
      classname: "control-planes.delete",
      time: 3.1,
    });
    expect(of(2)).not.to.have.any.keys("failure", "skipped");
    expect(of(3)?.failure).to.deep.equal([
      {
        message: "failed: 403 Permission denied",
        type: "forbidden",
        inner:
          "The role-set of [sa-ci] does not allow this.\naddress: https://eu.api.konghq.com/v2\ntrace: konnect:trace:403\ntoken: system account token from KONNECT_SPAT\nnext: give it the Admin role, then run again",
      },
    ]);
    expect(of(4)?.skipped).to.deep.equal([{ message: "kept" }]);
    expect(of(5)?.failure?.[0]).to.include({ message: "only adopted: 200", type: "adopted" });
    expect(cases.at(-1)).to.deep.include({ name: "report files", classname: "control-planes.report" });
    expect(cases.at(-1)?.error).to.deep.equal([
      {
        message: "It is not known whether anything else is left: 1 line cannot be read.",
        type: "unreadable",
        inner: "night.jsonl: 1 line is not in the report (1 cut off or damaged): line 6",
      },
    ]);
    expect(suite).not.to.have.property("system-err");
  });

  it("is one element a line, and ends with a line break", () => {
    const text = [
      lineAbout(1, 1, "deleted"),
      lineAbout(2, 1, "failed", { controlPlane: { id: idOf(2) }, tokenSource: undefined }),
    ];
    const report = buildReport([
      { name: "a", text: "x" },
      { name: "b", text: text.join("\n") },
      { name: "c", text: "x\ny" },
    ]);
    const counts = 'tests="2" failures="1" errors="0" skipped="0" time="0.400"';
    expect(renderJunit(report).split("\n")).to.deep.equal([
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="pulumi-konnect-control-planes" ${counts}>`,
      `  <testsuite name="control planes" ${counts} timestamp="2026-01-01T02:00:00">`,
      `    <testcase name="${idOf(2)}" classname="control-planes.delete" time="0.200">`,
      '      <failure message="failed" type="failed"></failure>',
      "    </testcase>",
      `    <testcase name="plane-1 (${idOf(1)})" classname="control-planes.delete" time="0.200"/>`,
      "    <system-err>a: 1 line is not in the report (1 not from this package): line 1",
      "c: 2 lines are not in the report (2 not from this package): line 1, 2</system-err>",
      "  </testsuite>",
      "</testsuites>",
      "",
    ]);
    const whole = renderJunit(buildReport([{ name: "b", text: lineAbout(1, 1, "deleted") }]));
    expect(whole).to.match(/<testcase [^>]+\/>\n {2}<\/testsuite>\n/);
  });

  it("names the address of an id that several addresses have, because a reader ignores a name that it has read", async () => {
    const at = (address: string) => ({ controlPlane: { id: idOf(1), name: "edge", address } });
    const text = [
      lineAbout(1, 1, "failed", at("https://a/v2")),
      lineAbout(1, 2, "deleted", at("https://b/v2")),
    ];
    const read = await parseJunit(
      renderJunit(buildReport([{ name: "night", text: [...text, lineAbout(2, 3, "deleted")].join("\n") }])),
    );
    expect(read.testsuite?.[0]?.testcase?.map(({ name }) => name)).to.deep.equal([
      `edge (${idOf(1)}) at https://a/v2`,
      `edge (${idOf(1)}) at https://b/v2`,
      `plane-2 (${idOf(2)})`,
    ]);
  });

  it("keeps every character of a name", async () => {
    const name = `<b title="x">Tom's & Ann's</b>`;
    const text = lineAbout(1, 1, "deleted", { controlPlane: { id: idOf(1), name } });
    const read = await parseJunit(renderJunit(buildReport([{ name: "night", text }])));
    expect(read.testsuite?.[0]?.testcase?.[0]?.name).to.equal(`${name} (${idOf(1)})`);
  });

  it("has no test case when there was nothing to do", async () => {
    const read = await parseJunit(renderJunit(emptyReport()));
    expect(read).to.deep.include({ tests: 0, failures: 0 });
    expect(read.testsuite?.[0]).not.to.have.property("timestamp");
  });
});
