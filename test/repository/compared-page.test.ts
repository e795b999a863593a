import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { ContenderId } from "../../tools/bench/contenders.js";
import { elapsedMs, summarize } from "../../tools/bench/page/summary.js";
import { readResult } from "../../tools/bench/result-file.js";
import { ROOT } from "../../tools/repository.js";

/** What the last column of a table quotes: words of a title, and the file where it names another one than usual. */
const QUOTED = /\| (?:`(test\/\S+\.ts)` )?"([^"|]+)" +\|$/gm;
const USUAL = "test/cli/destroy-answers.test.ts";

const PAGE = readFileSync(path.join(ROOT, "docs/compared.md"), "utf8");

const NAMED = [...PAGE.matchAll(QUOTED)].map(([, file = USUAL, words = ""]) => ({ file, words }));

/** The rows of the table of times. */
const TIMES: readonly (readonly [row: string, contender: ContenderId])[] = [
  ["in one `ControlPlaneSet`", "set"],
  ["a `ControlPlane` for each, fast mode", "fast"],
  ["a `ControlPlane` for each", "each"],
  ["an ordinary dynamic provider of Pulumi", "ordinary"],
];

describe("docs/compared.md", () => {
  it("names a test in most of its rows", () => {
    expect(NAMED.length).to.be.greaterThan(14);
  });

  for (const { file, words } of NAMED) {
    it(`names a test that exists: ${file} "${words}"`, () => {
      const source = readFileSync(path.join(ROOT, file), "utf8");
      // The titles of the runbook's tests are the headings of its page.
      const titles = file.endsWith("runbook.test.ts")
        ? readFileSync(path.join(ROOT, "docs/runbook.md"), "utf8")
        : source;
      expect(titles).to.contain(words);
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
