import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { POLICY } from "../../provider/service/policy.js";

const OUTCOMES = { done: "deleted", gone: "already gone", retry: "retried", stop: "error" } as const;

describe("docs/behaviour.md", () => {
  it("prints the policy that the code follows, row for row", () => {
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
      ]),
    );
  });
});
