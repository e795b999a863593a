import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../pulumi-cli/run-command.js";
import type { Manager } from "./rows.js";

const INSTALL_TIMEOUT_MS = 300_000;

/** A version of Node that is ready to run. */
export interface NodeVersion {
  /** With a leading "v", as `process.version` has it. */
  readonly version: string;
  /** The folder to put first on PATH. */
  readonly binDir: string;
}

/** Brings versions of Node and of pnpm into a folder, each once. */
export class Toolchain {
  readonly #ready = new Map<string, Promise<string>>();

  /** Nothing is begun in the folder, and what is under way is stopped, when the signal aborts. */
  constructor(
    private readonly folder: string,
    readonly signal: AbortSignal,
  ) {}

  /**
   * Brings a Node.
   *
   * The npm package `node` fetches the package of the platform in an install script; that package itself needs none,
   * and is a dependency of nothing.
   */
  async node(range: string): Promise<NodeVersion> {
    const name = `node-${process.platform}-${process.arch}`;
    const binDir = path.join(await this.#install(`${name}@${range}`), "node_modules", name, "bin");
    const version = await runCommand(path.join(binDir, "node"), ["--version"], {
      env: process.env,
      timeoutMs: 10_000,
    });
    return { version: version.trim(), binDir };
  }

  /** Gives the command of a package manager. */
  async manager(manager: Manager): Promise<string> {
    if (manager === "npm") return "npm";
    return path.join(await this.#install(manager), "node_modules", ".bin", "pnpm");
  }

  #install(spec: string): Promise<string> {
    let ready = this.#ready.get(spec);
    if (ready === undefined) this.#ready.set(spec, (ready = installAlone(spec, this.folder, this.signal)));
    return ready;
  }
}

async function installAlone(spec: string, parent: string, signal: AbortSignal): Promise<string> {
  const folder = path.join(parent, spec);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
  await runCommand(
    "npm",
    ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", spec],
    { cwd: folder, env: process.env, timeoutMs: INSTALL_TIMEOUT_MS, signal },
  );
  return folder;
}
