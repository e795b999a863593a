import { readFileSync, statSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { PICTURE, readRecording, renderPicture } from "../../../tools/screenshot/readme-picture.js";

describe("the picture in README.md", () => {
  // test/cli/quickstart.test.ts compares the recording with what the quickstart prints.
  it("is made from the recording; after a change of either, run: npm run screenshot", async () => {
    expect(readFileSync(PICTURE, "utf8")).to.equal(await renderPicture(readRecording()));
  });

  it("shows a retried 503, a refusal with its next step, and the sum", () => {
    const lines = readRecording().lines.map(stripVTControlCharacters);
    expect(lines.some((line) => /^ +503, retry 2 of 10 in /.test(line))).to.equal(true);
    expect(lines.some((line) => /^ +403 Permission denied: control plane "audit"/.test(line))).to.equal(true);
    expect(lines.some((line) => /^ +next +give the system account the Admin role/.test(line))).to.equal(true);
    expect(lines.at(-1)).to.equal("5 control planes: 3 deleted, 1 already gone, 1 failed");
  });

  it("is small, and as wide as a terminal that a reader has", () => {
    expect(statSync(PICTURE).size).to.be.below(60_000);
    expect(readRecording().columns).to.be.at.most(110);
  });
});
