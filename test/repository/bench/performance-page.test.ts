import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { renderPage, replaceMeasured } from "../../../tools/bench/page/performance-page.js";
import { ROOT } from "../../../tools/repository.js";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

const RESULTS = readdirSync(path.join(ROOT, "docs/internals")).filter((file) =>
  /^performance.*\.json$/.test(file),
);

describe("docs/internals/performance.md", () => {
  it("has the results of all sizes, and of the largest ones", () => {
    expect(RESULTS).to.have.members(["performance.json", "performance-large.json"]);
  });

  for (const file of RESULTS) {
    it(`shows what docs/internals/${file} holds (npm run bench -- --render docs/internals/${file})`, () => {
      for (const [rendered, text] of Object.entries(renderPage(path.join(ROOT, "docs/internals", file)))) {
        expect(read(rendered), rendered).to.equal(text);
      }
    });
  }

  it("has a picture", () => {
    const rendered = renderPage(path.join(ROOT, "docs/internals/performance.json"));
    expect(rendered).to.have.all.keys("docs/internals/performance.md", "docs/images/performance.svg");
  });

  it("says which comments are missing around the tables of a file", () => {
    const page = "<!-- from a.json -->\n\nold\n\n<!-- end of a.json -->\nrest\n";
    expect(replaceMeasured(page, "a.json", "new")).to.equal(
      "<!-- from a.json -->\n\nnew\n\n<!-- end of a.json -->\nrest\n",
    );
    expect(() => replaceMeasured(page, "b.json", "new")).to.throw(
      'docs/internals/performance.md has no place for b.json: it needs the lines "<!-- from b.json -->" and "<!-- end of b.json -->"',
    );
  });
});
