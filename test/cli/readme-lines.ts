import { readFileSync } from "node:fs";
import path from "node:path";
import { withFirstOnPath } from "../../tools/environment.js";
import { ROOT } from "../../tools/repository.js";

/** What README.md tells a reader to do, as its fenced blocks. */
export interface ReadmeLines {
  /** Packs the provider in a clone, and installs it in a new folder beside the clone. Ends there. */
  readonly install: string;
  /** The program and the project file, by the names that their first lines hold. */
  readonly files: Readonly<Record<string, string>>;
  /** Runs the program. */
  readonly run: string;
  /** The program for many control planes, by its name. */
  readonly setProgram: Readonly<Record<string, string>>;
}

/** Parses README.md. Throws when it does not have the expected blocks. */
export function readReadme(): ReadmeLines {
  const sections = readFileSync(path.join(ROOT, "README.md"), "utf8").split(/^## /m);
  const section = (heading: string) => sections.find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const [install] = blocksOf(section("Installation"), "sh");
  const [program, project, run] = blocksOf(section("A first program"), "ts yaml sh");
  const [setProgram] = blocksOf(section("Many at once"), "ts");
  if (!install || !program || !project || !run || !setProgram) {
    throw new Error("README.md has an empty block");
  }
  return { install, files: byName(program, project), run, setProgram: byName(setProgram) };
}

function byName(...texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map((text) => [nameOf(text), text]));
}

function nameOf(text: string): string {
  const [, name] = /^(?:#|\/\/) (\S+)\n/.exec(text) ?? [];
  if (name === undefined) throw new Error(`a file of README.md has no name in its first line: ${text}`);
  return name;
}

function blocksOf(section: string, languages: string): readonly string[] {
  const blocks = [...section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const found = blocks.map(([, language]) => language).join(" ");
  if (found !== languages) {
    throw new Error(`README.md has the blocks "${found}" in place of "${languages}" in a section`);
  }
  return blocks.map(([, , text = ""]) => text);
}

/** Returns a copy of an environment in which commands run on the Node that runs these tests. */
export function onThisNode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return withFirstOnPath(path.dirname(process.execPath), env);
}
