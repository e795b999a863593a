// Loaded before each Node process that Pulumi starts in the tests. Pulumi loads the TypeScript compiler and npm's arborist in
// each of them, and uses them only for functions that it has to serialize, which this package has none of. Here they are
// loaded when something of them is used, which halves the time of a start. The quickstart and README.md are followed without
// this file.
const { existsSync } = require("node:fs");
const Module = require("node:module");
const { env } = require("node:process");

// The language host of the CLI prepares the compiler for every program, also where Pulumi.yaml says `typescript: false`.
if (!existsSync("index.ts")) env.PULUMI_NODEJS_TYPESCRIPT = "false";

const LAZY = new Set(["typescript", "@npmcli/arborist"]);
const resolve = Module._resolveFilename;

// A hook of the loading itself would be in the stack traces of the program, which Pulumi stores.
Module._resolveFilename = function (request, ...rest) {
  const file = resolve.call(this, request, ...rest);
  if (LAZY.delete(request)) Module._cache[file] ??= standIn(file);
  return file;
};

/** Returns a module that is loaded, and whose exports load the real one. */
function standIn(file) {
  let exports;
  const real = () => {
    if (exports === undefined) {
      delete Module._cache[file];
      exports = Module._load(file, null, false);
    }
    return exports;
  };
  const proxy = new Proxy(function () {}, {
    // An interop helper asks for these two while it imports the package.
    get: (_, key) => (key === "__esModule" || key === "default" ? undefined : real()[key]),
    has: (_, key) => key in real(),
    apply: (_, self, args) => Reflect.apply(real(), self, args),
    construct: (_, args) => Reflect.construct(real(), args),
  });
  return Object.assign(new Module(file, null), { exports: proxy, loaded: true, filename: file });
}
