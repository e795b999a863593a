import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../../tools/repository.js";
import { atEndOfFile } from "../root-hooks.js";
import { onThisNode, readReadme } from "./readme-lines.js";

/** A project in which the packed provider is installed. */
export interface PackedProject {
  /** The folder around it, which holds the tarball and nothing of the repository. */
  readonly around: string;
  readonly folder: string;
  /** Path of the packed provider. */
  readonly tarball: string;
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
  const around = realpathSync(mkdtempSync(path.join(tmpdir(), "packed-")));
  try {
    const clone = copyOfRepository(path.join(around, "clone"));
    runLines(readReadme().install, clone, {
      npm_config_engine_strict: "true",
      npm_config_prefer_offline: "true",
    });
    rmSync(clone, { recursive: true });
    const made = readdirSync(around);
    const [tarball = ""] = made.filter((name) => name.endsWith(".tgz"));
    const [folder = ""] = made.filter((name) => name !== tarball);
    return { around, folder: path.join(around, folder), tarball: path.join(around, tarball) };
  } catch (error) {
    console.error(`The failed installation left its folder: ${around}`);
    throw error;
  }
}

function removeUnlessFailed(): void {
  const folder = project?.around ?? "";
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
    env: { ...onThisNode(process.env), ...quiet, ...env },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 240_000,
  });
}
