import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";

const ROOT = path.resolve(__dirname, "../..");
const PROVIDER = path.join(ROOT, "provider");

/** Every room of provider/, with the rooms and the packages that its files may import besides their own room. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  "service/problem": ["text"],
  "service/http": ["text", "service/problem", "axios"],
  "service/operations": ["text", "service/problem", "service/http"],
  "service/operations/lists": ["text", "service/problem", "service/http", "service/operations"],
  "service/retry": ["text", "service/problem", "service/http", "service/operations", "p-retry"],
  "service/failure": ["text", "service/problem", "service/http", "service/operations", "service/retry"],
  service: [
    "text",
    "service/http",
    "service/operations",
    "service/operations/lists",
    "service/retry",
    "service/failure",
  ],
  settings: ["text", "service/http", "service/retry", "service/failure"],
  report: ["text", "service/problem", "service/operations", "service/retry", "service/failure"],
  "report/formats/html": ["text", "report"],
  "report/formats": ["text", "report", "report/formats/html"],
  state: ["text", "service/problem", "service/http", "service/operations", "service/failure"],
  "hooks/arguments": [
    "text",
    ...["service/http", "service/problem", "service/operations", "service/failure", "settings", "state"],
  ],
  "hooks/set": [
    "text",
    ...[
      "service",
      "service/http",
      "service/problem",
      "service/operations",
      "service/operations/lists",
      "service/failure",
    ],
    ...["settings", "hooks", "hooks/arguments", "state"],
  ],
  hooks: [
    "text",
    ...["hooks/arguments", "state"],
    ...["service", "service/problem", "service/http", "service/operations"],
    ...["service/operations/lists", "service/retry", "service/failure", "settings", "report"],
  ],
  "hooks/adopted": [
    "text",
    ...["hooks", "hooks/arguments", "state", "service/operations", "service/failure"],
  ],
  "hooks/created": [
    "text",
    ...["hooks", "hooks/arguments", "state"],
    ...["service", "service/operations", "service/failure"],
  ],
  "hooks/resource": [
    "text",
    ...["hooks", "hooks/adopted", "hooks/created", "hooks/arguments", "state"],
    ...["service/operations", "service/failure"],
  ],
  session: [
    "text",
    ...["service", "service/http", "service/retry", "service/failure", "settings", "report", "hooks", "."],
  ],
  lookups: [
    "text",
    ...["service", "service/problem", "service/operations", "service/operations/lists", "service/failure"],
    ...["settings", "report", "hooks", "hooks/arguments", "state", "session", "@pulumi/pulumi"],
  ],
  plan: [
    "text",
    ...[
      "service",
      "service/http",
      "service/operations",
      "service/operations/lists",
      "service/retry",
      "service/failure",
    ],
    ...["hooks", "state"],
  ],
  automation: ["text", "report", "report/formats", "state", "@pulumi/pulumi/automation/index.js"],
  dynamic: [
    "text",
    ...["service/http", "service/retry", "service/failure"],
    ...["report", "hooks", "hooks/resource", "hooks/set", "state", "session"],
  ],
  cli: ["text", "service/failure", "report", "report/formats", "session", "plan", "."],
  ".": ["lookups", "@pulumi/pulumi"],
};

/** Returns the TypeScript files of a folder, by their path from there. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/(^|\/)(dist|node_modules)\//.test(file))
    .sort();
}

const FILES = sourcesIn(PROVIDER);

const textOf = (file: string) => readFileSync(path.join(PROVIDER, file), "utf8");

/** Returns what a file imports: its own files by their path from provider/, packages by name. */
function importsOf(file: string): readonly string[] {
  // A single-quoted literal holds code as text: what the state of a resource loads.
  const code = textOf(file).replace(/'[^'\n]*'/g, "");
  const specifiers = code.matchAll(/(?:\bfrom|^import|\bimport\(|\brequire\()\s*"([^"]+)"/gm);
  return [...specifiers].map(([, name = ""]) =>
    name.startsWith(".") ? path.join(path.dirname(file), name) : name,
  );
}

const isOwnFile = (imported: string) => imported.endsWith(".js") && !imported.startsWith("@");
const roomOf = (imported: string) => (isOwnFile(imported) ? path.dirname(imported) : imported);

/** Returns `file imports name` for each import that the predicate finds. */
function importsWhere(isFound: (file: string, imported: string) => boolean): readonly string[] {
  return FILES.flatMap((file) =>
    importsOf(file)
      .filter((imported) => isFound(file, imported))
      .map((imported) => `${file} imports ${imported}`),
  );
}

describe("the layers of provider/", () => {
  it("are searched in every room and through every kind of import", () => {
    expect([...new Set(FILES.map((file) => path.dirname(file)))]).to.have.members(Object.keys(MAY_IMPORT));
    expect(importsOf("service/client.ts")).to.include("service/failure/explain-call.js");
    expect(importsOf("service/http/axios-client.ts")).to.include("axios");
    expect(importsOf("service/http/transport.ts")).to.include.members([
      "service/http/axios-client.js",
      "text/safe-text.js",
    ]);
    expect(importsOf("dynamic/v1.ts")).to.include.members(["session/node-version.js", "hooks/results.js"]);
    expect(importsOf("control-plane.ts")).to.deep.equal([
      "@pulumi/pulumi",
      "control-plane-arguments.js",
      "program-frames.js",
      "refused-options.js",
    ]);
  });

  it("point down: a file imports only from its own room, the rooms below it, and the packages of its room", () => {
    const upward = importsWhere((file, imported) => {
      const room = path.dirname(file);
      const isAllowed = [room, ...(MAY_IMPORT[room] ?? [])].includes(roomOf(imported));
      return !isAllowed && !imported.startsWith("node:");
    });
    expect(upward).to.deep.equal([]);
  });

  it("load the HTML report only when it is asked for", () => {
    const importing = FILES.filter((file) => /^import [^;]*"[^"]*\/html-report\.js"/m.test(textOf(file)));
    expect(importing).to.deep.equal([]);
    expect(importsWhere((_, imported) => imported.endsWith("/html-report.js"))).to.deep.equal([
      "report/formats/report-formats.ts imports report/formats/html-report.js",
    ]);
    // Nothing else imports the parts of the page.
    const parts = importsWhere((file, imported) => {
      return (
        /formats\/html[-/]/.test(imported) && !/^report\/formats\/(?:html[-/]|report-formats)/.test(file)
      );
    });
    expect(parts).to.deep.equal([]);
  });

  it("let only the resource, the look-ups and the automation import Pulumi", () => {
    const importing = importsWhere((_, imported) => /^(@pulumi\/|pulumi-)/.test(imported));
    expect(importing.filter((found) => !/^(lookups|automation)\//.test(found))).to.deep.equal([
      "control-plane-arguments.ts imports @pulumi/pulumi",
      "control-plane-set.ts imports @pulumi/pulumi",
      "control-plane.ts imports @pulumi/pulumi",
    ]);
  });

  it("let the automation import types of Pulumi only, so that it works with the copy that made the stack", () => {
    const imports = FILES.flatMap(
      (file) => textOf(file).match(/^import [^;]*"@pulumi\/pulumi\/automation/gm) ?? [],
    );
    expect(imports.length).to.be.greaterThan(0);
    for (const statement of imports) expect(statement).to.match(/^import type /);
  });

  it("keep hooks and service away from the code that reads settings and prints lines", () => {
    const readingOrPrinting = importsWhere(
      (file, imported) =>
        /^(hooks|service)\//.test(file) &&
        /^(settings|report)\//.test(imported) &&
        !["settings/settings.js", "report/outcome-event.js"].includes(imported),
    );
    expect(readingOrPrinting).to.deep.equal([]);
  });

  it("keep text, problem documents, hooks and the plan free of input and output", () => {
    const effects = importsWhere(
      (file, imported) =>
        /^(text|hooks|plan|service\/problem)\//.test(file) && /^node:(?!util$|crypto$)/.test(imported),
    );
    expect(effects).to.deep.equal([]);
  });
});
