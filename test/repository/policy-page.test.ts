import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { POLICY } from "../../provider/service/retry/policy.js";
import { FAULT_CASES } from "../faults/index.js";

const OUTCOMES = {
  done: "success",
  gone: "already gone",
  retry: "retried",
  settle: "settled by a GET",
  stop: "error",
} as const;

/** Returns the cells of a Markdown table, row by row, without its heading. */
function cellsOf(table: string): string[][] {
  return table
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe("docs/behavior.md", () => {
  it("prints the policy of the code row for row, with the number of cases in the fault table", () => {
    const [, table = ""] =
      /<!-- policy -->\n\n([^]*?)\n\n<!-- end of policy -->/.exec(
        readFileSync(path.resolve(__dirname, "../../docs/behavior.md"), "utf8"),
      ) ?? [];
    expect(cellsOf(table)).to.deep.equal(
      POLICY.map(({ answer, verdict, delivery, because }) => [
        answer,
        OUTCOMES[verdict],
        delivery === "unknown" ? "maybe" : "",
        because,
        String(
          FAULT_CASES.filter(({ row, confirmation }) => row === answer || confirmation?.row === answer)
            .length,
        ),
      ]),
    );
  });
});
