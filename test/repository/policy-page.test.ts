import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { POLICY } from "../../provider/service/retry/policy.js";
import { FAULT_CASES } from "../faults/index.js";

const OUTCOMES = {
  done: "success",
  gone: "already gone",
  retry: "retried",
  confirm: "confirmed by a GET",
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
  it("prints the policy of the code row for row", () => {
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
      ]),
    );
  });
});

describe("the fault table", () => {
  it("has a case for each row of the policy, but for those that have tests of their own", () => {
    const rows = FAULT_CASES.flatMap(({ row, confirmation }) => [row, confirmation?.row]);
    const without = POLICY.map(({ answer }) => answer).filter((answer) => !rows.includes(answer));
    expect(without).to.deep.equal([
      // test/pure/service/creation.test.ts
      "404 with the service's problem document, less than two minutes after the creation",
      "403 with the service's problem document, less than two minutes after the creation",
      "400 that names a member that does not exist, less than two minutes after its creation",
      // test/host/network.test.ts
      "no answer: the proxy failed",
      "no answer: the proxy is unusable",
      // test/pure/service/retry/run-call-time.test.ts
      "interrupted",
    ]);
  });
});
