import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";

const ROOT = path.resolve(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const readManifest = (folder: string) =>
  JSON.parse(read(`${folder}/package.json`)) as Readonly<Record<string, Readonly<Record<string, string>>>>;

const README = read("README.md");
const lines = README.split("\n");

// test/cli/packed.test.ts follows the lines of README.md, and test/cli/quickstart.test.ts holds its picture.
describe("README.md", () => {
  it("says what it is, when to use it and its status, and then how to install and use it", () => {
    const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
    expect(headings).to.deep.equal([
      ...["When to use it", "Status", "Installation", "A first program", "Many at once"],
      ...["Every night", "Try it without an account", "Documentation"],
    ]);
  });

  it("has about 600 words, with its commands", () => {
    expect(README.split(/\s+/).length).to.be.at.most(650);
  });

  it("warns of a removed resource in bold", () => {
    expect(README).to.contain("**Removing a resource from the program deletes its control planes**");
  });

  it("names the commands that a newcomer runs in a clone", () => {
    expect(README).to.contain("`npm run quickstart`").and.to.contain("`npm cit`");
  });

  it("names the version and the versions that the package supports", () => {
    const { version } = JSON.parse(read("provider/package.json")) as { readonly version: string };
    expect(README).to.contain(`Version ${version}.`);
    const { engines, peerDependencies } = readManifest("provider");
    expect(engines?.node).to.equal("^20.19.0 || ^22.12.0 || >=24.0.0");
    expect(README).to.contain("Node.js 20.19+, 22.12+ and 24+");
    expect(peerDependencies?.["@pulumi/pulumi"]).to.equal("^3.139.0");
    expect(README).to.contain("`@pulumi/pulumi` 3.139 and newer; 3.248 is the last release");
    expect(README).to.contain(` @pulumi/pulumi@${readManifest(".").dependencies?.["@pulumi/pulumi"]}\n`);
  });
});
