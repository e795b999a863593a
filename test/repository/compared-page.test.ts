import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { ContenderId } from "../../tools/bench/contenders.js";
import { elapsedMs, summarize } from "../../tools/bench/page/summary.js";
import { readResult } from "../../tools/bench/result-file.js";
import { ROOT } from "../../tools/repository.js";

const ANSWERS = "test/cli/destroy-answers.test.ts";
const STOPPED = "test/cli/destroy-stopped.test.ts";
const RUNBOOK = "test/repository/runbook/runbook.test.ts";

/** The rows about this package, and the test that shows each: its file, and words of its title. */
const SHOWN_BY: readonly (readonly [row: string, file: string, title: string])[] = [
  ["503, 503, 204", ANSWERS, "repeats after 503 and says so while it waits"],
  ["429 again and again", "test/cli/compared.test.ts", "gives up a 429 without an end"],
  ["the service's own 404", ANSWERS, "takes the service's own 404 for success"],
  ["404 with a web page", ANSWERS, "refuses a 404 that is not from the service"],
  ["401, 403, 500", ANSWERS, "explains a 403 with detail"],
  ["409", RUNBOOK, "409: something is in the way"],
  [
    "the answer is lost after the deletion",
    ANSWERS,
    "knows that a deletion whose answer was lost had worked",
  ],
  [
    "connection reset, again and again",
    "test/pure/service/retry/run-call.test.ts",
    "repeats a temporary failure with growing delays",
  ],
  [
    "no answer at all",
    "test/pure/service/retry/run-call-time.test.ts",
    "limits the time of the last attempt to what is left",
  ],
  ["the job is canceled", STOPPED, "with a clean state, and the next destroy goes on"],
  [
    "a resource gets another name",
    "test/cli/pairs/table/renamed.ts",
    "The first ends, and the second takes its place",
  ],
  [
    "the id or the region of a resource changes",
    "test/cli/changes.test.ts",
    "refuses another id in the preview",
  ],
];

const PAGE = readFileSync(path.join(ROOT, "docs/compared.md"), "utf8");

/** The rows of the table of times. */
const TIMES: readonly (readonly [row: string, contender: ContenderId])[] = [
  ["in one `ControlPlaneSet`", "set"],
  ["a `ControlPlane` for each, fast mode", "fast"],
  ["a `ControlPlane` for each", "each"],
  ["an ordinary dynamic provider of Pulumi", "ordinary"],
];

describe("docs/compared.md", () => {
  it("has a test for each row about answers, outages, canceled jobs and changes", () => {
    const [, tables = ""] = /^## What each answer does\n([^]*?)^## Speed and size\n/m.exec(PAGE) ?? [];
    const rows = [...tables.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, row = ""]) => row);
    const shown = rows.filter((row) => !/^-+$|^answers$|^situation$/.test(row));
    // The command that the row about an outage names measures it.
    const measured = "a minute of 503 in the middle of a run";
    expect(shown).to.have.members([...SHOWN_BY.map(([row]) => row), measured]);
  });

  for (const [row, file, title] of SHOWN_BY) {
    it(`is shown by a test that exists: ${row}`, () => {
      // The titles of the runbook's tests are the headings of its page.
      const source = readFileSync(path.join(ROOT, file === RUNBOOK ? "docs/runbook.md" : file), "utf8");
      expect(source).to.contain(title);
    });
  }

  for (const [row, contender] of TIMES) {
    it(`repeats what the benchmark measured: ${row}`, () => {
      const { spread } = summarize(readResult(path.join(ROOT, "docs/internals/performance.json")));
      const median = (operation: "up" | "destroy", quantity = elapsedMs) =>
        spread({ contender, operation, controlPlanes: 1000 }, quantity)?.median ?? NaN;
      const seconds = (["up", "destroy"] as const).map((operation) => (median(operation) / 1_000).toFixed(1));
      const bytes = median("up", ({ stateBytes }) => stateBytes).toLocaleString("en");
      const [line = ""] = PAGE.split("\n").filter((each) => each.startsWith(`| ${row} `));
      expect(line.split("|").map((cell) => cell.trim())).to.deep.equal([
        "",
        row,
        ...seconds.map((each) => `${each} s`),
        `${bytes} bytes`,
        "",
      ]);
    });
  }
});
