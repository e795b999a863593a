import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../commands.js";
import { withoutKonnectAndPulumi } from "../environment.js";
import type { Manager } from "./rows.js";

const INSTALL_TIMEOUT_MS = 300_000;
const VERSION_TIMEOUT_MS = 10_000;

/** A version of Node that is ready to run. */
export interface NodeVersion {
  /** With a leading "v", like `process.version`. */
  readonly version: string;
  /** The folder to put first on PATH. */
  readonly binDir: string;
}

/** Installs versions of Node and of pnpm into a folder, each once. */
export class Toolchain {
  readonly #ready = new Map<string, Promise<string>>();

  /** When `signal` aborts, the installation that runs is stopped, and no other begins. */
  constructor(
    private readonly folder: string,
    readonly signal: AbortSignal,
  ) {}

  /**
   * Installs the newest Node in a range.
   *
   * It comes from the npm package for this platform. The package `node` would fetch that one in an install script.
   */
  async node(range: string): Promise<NodeVersion> {
    const name = `node-${process.platform}-${process.arch}`;
    const binDir = path.join(await this.#install(`${name}@${range}`), "node_modules", name, "bin");
    const version = await runCommand(path.join(binDir, "node"), ["--version"], {
      env: process.env,
      timeoutMs: VERSION_TIMEOUT_MS,
    });
    return { version: version.trim(), binDir };
  }

  /** Returns the command of a package manager, after its installation where it needs one. */
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
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  await runCommand("npm", ["install", "--ignore-scripts", "--prefer-offline", ...quiet, spec], {
    cwd: folder,
    env: withoutKonnectAndPulumi(process.env),
    timeoutMs: INSTALL_TIMEOUT_MS,
    signal,
  });
  return folder;
}
