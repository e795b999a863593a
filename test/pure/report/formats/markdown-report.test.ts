import { expect } from "chai";
import { renderMarkdown } from "../../../../provider/report/formats/markdown-report.js";
import { markdownCode } from "../../../../provider/text/markdown.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { safeText } from "../../../../provider/text/safe-text.js";
import type { ReportLine } from "../../../../provider/report/line-model.js";
import { DENIED, idOf, lineAbout, lineText } from "../report-lines.js";
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
      "### Left (2)",
      "",
      "#### `403 Permission denied`: 1 control plane",
      "",
      "- `The role-set of [sa-ci] does not allow this.`",
      "- address: `https://eu.api.konghq.com/v2`",
      "- token: `system account token from KONNECT_SPAT`",
      "- next: `give it the Admin role, then run again`",
      "",
      "| name | id | outcome | attempts | time | trace |",
      "| --- | --- | --- | ---: | ---: | --- |",
      `| \`plane-3\` | \`${idOf(3)}\` | failed | 1 | 0.2 s | \`konnect:trace:403\` |`,
      "",
      "#### `only adopted`: 1 control plane",
      "",
      "- address: `https://eu.api.konghq.com/v2`",
      "- operation: `adopt`",
      "- next: `no deletion was reported; run the destroy`",
      "",
      "| name | id | outcome | attempts | time | trace |",
      "| --- | --- | --- | ---: | ---: | --- |",
      `| \`plane-5\` | \`${idOf(5)}\` | only adopted | 1 | 0.2 s |  |`,
      "",
      "### Kept (1)",
      "",
      "| name | id | outcome | attempts | time | answer |",
      "| --- | --- | --- | ---: | ---: | --- |",
      `| \`plane-4\` | \`${idOf(4)}\` | kept |  |  |  |`,
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
      "## Control planes: there was nothing to do\n\nNo control planes: there was nothing to do.\n",
    );
  });

  it("says that the end is not known when only a newer release wrote lines, and lists every file", () => {
    const text = lineText({ schemaVersion: 2 });
    const report = buildReport([
      { name: "a", text },
      { name: "b", text },
    ]);
    expect(renderMarkdown(report).split("\n")).to.deep.equal([
      "## Control planes: not known whether anything is left",
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
    const found = (words: string) => ({ error: { kind: "x", summary: "x", findings: [words] } });
    const unnamed = [1, 2].map((n) =>
      lineAbout(n, 1, "failed", { controlPlane: { id: idOf(n) }, ...found(`found ${n}`) }),
    );
    expect(render(...unnamed)).to.contain(
      `\n\n- \`${idOf(1)}\`\n  - \`found 1\`\n- \`${idOf(2)}\`\n  - \`found 2\`\n`,
    );
    const unexplained = lineAbout(1, 1, "failed", { controlPlane });
    const row = `|  | \`${idOf(1)}\` | failed | 1 | 0.2 s |  |\n`;
    expect(render(unexplained)).to.match(/\n\n#### `failed`: 1 control plane\n\n\| name /);
    expect(render(unexplained).endsWith(row)).to.equal(true);
    expect(render(unexplained, lineAbout(2, 1, "kept"))).to.contain(`${row}\n### Kept (1)\n`);
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
    expect(markdown, "apart from the table").to.contain("|\n\n… and 2000 more, which the JSON format has\n");
    expect(markdown.match(/^#### /gm), "one cause").to.have.length(1);
    expect(markdown).to.contain("## Control planes: 3000 left");
  });

  it("counts the control planes of causes for which there is no room", () => {
    const text = Array.from({ length: 3_000 }, (_, n) =>
      lineAbout(n, 1, "failed", { error: { kind: "x", summary: `cause ${n}`, next: "y".repeat(150) } }),
    );
    const markdown = renderMarkdown(buildReport([{ name: "night", text: text.join("\n") }]));
    expect(markdown.match(/^#### /gm)).to.have.length(200);
    expect(markdown).to.match(/\n\n… and 2800 more, which the JSON format has\n$/);
  });

  it("fits the megabyte however long names, details, members and files are, and counts what does not fit", function () {
    this.timeout(60_000);
    const long = (length: number) => "制".repeat(length);
    const nameOf = (n: number) => `${n}${long(250)}`;
    const membersRemoved = {
      count: 200,
      members: Array.from({ length: 2 }, (_, n) => ({ id: idOf(n), name: nameOf(n) })),
    };
    const texts = Array.from({ length: 20 }, () => long(1_000));
    const invalidParameters = Array.from({ length: 100 }, () => ({ field: "labels", reason: long(240) }));
    const failure = {
      ...DENIED,
      problem: { detail: long(1_000), invalidParameters },
      error: { kind: "service", summary: long(340), next: long(240), findings: texts },
    };
    const lineOf = (n: number, outcome: ReportLine["outcome"], more: object) =>
      lineAbout(n, 1, outcome, { controlPlane: { id: idOf(n), name: nameOf(n) }, membersRemoved, ...more });
    const lines = Array.from({ length: 600 }, (_, n) => [
      n < 40 ? [lineOf(n, "failed", failure)] : [],
      lineOf(n + 10_000, "failed", { error: { kind: "x", summary: long(340), next: long(240) } }),
      lineOf(n + 20_000, "kept", {}),
      lineOf(n + 30_000, "deleted", {}),
    ]).flat(2);
    const files = Array.from({ length: 500 }, (_, n) => ({
      name: `${n}${long(290)}`,
      text: '{"schemaVersion',
    }));
    const markdown = renderMarkdown(buildReport([{ name: "night", text: lines.join("\n") }, ...files]));
    expect(Buffer.byteLength(markdown)).to.be.below(1024 * 1024);
    expect(Buffer.byteLength(markdown), "the room is used").to.be.above(800_000);
    const counts = [...markdown.matchAll(/^(?:- )?… and (\d+) more, which the JSON format has$/gm)].map(
      ([, count]) => Number(count),
    );
    // Two tables of what is kept and gone, that of what is left, its explanations, two lists of removals, and the files.
    expect(counts).to.have.length(7);
    const rows = markdown.match(/^\| `\d+制/gm) ?? [];
    const explained = markdown.match(/^- `\d+制+… \(|^- `\d+制+ \(/gm) ?? [];
    expect(rows.length + (counts[0] ?? 0) + (counts[2] ?? 0) + (counts[4] ?? 0)).to.equal(40 + 3 * 600);
    expect(explained.length, "some are explained").to.be.above(5);
    expect(markdown, "a long explanation is cut").to.contain(
      "\n  - … and 104 more, which the JSON format has\n",
    );
    expect(markdown, "the next step is always shown").to.match(/^- next: /m);
    expect(markdown.match(/^<\/details>$/gm), "the structure stays whole").to.have.length(1);
  });
});
