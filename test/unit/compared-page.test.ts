import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../../tools/repository.js";

/** What the last column of a table quotes: words of a title, and the file where it names another one than usual. */
const QUOTED = /\| (?:`(test\/\S+\.ts)` )?"([^"|]+)" +\|$/gm;
const USUAL = "test/e2e/destroy-answers.test.ts";

const NAMED = [...readFileSync(path.join(ROOT, "docs/compared.md"), "utf8").matchAll(QUOTED)].map(
  ([, file = USUAL, words = ""]) => ({ file, words }),
);

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
});
