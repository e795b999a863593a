import { expect } from "chai";
import { takeExcerpts } from "../../../tools/screenshot/excerpt.js";

const OMITTED = "\u001b[2m⋮\u001b[0m";
const OUTPUT = ["$ a", "one  ", "  \u001b[31mtwo\u001b[0m: 2", "three", "$ b", "two: 4", ""].join("\n");

describe("excerpts of an output", () => {
  it("are joined by a line for what is left out, and keep colors and indentation", () => {
    const excerpts = [
      { first: "$ a", last: "$ a" },
      { first: "two", last: "three" },
      { first: "two", last: "two" },
    ];
    expect(takeExcerpts(OUTPUT, excerpts)).to.deep.equal([
      ...["$ a", OMITTED, "  \u001b[31mtwo\u001b[0m: 2", "three"],
      ...[OMITTED, "two: 4"],
    ]);
  });

  it("that follow each other have no line between them", () => {
    const excerpts = [
      { first: "$ a", last: "one" },
      { first: "two", last: "two" },
    ];
    expect(takeExcerpts(OUTPUT, excerpts)).to.deep.equal(["$ a", "one", "  \u001b[31mtwo\u001b[0m: 2"]);
  });

  it("that are not in the output, or in another order, are an error that names the line", () => {
    expect(() => takeExcerpts(OUTPUT, [{ first: "four", last: "four" }])).to.throw('begins with "four"');
    const reversed = [
      { first: "three", last: "three" },
      { first: "one", last: "one" },
    ];
    expect(() => takeExcerpts(OUTPUT, reversed)).to.throw('begins with "one" after line 4');
  });
});
