import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";

const PROVIDER = path.resolve(__dirname, "../../provider");

/** The rooms of the service that the rooms above it may import. */
const SERVICE = [
  "service",
  ...["problem", "http", "operations", "retry", "failure"].map((room) => `service/${room}`),
];

/** Every room of provider/, with the rooms and the packages that its files may import besides their own room. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  "service/problem": ["text"],
  "service/http": ["text", "axios"],
  "service/operations": ["text", "service/problem", "service/http"],
  "service/retry": ["text", "service/problem", "service/http", "service/operations"],
  "service/failure": ["text", "service/problem", "service/http", "service/operations", "service/retry"],
  service: ["text", "service/http", "service/operations", "service/retry", "service/failure", "p-retry"],
  settings: ["text", "service/http", "service/retry", "service/failure"],
  report: ["text", "service/problem", "service/operations", "service/retry", "service/failure"],
  "report/formats/html": ["text", "report"],
  "report/formats": ["text", "report", "report/formats/html"],
  state: ["text", "service/problem", "service/http", "service/operations", "service/failure"],
  "hooks/arguments": ["text", ...SERVICE, "settings", "state"],
  "hooks/created": ["text", ...SERVICE, "state", "hooks", "hooks/arguments"],
  "hooks/set": ["text", ...SERVICE, "settings", "state", "hooks", "hooks/arguments"],
  hooks: ["text", ...SERVICE, "settings", "report", "state", "hooks/arguments", "hooks/created"],
  session: ["text", "service", "service/http", "service/retry", "settings", "report", "."],
  run: ["text", ...SERVICE, "settings", "report", "state", "hooks", "hooks/set", "session"],
  lookups: [
    "text",
    ...["service/problem", "service/operations", "service/retry", "service/failure"],
    ...["settings", "report", "hooks", "hooks/arguments", "state", "session", "@pulumi/pulumi"],
  ],
  plan: ["text", ...SERVICE, "report/formats", "report/formats/html", "state", "hooks", "session"],
  automation: ["text", "report", "report/formats", "state", "plan", "@pulumi/pulumi/automation/index.js"],
  dynamic: ["text", "service/failure", "hooks", "state", "session", "run"],
  plugin: [
    ...[
      "text",
      "service/failure",
      "settings",
      "state",
      "hooks",
      "hooks/created",
      "lookups",
      "session",
      "run",
      ".",
    ],
    ...[
      "@grpc/grpc-js",
      "google-protobuf/google/protobuf/any_pb",
      "google-protobuf/google/protobuf/empty_pb",
    ],
    "google-protobuf/google/protobuf/struct_pb",
    ...["engine_grpc_pb", "engine_pb", "plugin_pb", "provider_grpc_pb", "provider_pb", "status_pb"].map(
      (stubs) => `@pulumi/pulumi/proto/${stubs}`,
    ),
  ],
  night: [
    ...["text", "service/failure", "report", "report/formats", "session", "plan", "automation"],
    "@pulumi/pulumi/automation/index.js",
  ],
  cli: [
    "text",
    "service/http",
    "service/failure",
    "report",
    "report/formats",
    "session",
    "state",
    "plan",
    "night",
    ".",
  ],
  ".": ["lookups", "state", "@pulumi/pulumi"],
};

/** Returns the TypeScript files of a folder, by their path from there. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/(^|\/)(dist|node_modules)\//.test(file))
    .sort();
}

const FILES = sourcesIn(PROVIDER);

const textOf = (file: string) => readFileSync(path.join(PROVIDER, file), "utf8");

/** Returns what a file imports: files of its own folder by their path from there, packages by name. */
function importsOf(file: string, folder = PROVIDER): readonly string[] {
  // A single-quoted literal holds code as text: what the state of a resource loads.
  const code = readFileSync(path.join(folder, file), "utf8").replace(/'[^'\n]*'/g, "");
  const specifiers = code.matchAll(/(?:\bfrom|^import|\bimport\(|\brequire\()\s*"([^"]+)"/gm);
  return [...specifiers].map(([, name = ""]) =>
    name.startsWith(".") ? path.join(path.dirname(file), name) : name,
  );
}

const isOwnFile = (imported: string) => imported.endsWith(".js") && !imported.startsWith("@");
const roomOf = (imported: string) => (isOwnFile(imported) ? path.dirname(imported) : imported);

/** Returns the files of a circle of imports, or undefined when there is none. */
function circleIn(
  files: readonly string[],
  imports: (file: string) => readonly string[],
): string | undefined {
  const cleared = new Set<string>();
  const follow = (file: string, way: readonly string[]): string | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file].join(" → ");
    if (cleared.has(file)) return undefined;
    for (const imported of imports(file)) {
      const next = imported.replace(/\.js$/, ".ts");
      const circle = files.includes(next) ? follow(next, [...way, file]) : undefined;
      if (circle !== undefined) return circle;
    }
    cleared.add(file);
    return undefined;
  };
  return files.map((file) => follow(file, [])).find((circle) => circle !== undefined);
}

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
    expect(importsOf("service/caller.ts")).to.include("service/failure/explain-call.js");
    expect(importsOf("service/http/axios-client.ts")).to.include("axios");
    expect(importsOf("service/http/transport.ts")).to.include.members([
      "service/http/axios-client.js",
      "text/safe-text.js",
    ]);
    expect(importsOf("dynamic/v1.ts")).to.include.members([
      "session/node-version.js",
      "run/resource-hooks.js",
    ]);
    expect(importsOf("control-plane.ts")).to.deep.equal([
      "@pulumi/pulumi",
      "control-plane-arguments.js",
      "program-frames.js",
      "refused-options.js",
      "state/resource-types.js",
    ]);
  });

  it("point down: a file imports only from its own room, the rooms below it, and the packages of its room", () => {
    const upward = importsWhere((file, imported) => {
      const room = path.dirname(file);
      const isAllowed = [room, ...(MAY_IMPORT[room] ?? [])].includes(roomOf(imported));
      return !isAllowed && !imported.startsWith("node:") && imported !== "plugin/schema.json";
    });
    expect(upward).to.deep.equal([]);
  });

  it("have no circle of imports, not even of types", () => {
    expect(circleIn(FILES, (file) => importsOf(file))).to.equal(undefined);
  });

  it("load the HTML report only when it is asked for", () => {
    const importing = FILES.filter((file) =>
      /^import [^;]*"[^"]*\/html-(?:report|plan)\.js"/m.test(textOf(file)),
    );
    expect(importing).to.deep.equal([]);
    expect(importsWhere((_, imported) => imported.endsWith("/html-report.js"))).to.deep.equal([
      "report/formats/report-formats.ts imports report/formats/html-report.js",
    ]);
    expect(importsWhere((_, imported) => imported.endsWith("/html-plan.js"))).to.deep.equal([
      "plan/plan-formats.ts imports plan/html-plan.js",
    ]);
    // Nothing else imports the parts of the page.
    const parts = importsWhere((file, imported) => {
      return (
        /formats\/html[-/]/.test(imported) &&
        !/^(?:report\/formats\/(?:html[-/]|report-formats)|plan\/html-plan)/.test(file)
      );
    });
    expect(parts).to.deep.equal([]);
  });

  it("let only the resource, the look-ups, the automation, the night and the plugin import Pulumi", () => {
    const importing = importsWhere((_, imported) => /^(@pulumi\/|pulumi-)/.test(imported));
    expect(importing.filter((found) => !/^(lookups|automation|night|plugin)\//.test(found))).to.deep.equal([
      "control-plane-arguments.ts imports @pulumi/pulumi",
      "control-plane-set.ts imports @pulumi/pulumi",
      "control-plane.ts imports @pulumi/pulumi",
      "refused-options.ts imports @pulumi/pulumi",
    ]);
  });

  it("import the Automation API for its types, so that the copy that made the stack is used, or loads it when a night runs", () => {
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

describe("the files of emulator/", () => {
  it("have no circle of imports, not even of types", () => {
    const emulator = path.resolve(PROVIDER, "../emulator");
    expect(circleIn(sourcesIn(emulator), (file) => importsOf(file, emulator))).to.equal(undefined);
  });
});

describe("a circle of imports", () => {
  const circle = (imports: Readonly<Record<string, readonly string[]>>) =>
    circleIn(Object.keys(imports), (file) => imports[file] ?? []);

  it("is found, however long it is, and wherever the search begins", () => {
    expect(circle({ "a.ts": ["b.js"], "b.ts": ["a.js"] })).to.equal("a.ts → b.ts → a.ts");
    const long = { "a.ts": ["b.js"], "b.ts": ["c.js", "d.js"], "c.ts": ["node:fs"], "d.ts": ["b.js"] };
    expect(circle(long)).to.equal("b.ts → d.ts → b.ts");
  });

  it("is not seen where two files import the same one", () => {
    expect(circle({ "a.ts": ["b.js", "c.js"], "b.ts": ["d.js"], "c.ts": ["d.js"], "d.ts": [] })).to.equal(
      undefined,
    );
  });
});
