import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../../../tools/repository.js";
import { pageOf, TABLE_BEGINS } from "./render-table.js";
import { DECLARED_TWICE, SHARED_RUNS } from "./table/index.js";

/** The parts of a text that mean something: prettier pads the cells of a table. */
function partsOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").replaceAll(/-{3,}/g, "---").trim())
    .filter((line) => line !== "");
}

describe("docs/internals/pairs.md", () => {
  it("prints the table of pairs (node --import=tsx test/cli/pairs/write-page.ts writes it)", () => {
    const page = readFileSync(path.join(ROOT, "docs/internals/pairs.md"), "utf8");
    const table = page.slice(page.indexOf(TABLE_BEGINS) + TABLE_BEGINS.length);
    expect(partsOf(table)).to.deep.equal(partsOf(pageOf([...DECLARED_TWICE, ...SHARED_RUNS])));
  });
});
