import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../../tools/repository.js";
import { atEndOfFile } from "../root-hooks.js";

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

const SECTION = "## Use it\n";

/** Parses README.md. Throws when the section does not have the expected blocks. */
export function readReadmeSection(): ReadmeSection {
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const [section = ""] = readme.slice(readme.indexOf(SECTION) + SECTION.length).split(/\n##+ /);
  const blocks = [...section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const languages = blocks.map(([, language]) => language).join(" ");
  if (languages !== "sh sh ts sh") throw new Error(`README.md has other blocks: ${languages}`);
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
    atEndOfFile(removeUnlessFailed);
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === "failed";
  });
  return () => {
    if (project === undefined) throw new Error("The packed provider is installed when the tests run");
    return project;
  };
}

function installAsTheReadmeSays(): PackedProject {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "packed-")));
  const { pack, install } = readReadmeSection();
  try {
    // The lines of the README leave the tarball in the clone, and the reader copies it.
    runLines(pack, copyOfRepository(path.join(folder, "clone")), { npm_config_pack_destination: folder });
    rmSync(path.join(folder, "clone"), { recursive: true });
    const [name = ""] = readdirSync(folder);
    runLines(install, folder, { npm_config_engine_strict: "true", npm_config_prefer_offline: "true" });
    return { folder, tarball: path.join(folder, name) };
  } catch (error) {
    console.error(`The failed installation left its folder: ${folder}`);
    throw error;
  }
}

function removeUnlessFailed(): void {
  const folder = project?.folder ?? "";
  if (hasFailed) console.error(`The failed tests left the installation: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  project = undefined;
}

/** Copies the repository, because packing deletes what other tests run at the same time. */
export function copyOfRepository(clone: string): string {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const file of files.split("\0")) {
    const source = path.join(ROOT, file);
    if (file === "" || !existsSync(source)) continue;
    mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
    copyFileSync(source, path.join(clone, file));
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(clone, "node_modules"), "dir");
  return clone;
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
