import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { makeReferencePage } from "../../tools/reference/reference-page.js";
import { ROOT } from "../../tools/repository.js";

const PAGE = readFileSync(path.join(ROOT, "docs/reference.md"), "utf8");

/** What the examples use, besides what they declare. */
const PRELUDE = `
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { ControlPlane, ControlPlaneSet, getControlPlane, selectControlPlanes } from "./provider/index.js";
import type * as types from "./provider/index.js";
import { destroyControlPlanes, renderReport } from "./provider/automation/index.js";
import type * as automation from "./provider/automation/index.js";
declare const stop: AbortController;
declare const report: automation.Report;
`;

/** Returns the text below each heading, by the heading. */
function sectionsOf(page: string): readonly (readonly [heading: string, text: string])[] {
  return page
    .split(/^#+ /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0] ?? "", section] as const);
}

/** Returns the cells of the rows of a table that begin with code. */
function cellsOf(table: string): readonly (readonly string[])[] {
  const rows = table.split("\n").filter((line) => /^\| ?`/.test(line));
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns the code of all examples that are blocks, each in a function of its own. */
function exampleBlocks(page: string): readonly string[] {
  const sections = sectionsOf(page).filter(([heading]) => /^Examples?$/.test(heading));
  return sections
    .flatMap(([, text]) => [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ""]) => code))
    .map((code, index) => `async function example${index}() {\n${code.replace(/^export /gm, "")}}`);
}

/** Returns an object for each interface, with the examples of its members. */
function exampleMembers(page: string): readonly string[] {
  let owner = "";
  return sectionsOf(page).flatMap(([heading, text]) => {
    owner = heading;
    const examples = [...text.matchAll(/ Example: `([^`]*)`/g)].map(([, example = ""]) => example);
    const entry = owner === "DestroyControlPlanesOptions" ? "automation" : "types";
    return examples.length === 0
      ? []
      : [`const of${owner}: Partial<${entry}.${owner}> = { ${examples.join(", ")} };`];
  });
}

/** Returns what the compiler says about a file at the top of the repository, which is not written. */
function compile(code: string): readonly string[] {
  const file = path.join(ROOT, "reference-examples.ts");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (name) => ts.sys.readFile(name)).config,
    ts.sys,
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (name) => name === file || disk.fileExists(name);
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, code, version) : disk.getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file], options, host);
  return [
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(program.getSourceFile(file)),
  ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("docs/reference.md", function () {
  this.timeout(60_000);

  it("is what npm run reference makes of the doc comments", async () => {
    expect(await makeReferencePage(), "run npm run reference").to.equal(PAGE);
  });

  it("names no file of this machine, and no place in a file that a user does not have", () => {
    expect(PAGE).not.to.match(/Defined in|file:\/\/|provider\/\w|\/(?:home|root|tmp|work)\//);
  });

  it("says of each argument of a control plane what its default is and what a change does", () => {
    const tables = sectionsOf(PAGE).filter(([, text]) => text.includes("|when it changes|"));
    expect(tables).to.have.length.of.at.least(5);
    for (const [, text] of tables) {
      expect(cellsOf(text)).not.to.have.length(0);
      for (const cells of cellsOf(text)) expect(cells, cells[0]).not.to.include("");
    }
  });

  it("says of each argument of a created control plane what docs/behavior.md says of a change", () => {
    const behavior = readFileSync(path.join(ROOT, "docs/behavior.md"), "utf8");
    const [, effects = ""] = /<!-- changes -->\n\n([^]*?)\n\n<!-- end of changes -->/.exec(behavior) ?? [];
    const parts = ["CreateControlPlaneArgs", "ControlPlaneLocation", "DeletionGuards"];
    const tables = sectionsOf(PAGE).filter(([heading]) => parts.includes(heading));
    const said = new Map(
      tables.flatMap(([, text]) =>
        cellsOf(text).map((cells) => [(cells[0] ?? "").replace("?", ""), cells.at(-1) ?? ""]),
      ),
    );
    const rows = cellsOf(effects).flatMap(([names = "", ...cells]) =>
      names.split(", ").map((name) => [name, ...cells] as const),
    );
    expect(rows.map(([name]) => name)).to.have.members([...said.keys()]);
    for (const [name, changed = "", dropped = ""] of rows) {
      const [, other] = /^Like (`\w+`)/.exec(said.get(name) ?? "") ?? [];
      const words = (said.get(other ?? name) ?? "").toLowerCase().replace("**replaces**", "replaced");
      expect(words.startsWith(changed), `${name}: ${changed}`).to.equal(true);
      if (!["–", changed].includes(dropped)) expect(words, name).to.contain(dropped);
    }
  });

  it("has examples that compile", () => {
    const [blocks, members] = [exampleBlocks(PAGE), exampleMembers(PAGE)];
    expect(blocks).to.have.length.of.at.least(8);
    expect(members).to.have.length.of.at.least(10);
    // The compiler finds the mistake, and nothing else.
    const mistake = 'function mistake() { new ControlPlane("edge", { nmae: "edge" }); }';
    const found = compile([PRELUDE, ...blocks, ...members, mistake].join("\n"));
    expect(found, found.join("\n")).to.have.length(1);
    expect(found[0]).to.contain("nmae");
  });
});
