import { expect } from "chai";
import { renderHtml } from "../../../../provider/report/formats/html-report.js";
import { renderJunit } from "../../../../provider/report/formats/junit-report.js";
import { renderMarkdown } from "../../../../provider/report/formats/markdown-report.js";
import { renderText } from "../../../../provider/report/formats/text-report.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { idOf, lineAbout } from "../report-lines.js";
import { flawsOfReport } from "../report-schemas.js";
import { parseJunit } from "./junit-parser.js";

const FOUND = 'The group has members that this resource did not add: control plane "audit".';
const REMOVED = "2 members were removed: a, <b>";

const report = buildReport([
  {
    name: "night.jsonl",
    text: [
      lineAbout(1, 1, "failed", {
        status: undefined,
        error: {
          kind: "conflict",
          summary: "1 member added elsewhere",
          next: "remove it",
          findings: [FOUND],
        },
      }),
      lineAbout(2, 2, "deleted", {
        membersRemoved: {
          count: 2,
          members: [
            { id: idOf(8), name: "a" },
            { id: idOf(9), name: "<b>" },
          ],
        },
      }),
      lineAbout(3, 3, "deleted"),
    ].join("\n"),
  },
]);

describe("a report about groups", () => {
  it("names in text the members that keep a group, and those that were removed from one", () => {
    const lines = renderText(report).split("\n");
    const cause = lines.indexOf("  1 member added elsewhere: 1 control plane");
    expect(lines[cause + 1]).to.equal(`    ${FOUND}`);
    const row = lines.findIndex((line) => line.startsWith("  plane-2 "));
    expect(lines[row + 1]).to.equal(`      ${REMOVED}`);
    expect(lines[row + 2]).to.match(/^ {2}plane-3 /);
  });

  it("names them in Markdown, as code", () => {
    const text = renderMarkdown(report);
    expect(text).to.contain(`\n- \`${FOUND}\``);
    expect(text).to.contain(`\n\n- \`plane-2: ${REMOVED}\`\n\n</details>`);
  });

  it("names them in JUnit XML: in the failure, and as the output of the test case", async () => {
    const cases = (await parseJunit(renderJunit(report))).testsuite?.[0]?.testcase ?? [];
    expect(cases[0]?.failure?.[0]?.inner).to.match(new RegExp(`^${FOUND}`));
    expect(cases[1]?.["system-out"]).to.deep.equal([REMOVED]);
    expect(cases[2]).not.to.have.property("system-out");
  });

  it("names them on the page", () => {
    const page = renderHtml(report);
    expect(page).to.contain("The group has members that this resource did not add: control plane");
    expect(page).to.contain("2 members were removed: a, &lt;b&gt;");
  });

  it("matches the schema of a report in JSON", () => {
    expect(flawsOfReport(JSON.stringify(report))).to.deep.equal([]);
    expect(report.gone[0]?.membersRemoved?.count).to.equal(2);
  });
});
