import { expect } from "chai";
import fc from "fast-check";
import {
  isReportFormat,
  REPORT_FORMATS,
  type ReportFormat,
} from "../../../../provider/report/formats/report-formats.js";
import { buildReport, type Report } from "../../../../provider/report/report-model.js";
import { anyText, dangerIn } from "../../../dangerous-text.js";
import { flawsOfReport } from "../report-schemas.js";
import { lineAbout, lineOfForeignText } from "../report-lines.js";
import { parseJunit } from "./junit-parser.js";
import { htmlOf } from "./github-markdown.js";

const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 20);

/** A report of a file that any text is in: as the name of the file, in a line's every text, and as a line of its own. */
const anyReport: fc.Arbitrary<Report> = anyText().map((evil) =>
  buildReport([
    {
      name: evil,
      text: [lineOfForeignText(evil), evil.replaceAll("\n", " "), lineAbout(2, 2, "deleted")].join("\n"),
    },
  ]),
);

const linesOf = async (format: ReportFormat, report: Report) =>
  (await REPORT_FORMATS[format](report, { width: 100 })).split("\n");

/** A tag of HTML whose attributes are quoted. */
const TAG = /<(\/?[a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>/g;

describe(`a report about any text (${RUNS} runs each)`, () => {
  for (const format of ["text", "json", "markdown", "junit", "html"] as const) {
    it(`holds nothing that a terminal or a pipeline obeys, as ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyReport, async (report) => {
          for (const line of await linesOf(format, report)) expect(dangerIn(line), line).to.equal(undefined);
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
          count(/<(?!\/|table|thead|tbody|tr|t[hd]|h[234]|p>|code>|ul>|li>|details>|summary>)/g),
          html,
        ).to.equal(0);
      }),
      { numRuns: RUNS },
    );
  });

  it("has only tags of its own as HTML, without a handler or an address", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const page = await REPORT_FORMATS.html(report);
        const body = page.slice(page.indexOf("<body>"));
        expect(body.match(/<li class="plane"/g)).to.have.length(2);
        expect(body.replace(TAG, ""), "text without tags").not.to.match(/[<>]/);
        for (const [tag, , attributes = ""] of body.matchAll(TAG)) {
          expect(attributes, tag).not.to.match(/\s(?:on\w+|style|src|action)=/);
          expect(attributes.replace('href="#grid"', ""), tag).not.to.contain("href");
          expect(tag).not.to.match(/^<\/?(?:script|style|a|img|iframe|object|link|meta|base)\b/);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("is well-formed as JUnit XML, with one failure", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const read = await parseJunit(REPORT_FORMATS.junit(report));
        const all = read.testsuite?.[0]?.testcase ?? [];
        const cases = all.filter(({ classname }) => classname !== "control-planes.report");
        expect(cases).to.have.length(2);
        expect(all.filter(({ error }) => error !== undefined)).to.have.length(
          report.isComplete ? 0 : all.length - 2,
        );
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
    for (const name of ["text", "json", "markdown", "junit", "html"]) {
      expect(isReportFormat(name)).to.equal(true);
    }
    for (const name of ["pdf", "", "TEXT", "constructor"]) expect(isReportFormat(name)).to.equal(false);
  });
});
