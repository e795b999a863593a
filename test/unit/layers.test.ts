import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { VERSION } from "../../provider/version.js";

const provider = path.resolve(__dirname, "../../provider");
const textOf = (source: string) => readFileSync(path.join(provider, source), "utf8");

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(path.join(provider, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => folder + name);
}

/** What a source names in its import and export statements, and in calls of import and require. */
function importsOf(source: string): readonly string[] {
  const statements = textOf(source).matchAll(
    /(?:\bfrom|^import|\bimport\(|\brequire\()\s*["']([^"']+)["']/gm,
  );
  return [...statements].map(([, name = ""]) => name);
}

function forbidden(folder: string, pattern: RegExp): readonly string[] {
  return sourcesIn(folder).flatMap((source) =>
    importsOf(source)
      .filter((name) => pattern.test(name))
      .map((name) => `${source} imports ${name}`),
  );
}

describe("the layers", () => {
  it("are read as they stand", () => {
    expect(sourcesIn("service/")).to.include("service/client.ts");
    expect(sourcesIn("hooks/")).to.include("hooks/diff.ts");
    expect(importsOf("service/client.ts")).to.include("./control-plane.js");
    expect(importsOf("hooks/diff.ts")).to.include("../service/errors.js");
    expect(importsOf("control-plane.ts")).to.include("@pulumi/pulumi");
  });

  it("of the service import nothing that stands above them", () => {
    expect(forbidden("service/", /^\.\.\/|^@pulumi\/|^pulumi-/)).to.deep.equal([]);
  });

  it("of the hooks import neither Pulumi nor the entry nor the resource", () => {
    expect(
      forbidden("hooks/", /^@pulumi\/|^pulumi-|^\.\.\/(v1|control-plane|host|run|deadline|index)\.js$/),
    ).to.deep.equal([]);
  });

  it("let only the resource import Pulumi", () => {
    const importing = sourcesIn("./").filter((source) =>
      importsOf(source).some((name) => name.startsWith("@pulumi/")),
    );
    expect(importing).to.deep.equal(["./control-plane.ts"]);
  });

  it("name everything that they export", () => {
    const sources = ["./", "hooks/", "service/"].flatMap(sourcesIn);
    expect(sources.filter((source) => /export\s*(type\s*)?\*/.test(textOf(source)))).to.deep.equal([]);
  });
});

describe("what stays the same between releases", () => {
  it("is the text in the state", () => {
    const constants = [...textOf("control-plane.ts").matchAll(/^const PROVIDER = '(.*)';$/gm)].map(
      ([, text]) => text,
    );
    expect(constants).to.deep.equal(['exports.handler=()=>require("pulumi-konnect-control-planes/v1")']);
    expect(textOf("control-plane.ts")).to.contain("__provider: PROVIDER");
  });

  it("is what that text loads: the hooks, by these names", async () => {
    const entry = (await import("../../provider/v1.js")) as Readonly<Record<string, unknown>>;
    const names = Object.keys(entry).filter((name) => name !== "default" && name !== "module.exports");
    expect(names.sort()).to.deep.equal(["check", "configure", "create", "delete", "diff", "read", "update"]);
    for (const name of names) expect(entry[name], name).to.be.a("function");
  });

  it("is the number of arguments of each hook", async () => {
    const entry = (await import("../../provider/v1.js")) as unknown as Readonly<
      Record<string, { length: number }>
    >;
    const numbers = { configure: 1, check: 2, diff: 3, create: 1, read: 2, update: 2, delete: 2 };
    for (const [name, number] of Object.entries(numbers)) expect(entry[name]?.length, name).to.equal(number);
  });
});

describe("the version", () => {
  it("is the one of the package", () => {
    const { version } = JSON.parse(textOf("package.json")) as { version: string };
    expect(VERSION).to.equal(version);
  });
});
