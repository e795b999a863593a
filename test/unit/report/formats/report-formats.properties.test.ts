import { expect } from "chai";
import fc from "fast-check";
import { isReportFormat, REPORT_FORMATS } from "../../../../provider/report/formats/report-formats.js";
import { buildReport, type Report } from "../../../../provider/report/report-model.js";
import { anyText, dangerIn } from "../../../dangerous-text.js";
import { flawsOfReport } from "../report-schemas.js";
import { lineAbout, lineOfForeignText } from "../report-lines.js";
import { parseJunit } from "./junit-parser.js";
import { htmlOf } from "./github-markdown.js";

const RUNS = 200;

/** A report of a file that any text is in: as the name of the file, in a line's every text, and as a line of its own. */
const anyReport: fc.Arbitrary<Report> = anyText().map((evil) =>
  buildReport([
    {
      name: evil,
      text: [lineOfForeignText(evil), evil.replaceAll("\n", " "), lineAbout(2, 2, "deleted")].join("\n"),
    },
  ]),
);

const linesOf = (format: keyof typeof REPORT_FORMATS, report: Report) =>
  REPORT_FORMATS[format](report, { width: 100 }).split("\n");

describe(`a report about any text (${RUNS} runs each)`, () => {
  for (const format of ["text", "json", "markdown", "junit"] as const) {
    it(`holds nothing that a terminal or a pipeline obeys, as ${format}`, () => {
      fc.assert(
        fc.property(anyReport, (report) => {
          for (const line of linesOf(format, report)) expect(dangerIn(line), line).to.equal(undefined);
        }),
        { numRuns: RUNS },
      );
    });
  }

  it("has exactly its own structure as Markdown: two tables, their rows, and no link", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const html = htmlOf(REPORT_FORMATS.markdown(report));
        const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
        expect([count(/<table>/g), count(/<tr>/g), count(/<td/g)], html).to.deep.equal([2, 4, 12]);
        expect(
          count(/<(?!\/|table|thead|tbody|tr|t[hd]|h[23]|p>|code>|ul>|li>|details>|summary>)/g),
          html,
        ).to.equal(0);
      }),
      { numRuns: RUNS },
    );
  });

  it("is well-formed as JUnit XML, with one failure", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const read = await parseJunit(REPORT_FORMATS.junit(report));
        const cases = read.testsuite?.[0]?.testcase ?? [];
        expect(cases).to.have.length(2);
        expect(cases.filter(({ failure }) => failure !== undefined)).to.have.length(1);
      }),
      { numRuns: RUNS },
    );
  });

  it("is valid by its schema as JSON", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(flawsOfReport(REPORT_FORMATS.json(report))).to.deep.equal([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the formats of a report", () => {
  it("are known by their names, and by no other", () => {
    for (const name of ["text", "json", "markdown", "junit"]) expect(isReportFormat(name)).to.equal(true);
    for (const name of ["html", "", "TEXT", "constructor"]) expect(isReportFormat(name)).to.equal(false);
  });
});
