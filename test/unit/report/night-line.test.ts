import { expect } from "chai";
import { REPORT_FORMAT_NAMES, REPORT_FORMATS } from "../../../provider/report/formats/report-formats.js";
import { buildReport } from "../../../provider/report/report-model.js";
import { DANGEROUS_PIECES, dangerIn } from "../../dangerous-text.js";
import { lineAbout } from "./report-lines.js";
import { flawsOfReport } from "./report-schemas.js";

/** Returns the line about a night at a second, with changed members. */
function nightAt(second: number, change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    nightVersion: 1,
    nightId: "night-1",
    command: "night",
    isDryRun: false,
    stack: "nightly",
    project: "cleanup",
    startedAt: "2026-01-01T02:00:00.000Z",
    time: new Date(Date.UTC(2026, 0, 1, 2, 0, second)).toISOString(),
    ending: "complete",
    steps: ["up: 2 created"],
    ...change,
  });
}

const FAILED = {
  ending: "failed",
  reason: { summary: "`up` failed", said: ["Too many: 60 control planes"], next: "raise atMost" },
};

const reportOf = (...lines: readonly string[]) =>
  buildReport([{ name: "night.jsonl", text: lines.join("\n") }]);

async function renderAll(...lines: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const report = reportOf(...lines);
  const texts = REPORT_FORMAT_NAMES.map(
    async (name) => [name, await REPORT_FORMATS[name](report, {})] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

describe("the line about a night", () => {
  for (const [what, lines, isComplete] of [
    ["is complete when the night is", [nightAt(0, { ending: "unfinished" }), nightAt(9)], true],
    ["is not complete when the night failed", [nightAt(9, FAILED)], false],
    ["is not complete when the night was stopped", [nightAt(9, { ending: "stopped" })], false],
    ["is not complete when the night was killed", [nightAt(0, { ending: "unfinished" })], false],
    ["is not complete when something is left", [nightAt(9), lineAbout(1, 5, "failed")], false],
    ["is not complete when the end of the night is cut off", [nightAt(0).slice(0, -40)], false],
    ["is not complete when a newer release wrote it", [nightAt(9, { nightVersion: 2 })], false],
    ["is not complete when it lacks a member", [nightAt(9, { ending: undefined })], false],
    ["is not complete when it has an unknown ending", [nightAt(9, { ending: "fine" })], false],
  ] as const) {
    it(`makes a report that ${what}`, () => {
      expect(reportOf(...lines).isComplete).to.equal(isComplete);
    });
  }

  it("of a later night on the same stack counts, and one of another stack does not replace it", () => {
    const later = { nightId: "night-2", startedAt: "2026-01-02T02:00:00.000Z" };
    expect(reportOf(nightAt(9, FAILED), nightAt(20, later)).isComplete).to.equal(true);
    expect(reportOf(nightAt(9, FAILED), nightAt(20, { ...later, stack: "other" })).isComplete).to.equal(
      false,
    );
  });

  it("is shown in every format: the stack, the steps, why it failed, and what to do", async () => {
    const job = "https://ci.example.com/jobs/7";
    const texts = await renderAll(nightAt(9, { ...FAILED, job }));
    for (const [format, text] of Object.entries(texts)) {
      for (const fact of ["nightly", "cleanup", "up: 2 created", "Too many: 60", "raise atMost", job]) {
        expect(text, format).to.contain(fact);
      }
      expect(text, format).not.to.match(/nothing is left|nothing to do/i);
    }
    expect(texts.junit).to.contain('tests="1" failures="1"');
    expect(flawsOfReport(texts.json ?? "")).to.deep.equal([]);
  });

  it("is shown in every format as failed, although each control plane is gone", async () => {
    const texts = await renderAll(lineAbout(1, 5, "deleted"), nightAt(9, { ending: "unfinished" }));
    for (const [format, text] of Object.entries(texts)) {
      expect(text, format).to.match(format === "json" ? /"isComplete": false/ : /did not end: it was killed/);
      expect(text, format).not.to.match(/nothing is left/i);
    }
    expect(texts.junit).to.contain('tests="2" failures="1"');
  });

  it("of a dry run never says that nothing is left", async () => {
    for (const lines of [[], [lineAbout(1, 5, "adopted")]]) {
      const texts = await renderAll(...lines, nightAt(9, { isDryRun: true }));
      const { json, ...others } = texts;
      expect(json).to.contain('"isDryRun": true');
      for (const [format, text] of Object.entries(others)) {
        expect(text, format).to.match(/dry run/i);
        expect(text, format).not.to.match(/nothing is left/i);
      }
    }
  });

  it("holds nothing that a terminal or a pipeline takes for a command, whoever wrote it", async () => {
    for (const piece of DANGEROUS_PIECES) {
      const text = `a ${piece} b`;
      const {
        text: plain = "",
        markdown = "",
        junit = "",
      } = await renderAll(
        nightAt(9, {
          ...{ nightId: text, stack: text, project: text, steps: [text], job: text },
          ...{ ending: "failed", reason: { summary: text, said: [text], next: text } },
        }),
      );
      for (const rendered of [plain, markdown, junit]) {
        for (const line of rendered.split("\n")) expect(dangerIn(line)).to.equal(undefined);
      }
    }
  });
});
