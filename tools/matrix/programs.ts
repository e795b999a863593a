/** Where `main:` in Pulumi.yaml leads: nowhere, to a subfolder, or to one with packages of its own. */
export type Main = "top" | "src" | "own packages";

/** How a program is written, and so who loads it. */
export type ProgramKind =
  "CommonJS" | "ES module" | "TypeScript" | "TypeScript 5" | "TypeScript 5, ES module";

/** Gives the development dependencies of a project: its compiler, where it does not use the one that Pulumi brings. */
export function compilers(kind: ProgramKind): Readonly<Record<string, string>> {
  const template = { typescript: "^5.9.3", "@types/node": "^20.19.0" };
  switch (kind) {
    case "TypeScript 5":
      return template;
    case "TypeScript 5, ES module":
      // By this Pulumi knows that an ES module may be written in TypeScript.
      return { ...template, "ts-node": "^10.9.2" };
    default:
      return {};
  }
}

/** Gives the folder of a project in which its package.json and its packages stand. */
export function packagesFolder(main: Main): string {
  return main === "own packages" ? "infra" : ".";
}

/** What a program is made of. */
export interface ProgramOptions {
  readonly kind: ProgramKind;
  readonly main: Main;
  /** The manifest that the packages were installed by. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly controlPlaneId: string;
}

const IMPORT = 'import { ControlPlane } from "pulumi-konnect-control-planes";';
const REQUIRE = 'const { ControlPlane } = require("pulumi-konnect-control-planes");';

/** Gives the files of a program that adopts one control plane and exports the version of the Node that it runs under. */
export function programFiles(options: ProgramOptions): Record<string, string> {
  const { kind, main, manifest } = options;
  const index = kind.startsWith("TypeScript") ? "index.ts" : "index.js";
  const folder = main === "top" ? "" : main === "src" ? "src/" : "infra/";
  const packages = main === "own packages" ? folder : "";
  // Where `main:` leads to a folder below that of package.json, index.* in it is found without one more word.
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
  // Without a dependency on @types/node of its own, a program does not see it in pnpm's layout.
  const types = kind === "TypeScript" ? "declare const process: { readonly version: string };\n" : "";
  return `${IMPORT}\n${types}${declare}export const node = process.version;\n`;
}

/** That of Pulumi's own template for TypeScript. */
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
