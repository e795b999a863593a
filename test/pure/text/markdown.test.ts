import { expect } from "chai";
import { countMore, fitLines, markdownCode, markdownCodeCell } from "../../../provider/text/markdown.js";
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

describe("lines that have to fit", () => {
  it("are the first ones, counted in bytes with their line breaks", () => {
    expect(fitLines(["ab", "cd", "ef"], 6)).to.deep.equal(["ab", "cd"]);
    expect(fitLines(["ab", "cd", "ef"], 9)).to.deep.equal(["ab", "cd", "ef"]);
    expect(fitLines(["制", "b"], 4), "three bytes and a line break").to.deep.equal(["制"]);
    expect(fitLines(["制", "b"], 3)).to.deep.equal([]);
  });

  it("are followed by the number of the others, and by where those are", () => {
    expect(countMore(2)).to.deep.equal(["… and 2 more, which the JSON format has"]);
    expect(countMore(0)).to.deep.equal([]);
  });
});
