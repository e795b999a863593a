import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { FAULT_CASES } from "../faults/index.js";
import { POLICY } from "../../provider/service/retry/policy.js";

const read = (file: string) => readFileSync(path.resolve(__dirname, "../..", file), "utf8");

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

describe("docs/behaviour.md", () => {
  it("prints the policy of the code row for row, with the number of cases in the fault table", () => {
    const [, table = ""] =
      /<!-- policy -->\n\n([^]*?)\n\n<!-- end of policy -->/.exec(read("docs/behaviour.md")) ?? [];
    expect(cellsOf(table)).to.deep.equal(
      POLICY.map(({ answer, verdict, delivery, because }) => [
        answer,
        OUTCOMES[verdict],
        delivery === "unknown" ? "maybe" : "",
        because,
        String(FAULT_CASES.filter(({ row, look }) => row === answer || look?.row === answer).length),
      ]),
    );
  });
});

describe("README.md", () => {
  it("shows control planes that the quickstart has", () => {
    const [, sample = ""] = /```\n(Diagnostics:[^]*?)```/.exec(read("README.md")) ?? [];
    const shown = new Set(sample.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g));
    expect(shown.size).to.be.greaterThan(1);
    for (const id of shown) expect(read("tools/quickstart/main.ts")).to.contain(id);
  });
});
