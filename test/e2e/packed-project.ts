import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./scene.js";

/** The section of README.md that says how to install and use the package, as its fenced blocks. */
export interface ReadmeSection {
  /** Makes the tarball in a clone. */
  readonly pack: string;
  /** Installs it in an empty folder that contains the tarball. */
  readonly install: string;
  /** The TypeScript program. */
  readonly program: string;
  /** Runs the program. */
  readonly run: string;
}

/** A project in which the packed provider is installed. */
export interface PackedProject {
  readonly folder: string;
  /** Path of the packed provider. */
  readonly tarball: string;
}

const SECTION = "## The real thing\n";

/** Parses README.md. Throws when the section does not have the expected blocks. */
export function readReadmeSection(): ReadmeSection {
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const [section = ""] = readme.slice(readme.indexOf(SECTION) + SECTION.length).split("\n## ");
  const blocks = [...section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const languages = blocks.map(([, language]) => language).join(" ");
  if (languages !== "sh sh ts sh yaml") throw new Error(`README.md has other blocks: ${languages}`);
  const [pack = "", install = "", program = "", run = ""] = blocks.map(([, , text = ""]) => text);
  return { pack, install, program, run };
}

let project: PackedProject | undefined;
let hasFailed = false;

/**
 * Registers the hooks of a suite that needs the packed provider. All such suites share one installation.
 *
 * @returns a function that returns the project once the tests run
 */
export function usePackedProject(): () => PackedProject {
  before(() => {
    project ??= installAsTheReadmeSays();
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === "failed";
  });
  return () => {
    if (project === undefined) throw new Error("The packed provider is installed when the tests run");
    return project;
  };
}

after(() => {
  if (project === undefined) return;
  if (hasFailed) console.error(`The failed tests left the installation: ${project.folder}`);
  else rmSync(project.folder, { recursive: true, force: true });
});

function installAsTheReadmeSays(): PackedProject {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "packed-")));
  const { pack, install } = readReadmeSection();
  try {
    // The lines of the README leave the tarball in the clone, and the reader copies it.
    runLines(pack, ROOT, { npm_config_pack_destination: folder });
    const [name = ""] = readdirSync(folder);
    runLines(install, folder, { npm_config_engine_strict: "true", npm_config_prefer_offline: "true" });
    return { folder, tarball: path.join(folder, name) };
  } catch (error) {
    console.error(`The failed installation left its folder: ${folder}`);
    throw error;
  }
}

function runLines(lines: string, cwd: string, env: NodeJS.ProcessEnv): void {
  const quiet = { npm_config_audit: "false", npm_config_fund: "false", npm_config_loglevel: "error" };
  execFileSync("sh", ["-ec", lines], {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 240_000,
  });
}
