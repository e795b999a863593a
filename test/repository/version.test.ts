import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { VERSION } from "../../provider/version.js";

describe("the version", () => {
  it("is that of the package", () => {
    const file = path.resolve(__dirname, "../../provider/package.json");
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
    expect(VERSION).to.equal(version);
  });
});
