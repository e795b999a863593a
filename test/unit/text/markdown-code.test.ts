import { expect } from "chai";
import { markdownCode, markdownCodeCell } from "../../../provider/text/markdown-code.js";
import { safe, safeName } from "../../../provider/text/safe-text.js";

describe("a Markdown code span", () => {
  const spans: readonly (readonly [text: string, span: string])[] = [
    ["@team #1 <b>", "`@team #1 <b>`"],
    ["a`b", "`` a`b ``"],
    ["``a` b```", "```` ``a` b``` ````"],
    ["|", "`|`"],
  ];
  for (const [text, span] of spans) {
    it(`of ${text} is ${span}`, () => expect(markdownCode(safeName(text))).to.equal(span));
  }

  it("of a blank text is an empty text, because two backticks would stand for themselves", () => {
    expect(markdownCode(safe` `)).to.equal("");
  });

  it("keeps a pipe inside its cell, and the escape of a pipe in force", () => {
    expect(markdownCodeCell(safeName("a|b"))).to.equal("`a\\|b`");
    expect(markdownCodeCell(safeName("a\\|b"))).to.equal("`a\\ \\|b`");
  });
});
