import type { Main, ProgramKind } from "./programs.js";

/** A release of `@pulumi/pulumi`: the oldest that the provider accepts, the one that all tests use, or the latest. */
export type PulumiRelease = "oldest" | "tested" | "newest";

/** What installs the packages: the npm of this machine, or a pnpm from the npm registry, in its default layout. */
export type Manager = "npm" | "pnpm@10" | "pnpm@12";

/** One combination that is tried. */
export interface Row {
  /** The range of Node versions. The newest one in it runs. */
  readonly node: string;
  readonly pulumi: PulumiRelease;
  readonly manager: Manager;
  readonly program: ProgramKind;
  readonly main: Main;
}

const row = (
  node: string,
  pulumi: PulumiRelease,
  manager: Manager,
  program: ProgramKind,
  main: Main = "top",
): Row => ({ node, pulumi, manager, program, main });

/**
 * The combinations that are tried. They hold every value, and every pair that is likely to break: ES modules and pnpm on
 * each Node, each kind of TypeScript under the oldest and the newest Pulumi, each `main:` with each package manager.
 *
 * The newest Pulumi needs Node 22, and Pulumi runs ES modules in TypeScript from 3.183 on. Without instructions about
 * install scripts, pnpm 10 warns, and pnpm 11 and newer fail (installation.ts).
 */
export const ROWS: readonly Row[] = [
  // The first versions of Node 20 and 22 that can `require` an ES module.
  row("20.19.0", "oldest", "npm", "CommonJS"),
  row("22.12.0", "oldest", "npm", "ES module"),

  row("20", "oldest", "npm", "TypeScript"),
  row("20", "oldest", "npm", "TypeScript 5"),
  row("20", "tested", "npm", "TypeScript 5, ES module"),
  row("20", "oldest", "pnpm@10", "CommonJS", "src"),
  row("20", "tested", "npm", "ES module", "src"),
  row("20", "tested", "pnpm@12", "TypeScript"),

  row("22", "newest", "npm", "ES module"),
  row("22", "newest", "npm", "TypeScript"),
  row("22", "newest", "npm", "TypeScript 5, ES module"),
  row("22", "newest", "pnpm@12", "TypeScript 5", "own packages"),

  row("24", "oldest", "npm", "TypeScript"),
  row("24", "oldest", "pnpm@12", "CommonJS"),
  row("24", "newest", "npm", "CommonJS", "own packages"),
  row("24", "newest", "npm", "TypeScript 5"),
  row("24", "newest", "pnpm@10", "ES module", "own packages"),
  row("24", "newest", "pnpm@12", "ES module", "src"),

  row("26", "newest", "npm", "ES module"),
  row("26", "newest", "npm", "TypeScript 5"),
  row("26", "newest", "pnpm@12", "CommonJS"),
];

/** The range of Node, the release of Pulumi, the package manager, the program, and where it is. */
export type FirstCells = readonly [string, PulumiRelease, ...string[]];

/** Returns the first cells of a row in the table. `--only` is looked for in them. */
export function cellsOf({ node, pulumi, manager, program, main }: Row): FirstCells {
  return [node, pulumi, manager, program, main];
}

/**
 * The ranges of Node on which README.md is followed to the letter: the oldest major version, and the newest one.
 * The tests follow it on the Node that runs them.
 */
export const README_NODES: readonly string[] = ["20", "26"];

/** Returns the first cells of a row that follows README.md. */
export function readmeCellsOf(node: string): FirstCells {
  return [node, "tested", "npm", "README.md", "top"];
}
