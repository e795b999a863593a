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

/** Returns the line about a selection that selected nothing, with changed members. */
function selectionAt({
  kept,
  ...change
}: Readonly<Record<string, unknown>> & { readonly kept?: object }): string {
  return JSON.stringify({
    ...{ selectionVersion: 1, time: "2026-01-01T02:00:02.000Z", address: "https://eu.api.konghq.com/v2" },
    ...{ filters: ["labels env=preview", "olderThan 7d"], matched: 0, selected: 0 },
    kept: { exclude: 0, keep: 0, unreadableDay: 0, deleteAfter: 0, age: 0, ...kept },
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

  it("links to the job, and warns of what a reader should know, in every format", async () => {
    const warnings = ['deleted although nodes were connected: "pay" (2)'];
    const texts = await renderAll(nightAt(9, { warnings, job: "https://ci.example.com/jobs/7" }));
    expect(texts.markdown).to.contain("- [job](https://ci.example.com/jobs/7)");
    expect(texts.html).to.contain('<a href="https://ci.example.com/jobs/7" rel="noreferrer">');
    for (const [format, text] of Object.entries(texts)) {
      expect(text, format).to.contain("deleted although nodes were connected");
    }
    const hostile = await renderAll(nightAt(9, { job: "javascript:alert(1)" }));
    expect(hostile.markdown).not.to.contain("[job]");
    expect(hostile.html).not.to.contain("<a ");
  });

  it("keeps apart what was gone before the night, and counts nights, not processes", async () => {
    const earlier = { ...JSON.parse(lineAbout(1, 1, "deleted")), time: "2025-12-31T02:00:00.000Z" } as object;
    const lines = [
      JSON.stringify(earlier),
      lineAbout(1, 3, "gone", { operation: "read", runId: "run-2" }),
      lineAbout(2, 3, "gone", { operation: "read", runId: "run-2" }),
      lineAbout(3, 5, "deleted", { runId: "run-3" }),
    ];
    const { json, junit, ...texts } = await renderAll(...lines, nightAt(9));
    expect(JSON.parse(json ?? "")).to.include({ isComplete: true, runs: 1 });
    expect(junit).to.contain('tests="4" failures="0"');
    expect(texts.text).to.contain("1 control plane: 1 deleted; 2 were gone before\n1 night, from ");
    expect(texts.text).to.match(/\nGone \(1\)\n.*\n {2}plane-3 .*\n\nGone before \(2\)\n/);
    expect(texts.markdown).to.contain("<summary>Gone before (2)</summary>");
    expect(texts.html).to.match(/Gone before <span class="number">2</);
    const again = await renderAll(...lines.slice(0, 3), nightAt(9));
    expect(again.text).to.contain("Nothing was to be deleted; 2 were gone before.");
  });

  it("of a dry run says what would be deleted and what would stay, and fails only for what would stay", async () => {
    const error = { kind: "in-the-way", summary: "1 connected node", findings: ["kong-1"] };
    const planned = [
      lineAbout(1, 5, "would-be-deleted", { attempts: 0 }),
      lineAbout(2, 5, "would-be-deleted", { attempts: 0 }),
      lineAbout(3, 5, "would-stay", { attempts: 0, error }),
    ];
    const texts = await renderAll(...planned, nightAt(9, { isDryRun: true }));
    const title = "dry run: 2 control planes would be deleted, 1 would stay";
    expect(texts.text).to.contain(`Control planes: ${title}\n`);
    expect(texts.markdown).to.contain(`## Control planes: ${title}\n`);
    expect(texts.html).to.contain(`<h1>D${title.slice(1)}</h1>`);
    expect(texts.text).to.match(/\nWould stay \(1\)\n\n {2}1 connected node: 1 control plane\n {4}kong-1\n/);
    expect(texts.text).to.match(/\nWould be deleted \(2\)\n/);
    expect(texts.junit).to.contain('tests="4" failures="1" errors="0" skipped="2"');
    expect(texts.junit).to.contain('<failure message="would stay: 1 connected node" type="in-the-way">');
    expect(JSON.parse(texts.json ?? "")).to.deep.include({
      isComplete: false,
      totals: { "would-be-deleted": 2, "would-stay": 1 },
    });
    expect(flawsOfReport(texts.json ?? "")).to.deep.equal([]);
  });

  it("of a dry run never says that nothing is left", async () => {
    for (const lines of [[], [lineAbout(1, 5, "would-be-deleted")]]) {
      const texts = await renderAll(...lines, nightAt(9, { isDryRun: true }));
      const { json, ...others } = texts;
      expect(json).to.contain('"isDryRun": true');
      for (const [format, text] of Object.entries(others)) {
        expect(text, format).to.match(/dry run/i);
        expect(text, format).not.to.match(/nothing is left/i);
      }
    }
  });

  for (const [what, selection, state, isSuspicious] of [
    [
      "a filter that matches nothing",
      { matched: 0, why: "no match", said: ["labels in use: env=previw"] },
      "nothing was selected: no control plane matches the filter",
      true,
    ],
    [
      "a night on which nothing is due",
      { matched: 4, kept: { age: 3, deleteAfter: 1 }, why: "nothing today" },
      "nothing was selected: what matches is not due today",
      false,
    ],
    [
      "a night on which all are kept",
      { matched: 3, kept: { exclude: 1, keep: 2 }, why: "all excluded" },
      "nothing was selected: all that match are kept",
      false,
    ],
  ] as const) {
    it(`tells ${what} in every format from a night that leaves nothing`, async () => {
      const texts = await renderAll(selectionAt(selection), nightAt(9));
      for (const [format, text] of Object.entries(texts)) {
        expect(text, format).not.to.match(/nothing is left/i);
        if (format !== "json" && format !== "junit") {
          expect(text, format).to.match(new RegExp(`control planes: ${state}`, "i"));
        }
        for (const said of "said" in selection ? selection.said : []) expect(text, format).to.contain(said);
      }
      expect(texts.junit)
        .to.contain(`skipped="${isSuspicious ? 1 : 0}"`)
        .and.to.match(/Nothing was selected/);
      expect(texts.html).to.contain(`data-state="${isSuspicious ? "unknown" : "empty"}"`);
      expect(JSON.parse(texts.json ?? "")).to.include({ isComplete: true });
    });
  }

  it("stands with what was selected, and what was kept for which reason", async () => {
    const kept = { exclude: 1, keep: 2, unreadableDay: 3, deleteAfter: 4, age: 5 };
    const texts = await renderAll(
      selectionAt({ matched: 27, selected: 12, kept }),
      lineAbout(1, 5, "deleted"),
      nightAt(9),
    );
    const { json, ...others } = texts;
    expect(flawsOfReport(json ?? "")).to.deep.equal([]);
    for (const [format, text] of Object.entries(others)) {
      expect(text, format).to.contain("Selected: 12 control planes, of 27 that match");
      expect(text, format).to.contain("selected by: labels env=preview, olderThan 7d at https://eu.api");
      expect(text, format).to.contain(
        "kept by the selection, of 27 that match: 1 by exclude, 2 by a label keep of their own, 3 because the day of their label delete-after cannot be read, 4 until the day of their label delete-after, 5 for their age",
      );
    }
    expect(texts.markdown).to.contain("## Control planes: nothing is left");
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
