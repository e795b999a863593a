/** Where `main:` in Pulumi.yaml leads: nowhere, to a subfolder, or to a subfolder with packages of its own. */
export type Main = "top" | "src" | "own packages";

/** How a program is written, which decides what loads it. */
export type ProgramKind =
  "CommonJS" | "ES module" | "TypeScript" | "TypeScript 5" | "TypeScript 5, ES module";

/** Returns the development dependencies of a project: its compiler, unless it uses the one that Pulumi brings. */
export function compilers(kind: ProgramKind): Readonly<Record<string, string>> {
  const template = { typescript: "^5.9.3", "@types/node": "^20.19.0" };
  switch (kind) {
    case "TypeScript 5":
      return template;
    case "TypeScript 5, ES module":
      // Pulumi runs an ES module in TypeScript only in a project that has ts-node.
      return { ...template, "ts-node": "^10.9.2" };
    default:
      return {};
  }
}

/** Returns the folder of a project that holds its package.json and its packages. */
export function packagesFolder(main: Main): string {
  return main === "own packages" ? "infra" : ".";
}

/** What a program is made of. */
export interface ProgramOptions {
  readonly kind: ProgramKind;
  readonly main: Main;
  /** The content of the package.json with which the packages were installed. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly controlPlaneId: string;
}

const IMPORT = 'import { ControlPlane } from "pulumi-konnect-control-planes";';
const REQUIRE = 'const { ControlPlane } = require("pulumi-konnect-control-planes");';

/** Returns the files of a program that adopts one control plane and exports the version of the Node that runs it. */
export function programFiles(options: ProgramOptions): Record<string, string> {
  const { kind, main, manifest } = options;
  const index = kind.startsWith("TypeScript") ? "index.ts" : "index.js";
  const folder = main === "top" ? "" : main === "src" ? "src/" : "infra/";
  const packages = main === "own packages" ? folder : "";
  // When `main:` leads to a folder below that of package.json, Pulumi finds index.* there without an entry.
  const entry = main === "src" ? {} : { main: index };
  const type = kind.endsWith("ES module") ? "module" : "commonjs";
  return {
    "Pulumi.yaml": JSON.stringify({
      name: "matrix",
      runtime: "nodejs",
      ...(main !== "top" && { main: folder }),
    }),
    [`${packages}package.json`]: JSON.stringify({ ...manifest, type, ...entry }),
    ...(kind.startsWith("TypeScript 5") && { [`${folder}tsconfig.json`]: JSON.stringify(TSCONFIG) }),
    [`${folder}${index}`]: sourceOf(options),
  };
}

function sourceOf({ kind, controlPlaneId }: ProgramOptions): string {
  const declare = `new ControlPlane("edge", { controlPlaneId: "${controlPlaneId}" });\n`;
  if (kind === "CommonJS") return `${REQUIRE}\n${declare}exports.node = process.version;\n`;
  // In pnpm's layout, a program sees @types/node only when it depends on that itself.
  const types = kind === "TypeScript" ? "declare const process: { readonly version: string };\n" : "";
  return `${IMPORT}\n${types}${declare}export const node = process.version;\n`;
}

/** The compiler options of Pulumi's own template for TypeScript. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: "es2020",
    module: "nodenext",
    moduleResolution: "nodenext",
    sourceMap: true,
    forceConsistentCasingInFileNames: true,
  },
  files: ["index.ts"],
};
