import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../../../tools/repository.js";

/** Returns the titles of all cases in this folder. */
function titles(): string[] {
  const files = readdirSync(__dirname).filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) => {
    const text = readFileSync(path.join(__dirname, file), "utf8");
    return [...text.matchAll(/^ {2}it\("(.*)", /gm)].map(([, title = ""]) => title);
  });
}

/** Returns the cells of each row in the page's tables, without the header. */
function rows(): string[][] {
  const text = readFileSync(path.join(ROOT, "docs/internals/pulumi-features.md"), "utf8");
  return text
    .split("\n")
    .filter((line) => /^\| (?!Feature |-)/.test(line))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

describe("docs/internals/pulumi-features.md", () => {
  it("names a case of this folder in each row that is not marked as not applicable", () => {
    const named = rows().filter(([, result]) => result !== "not applicable");
    expect(named.length).to.be.greaterThan(30);
    for (const [feature, , , title] of named) expect(titles(), feature).to.include(title);
  });

  it("says of each feature whether it works, in the same words everywhere", () => {
    const results = ["works", "works, see note", "does not work", "not applicable"];
    for (const [feature, result] of rows()) expect(results, feature).to.include(result);
  });
});
