import { expect } from "chai";
import { renderScores } from "../../tools/mutation/score-table.js";

const mutants = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses).flatMap(([status, count]) => Array.from({ length: count }, () => ({ status })));

describe("the table of the mutation tests", () => {
  it("has a row for each folder by name and one for all, and leaves out what says nothing about the tests", () => {
    const files = {
      "provider/b/two.ts": { mutants: mutants({ Killed: 1, Survived: 1, NoCoverage: 1 }) },
      "provider/b/one.ts": { mutants: mutants({ Killed: 2 }) },
      "provider/a/one.ts": {
        mutants: mutants({ Killed: 14, Timeout: 1, Ignored: 5, CompileError: 1, RuntimeError: 1 }),
      },
      "provider/types.ts": { mutants: [] },
    };
    // Prettier aligns the table in the same way, so that the document passes its check.
    expect(renderScores({ files }).split("\n")).to.deep.equal([
      "| folder       | files | mutants | killed | timed out | survived | not covered | score |",
      "| ------------ | ----: | ------: | -----: | --------: | -------: | ----------: | ----: |",
      "| `provider/a` |     1 |      15 |     14 |         1 |        0 |           0 | 100.0 |",
      "| `provider/b` |     2 |       5 |      3 |         0 |        1 |           1 |  60.0 |",
      "| **all**      |     3 |      20 |     17 |         1 |        1 |           1 |  90.0 |",
    ]);
  });
});
