import { expect } from "chai";
import { renderMarkdown } from "../../../../provider/report/formats/markdown-report.js";
import { markdownCode } from "../../../../provider/text/markdown-code.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { safeText } from "../../../../provider/text/safe-text.js";
import { idOf, lineAbout, lineText } from "../report-lines.js";
import { htmlOf } from "./github-markdown.js";
import { emptyReport, reportOfANight } from "./report-of-a-night.js";

describe("a report as Markdown", () => {
  it("shows the totals, what is left and why, what is kept, what is gone, and what could not be read", () => {
    expect(renderMarkdown(reportOfANight()).split("\n")).to.deep.equal([
      "## Control planes: 2 left",
      "",
      "5 control planes: 1 deleted, 1 already gone, 1 kept, 1 only adopted, 1 failed (1 run, from 2026-01-01 02:00:00 UTC, 5.0 s)",
      "",
      "It is not known whether anything else is left: 1 line cannot be read.",
      "",
      "### Left",
      "",
      "| name | id | outcome | attempts | time | answer |",
      "| --- | --- | --- | ---: | ---: | --- |",
      `| \`plane-3\` | \`${idOf(3)}\` | failed | 1 | 0.2 s | \`403 Permission denied\` |`,
      `| \`plane-5\` | \`${idOf(5)}\` | only adopted | 1 | 0.2 s | \`200\` |`,
      "",
      `- \`plane-3 (${idOf(3)})\``,
      "  - `The role-set of [sa-ci] does not allow this.`",
      "  - address: `https://eu.api.konghq.com/v2`",
      "  - trace: `konnect:trace:403`",
      "  - token: `system account token from KONNECT_SPAT`",
      "  - next: `give it the Admin role, then run again`",
      `- \`plane-5 (${idOf(5)})\``,
      "  - address: `https://eu.api.konghq.com/v2`",
      "  - operation: `adopt`",
      "  - next: `no deletion was reported; run the destroy`",
      "",
      "### Kept",
      "",
      "| name | id | outcome | attempts | time | answer |",
      "| --- | --- | --- | ---: | ---: | --- |",
      `| \`plane-4\` | \`${idOf(4)}\` | kept | 0 | 0.0 s |  |`,
      "",
      "<details>",
      "<summary>Gone (2)</summary>",
      "",
      "| name | id | outcome | attempts | time | answer |",
      "| --- | --- | --- | ---: | ---: | --- |",
      `| \`plane-1\` | \`${idOf(1)}\` | deleted | 3 | 3.1 s | \`204\` |`,
      `| \`plane-2\` | \`${idOf(2)}\` | already gone | 1 | 0.2 s | \`404\` |`,
      "",
      "</details>",
      "",
      "- `night.jsonl: 1 line is not in the report (1 cut off or damaged): line 6`",
      "",
    ]);
  });

  it("says that there was nothing to do", () => {
    expect(renderMarkdown(emptyReport())).to.equal(
      "## Control planes: nothing is left\n\nNo control planes: there was nothing to do.\n",
    );
  });

  it("says that the end is not known when only a newer release wrote lines, and lists every file", () => {
    const text = lineText({ schemaVersion: 2 });
    const report = buildReport([
      { name: "a", text },
      { name: "b", text },
    ]);
    expect(renderMarkdown(report).split("\n")).to.deep.equal([
      "## Control planes: not known",
      "",
      "No control planes are reported.",
      "",
      "It is not known whether anything is left: 2 lines cannot be read.",
      "",
      "- `a: 1 line is not in the report (1 from a newer release): line 1`",
      "- `b: 1 line is not in the report (1 from a newer release): line 1`",
      "",
    ]);
  });

  it("explains a control plane without a name by its id, and explains nothing where nothing is known", () => {
    const render = (...lines: readonly string[]) =>
      renderMarkdown(buildReport([{ name: "night", text: lines.join("\n") }]));
    const controlPlane = { id: idOf(1) };
    const unnamed = lineAbout(1, 1, "failed", { controlPlane, traceIds: ["konnect:trace:1"] });
    expect(render(unnamed)).to.contain(`\n- \`${idOf(1)}\`\n  - trace: \`konnect:trace:1\`\n`);
    const unexplained = lineAbout(1, 1, "failed", { controlPlane });
    const row = `|  | \`${idOf(1)}\` | failed | 1 | 0.2 s |  |\n`;
    expect(render(unexplained).endsWith(row)).to.equal(true);
    expect(render(unexplained, lineAbout(2, 1, "kept"))).to.contain(`${row}\n### Kept\n`);
  });

  const hostile = [
    "a|b",
    "a\\|b",
    "a\\\\|b\\",
    "`code`",
    "``two`` and ```three```",
    "@octocat #1 GH-1 !1 &1",
    "<script>alert(1)</script><!-- -->",
    "[link](https://evil.example) ![image](x)",
    "https://evil.example www.evil.example a@evil.example",
    "**bold** ~~gone~~ $math$ :tada:",
    "</details>",
  ];
  for (const name of hostile) {
    it(`shows a name as it is, as code in one cell: ${name}`, () => {
      const text = lineAbout(1, 1, "failed", { controlPlane: { id: idOf(1), name } });
      const html = htmlOf(renderMarkdown(buildReport([{ name: "night", text }])));
      expect(html.match(/<td/g)).to.have.length(6);
      expect(html).not.to.match(/<(?:a|img|script|strong|del|em)\b/);
      const [, shown = ""] = /<td><code>([^]*?)<\/code><\/td>/.exec(html) ?? [];
      const text2 = shown
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&");
      expect(text2.replaceAll("\\ |", "\\|")).to.equal(name);
    });
  }

  it("has no code span for an empty text", () => {
    expect(markdownCode(safeText("", 10))).to.equal("");
  });

  it("fits the megabyte of a job summary when there are thousands of control planes", () => {
    const failed = {
      error: { kind: "service", summary: "500 x", next: "y".repeat(150) },
      problem: { detail: "z".repeat(900) },
    };
    const text = Array.from({ length: 3_000 }, (_, n) => [
      lineAbout(n, 1, "failed", failed),
      lineAbout(n + 10_000, 1, "deleted"),
    ])
      .flat()
      .join("\n");
    const markdown = renderMarkdown(buildReport([{ name: "night", text }]));
    expect(Buffer.byteLength(markdown)).to.be.below(1024 * 1024);
    expect(markdown.match(/… and 2000 more/g)).to.have.length(2);
    expect(markdown, "apart from the table").to.contain("|\n\n… and 2000 more\n");
    expect(markdown).to.contain("## Control planes: 3000 left");
  });
});
