import { expect } from "chai";
import { renderColumns } from "../../../tools/columns.js";

describe("columns of plain text", () => {
  it("are as wide as their longest cell, with two blanks between them", () => {
    const rows = [
      ["name", "outcome", "answers"],
      ["payments", "deleted", "204"],
      ["a", "not deleted", "503, 403"],
    ];
    expect(renderColumns(rows).split("\n")).to.deep.equal([
      "name      outcome      answers",
      "payments  deleted      204",
      "a         not deleted  503, 403",
    ]);
  });

  it("end without blanks, also where the last cells are empty", () => {
    expect(renderColumns([["a", ""], ["bb", "cc"], [""]])).to.equal("a\nbb  cc\n");
  });

  it("line up on the right where that is asked for", () => {
    const rows = [
      ["attempts", "", "name"],
      ["1", "a", "b"],
      ["10", "aa", "bb"],
    ];
    expect(renderColumns(rows, { align: ["right", "left", "right"] }).split("\n")).to.deep.equal([
      "attempts      name",
      "       1  a      b",
      "      10  aa    bb",
    ]);
  });

  it("may differ in number from row to row", () => {
    expect(renderColumns([["a"], ["bbb", "c"], []])).to.equal("a\nbbb  c\n");
  });

  it("are an empty text when there are no rows", () => {
    expect(renderColumns([])).to.equal("");
  });
});
