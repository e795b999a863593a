import { expect } from "chai";
import fc from "fast-check";
import { safe, safeText, type SafeText } from "../../../provider/text/safe-text.js";
import { displayWidth, renderTable, wrapText } from "../../../provider/text/table.js";

const cells = (...rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((text) => safeText(text, 200)));

describe("a table", () => {
  it("lines up its columns, with two blanks between them and none at the end", () => {
    const rows = cells(["name", "attempts", "x"], ["a", "1", ""], ["payments", "10", "y"]);
    expect(renderTable(rows, [{}, { align: "right" }, {}])).to.deep.equal([
      "name      attempts  x",
      "a                1",
      "payments        10  y",
    ]);
  });

  it("cuts a cell that is wider than its column", () => {
    expect(renderTable(cells(["abcdef", "x"], ["abcd", "x"]), [{ maxWidth: 4 }, {}])).to.deep.equal([
      "abc…  x",
      "abcd  x",
    ]);
  });

  it("counts wide characters twice and combining marks not at all", () => {
    expect(["abc", "環境", "한글", "ｆｕ", "😀", "e\u0301", ""].map(displayWidth)).to.deep.equal([
      3, 4, 4, 4, 2, 1, 0,
    ]);
    expect(renderTable(cells(["環境", "x"], ["abcde", "x"]), [{}, {}])).to.deep.equal([
      "環境   x",
      "abcde  x",
    ]);
    expect(renderTable(cells(["環境環境", "x"]), [{ maxWidth: 4 }, {}])).to.deep.equal(["環…   x"]);
  });

  it("lines up 200,000 rows", function () {
    this.timeout(60_000);
    const rows = Array.from({ length: 200_000 }, (_, n) => [safe`${n}`, safe`x`]);
    const lines = renderTable(rows, [{}, {}]);
    expect([lines[0], lines.at(-1)]).to.deep.equal(["0       x", "199999  x"]);
  });

  it("has no lines without rows", () => {
    expect(renderTable([], [{}])).to.deep.equal([]);
  });
});

describe("wrapped text", () => {
  it("is broken at blanks, and a long word stays whole", () => {
    expect(wrapText(safe`one two three`, 7)).to.deep.equal(["one two", "three"]);
    expect(wrapText(safe`a https://long.example b`, 5)).to.deep.equal(["a", "https://long.example", "b"]);
    expect(wrapText(safe``, 5)).to.deep.equal([""]);
  });

  it("is one line of thousands of words where there is no width, in time that grows with its length", () => {
    const text = "word ".repeat(20_000).trim() as SafeText;
    expect(wrapText(text, Infinity)).to.deep.equal([text]);
    expect(wrapText(text, 99_998)).to.have.length(2);
  });

  it("counts wide words by their cells", () => {
    expect(wrapText(safe`環境 環境 ab`, 9)).to.deep.equal(["環境 環境", "ab"]);
    expect(wrapText(safe`環境 環境 ab`, 8)).to.deep.equal(["環境", "環境 ab"]);
  });

  it("loses no word", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\w{1,9}$/), { minLength: 1 }), fc.nat(30), (words, width) => {
        const text = safeText(words.join(" "), 10_000);
        expect(wrapText(text, width).join(" ")).to.equal(text);
      }),
    );
  });
});
