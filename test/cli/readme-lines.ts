import { readFileSync } from "node:fs";
import path from "node:path";
import { withFirstOnPath } from "../../tools/environment.js";
import { ROOT } from "../../tools/repository.js";

/** What README.md tells a reader to do, as its fenced blocks. */
export interface ReadmeLines {
  /** The program at the top, for one control plane. */
  readonly program: string;
  /** Packs the provider in a clone, and installs it in a new folder beside the clone. Ends there. */
  readonly install: string;
  /** The project file. A comment in its first line names it. */
  readonly projectFile: { readonly name: string; readonly text: string };
  /** Runs the program. */
  readonly run: string;
  /** The program for many control planes. */
  readonly setProgram: string;
}

/** Parses README.md. Throws when it does not have the expected blocks. */
export function readReadme(): ReadmeLines {
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const [top = "", ...sections] = readme.split(/^## /m);
  const section = (heading: string) => sections.find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const [program] = blocksOf(top, "ts");
  const [install, project, run] = blocksOf(section("Installation"), "sh yaml sh");
  const [setProgram] = blocksOf(section("Many control planes"), "ts");
  const [, name = ""] = /^# (\S+)\n/.exec(project ?? "") ?? [];
  if (!program || !install || !project || !run || !setProgram) {
    throw new Error("README.md has an empty block");
  }
  return { program, install, projectFile: { name, text: project }, run, setProgram };
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
