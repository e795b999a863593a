import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";

const read = (file: string) => readFileSync(path.resolve(__dirname, "../../docs/images", file), "utf8");

/** Returns the text of a picture, without what only places and colors it. */
function textOf(svg: string): string {
  const pieces = [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, text = ""]) => text);
  return pieces.join(" ").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
}

// test/cli/quickstart.test.ts compares the text with what the quickstart prints.
describe("the picture in README.md", () => {
  it("shows its text, which the package has in its place", () => {
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
    expect(words(textOf(read("destroy.svg")))).to.deep.equal(words(read("destroy.txt")));
  });
});
