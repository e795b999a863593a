import { expect } from "chai";
import { renderScores } from "../../tools/mutation/score-table.js";

const mutants = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses).flatMap(([status, count]) => Array.from({ length: count }, () => ({ status })));

describe("the table of the mutation tests", () => {
  it("has a row for each file by name and one for all, and leaves out what says nothing about the tests", () => {
    const files = {
      "b.ts": { mutants: mutants({ Killed: 1, Survived: 1, NoCoverage: 1 }) },
      "a.ts": { mutants: mutants({ Killed: 14, Timeout: 1, Ignored: 5, CompileError: 1, RuntimeError: 1 }) },
      "types.ts": { mutants: [] },
    };
    // Prettier aligns the table in the same way, so that the document passes its check.
    expect(renderScores({ files }).split("\n")).to.deep.equal([
      "| file    | mutants | killed | timed out | survived | not covered | score |",
      "| ------- | ------: | -----: | --------: | -------: | ----------: | ----: |",
      "| `a.ts`  |      15 |     14 |         1 |        0 |           0 | 100.0 |",
      "| `b.ts`  |       3 |      1 |         0 |        1 |           1 |  33.3 |",
      "| **all** |      18 |     15 |         1 |        1 |           1 |  88.9 |",
    ]);
  });
});
