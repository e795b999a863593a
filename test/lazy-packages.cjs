// Loaded before each Node process that Pulumi starts in the tests. Pulumi loads the TypeScript compiler and npm's arborist in
// each of them, and uses them only for functions that it has to serialize, which this package has none of. Here they are
// loaded when something of them is used, which halves the time of a start. The quickstart and README.md are followed without
// this file.
const { existsSync } = require("node:fs");
const Module = require("node:module");

// The language host of the CLI prepares the compiler for every program, also where Pulumi.yaml says `typescript: false`.
if (!existsSync("index.ts")) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

const LAZY = new Set(["typescript", "@npmcli/arborist"]);
const load = Module._load;

Module._load = function (request, parent, isMain) {
  const loadNow = () => load.call(this, request, parent, isMain);
  return LAZY.has(request) ? standIn(loadNow) : loadNow();
};

function standIn(loadNow) {
  let loaded;
  const real = () => (loaded ??= loadNow());
  return new Proxy(function () {}, {
    // An interop helper asks for these two while it imports the package.
    get: (_, key) => (key === "__esModule" || key === "default" ? undefined : real()[key]),
    has: (_, key) => key in real(),
    apply: (_, self, args) => Reflect.apply(real(), self, args),
    construct: (_, args) => Reflect.construct(real(), args),
  });
}
