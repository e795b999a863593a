import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";

const ROOT = path.resolve(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

/** All pages, by their path from the root. */
const PAGES = ["", "docs", "examples", ".github"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: folder !== "", encoding: "utf8" }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter((file) => file.endsWith(".md") && !/(^|\/)(node_modules|dist)\//.test(file));

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replace(/\s/g, "-"),
  );
}

describe("the pages of the documentation", () => {
  it("are all searched", () => {
    expect(PAGES).to.include.members([
      ...["README.md", "CHANGELOG.md", "docs/behavior.md"],
      ...["docs/decisions/proof.md", "examples/adopt-and-destroy/README.md"],
    ]);
  });

  for (const page of PAGES) {
    it(`${page} links to files and headings that exist`, () => {
      for (const [, link = ""] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(link)) continue;
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? page : path.join(path.dirname(page), file);
        expect(existsSync(path.join(ROOT, target)), link).to.equal(true);
        if (anchor !== undefined) expect(anchorsOf(target), link).to.include(anchor);
      }
    });

    it(`${page} names files of the repository that exist, and has no placeholder`, () => {
      const text = read(page);
      const named = text.matchAll(
        /`((?:provider|emulator|examples|test|tools|docs|\.ci|\.github)\/[\w./-]+)`/g,
      );
      for (const [, file = ""] of named) expect(existsSync(path.join(ROOT, file)), file).to.equal(true);
      expect(text).not.to.match(/@@|\bT[O]DO\b|\bT[B]D\b/);
    });
  }
});

describe("docs/README.md", () => {
  it("lists every page of docs/", () => {
    const listed = [...read("docs/README.md").matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, file = ""]) =>
      path.join("docs", file),
    );
    const pages = PAGES.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
    expect(listed).to.include.members(pages);
    expect(listed).to.have.length(new Set(listed).size);
  });
});
