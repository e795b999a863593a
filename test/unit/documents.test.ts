import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { FAULT_CASES } from "../faults/index.js";
import { POLICY } from "../../provider/service/policy.js";

const OUTCOMES = { done: "deleted", gone: "already gone", retry: "retried", stop: "error" } as const;

describe("docs/behaviour.md", () => {
  it("prints the policy that the code follows, row for row, with the number of cases in the fault table", () => {
    const text = readFileSync(path.resolve(__dirname, "../../docs/behaviour.md"), "utf8");
    const [, table = ""] = /<!-- policy -->\n\n([^]*?)\n\n<!-- end of policy -->/.exec(text) ?? [];
    const printed = table
      .split("\n")
      .slice(2)
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(printed).to.deep.equal(
      POLICY.map(({ answer, verdict, fateUnknown, because }) => [
        answer,
        OUTCOMES[verdict],
        fateUnknown ? "maybe" : "",
        because,
        String(FAULT_CASES.filter(({ row }) => row === answer).length),
      ]),
    );
  });
});

describe("README.md", () => {
  it("shows the control planes of the quickstart as they are", () => {
    const read = (file: string) => readFileSync(path.resolve(__dirname, "../..", file), "utf8");
    const [, sample = ""] = /```\n(Diagnostics:[^]*?)```/.exec(read("README.md")) ?? [];
    const shown = new Set(sample.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g));
    expect(shown.size).to.be.greaterThan(1);
    for (const id of shown) expect(read("tools/quickstart/main.ts")).to.contain(id);
  });
});
