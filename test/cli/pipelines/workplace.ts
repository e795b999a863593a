import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { createStoredStack, type StoredStack } from "../../../tools/local-stack/file-backend.js";
import { ROOT } from "../../../tools/repository.js";
import { withFirstOnPath } from "../../../tools/environment.js";
import { atEndOfFile } from "../../root-hooks.js";
import { FAST_START, TOKEN } from "../scene.js";

const EXAMPLES = path.join(ROOT, "examples/pipelines");

/** Where a job of a pipeline runs: a checkout, the team's backend, and the service. */
export interface Workplace {
  /** The checkout. */
  readonly folder: string;
  /** A folder for files of the runner. */
  readonly temp: string;
  /** What the runner gives to every step. It holds no secret. */
  readonly env: NodeJS.ProcessEnv;
  readonly emulator: Emulator;
  /** The stack `nightly` in the team's backend. */
  readonly stack: StoredStack;
}

/** How a workplace differs from the usual one. */
export interface WorkplaceOptions {
  /** The repository of the guide, with its packages installed. */
  readonly repository: string;
  /** Whether `npm ci` installs the packages. Otherwise it links those of the repository. */
  readonly install?: boolean;
  /** The team's backend, where it is there already, and the service. Default: empty ones. */
  readonly shared?: { readonly backend: string; readonly emulator: Emulator };
  /** An environment in which pulumi is found. */
  readonly env: NodeJS.ProcessEnv;
}

/** Lays out a checkout of a repository as a runner does, without its packages, in an empty folder. */
export async function createWorkplace(root: string, options: WorkplaceOptions): Promise<Workplace> {
  const { repository, install = false, shared } = options;
  const part = (name: string) => path.join(root, name);
  for (const name of ["temp", "backend", "home", "bin"]) mkdirSync(part(name), { recursive: true });
  cpSync(repository, part("checkout"), {
    recursive: true,
    filter: (source) => path.basename(source) !== "node_modules",
  });
  // What docs/night.md adds to the project of the guide.
  writeFileSync(part("checkout/infrastructure/Pulumi.preview.yaml"), onlyYamlBlock());
  cpSync(path.join(EXAMPLES, "github-close.yml"), part("checkout/.github/workflows/github-close.yml"));
  const packages = path.join(repository, "infrastructure/node_modules");
  const npm = `#!/bin/sh\ntest "$1 $2" = "ci --ignore-scripts" && exec ln -s "${packages}" node_modules\n`;
  if (!install) writeFileSync(part("bin/npm"), npm, { mode: 0o755 });
  const emulator = shared?.emulator ?? (await startOwnEmulator());
  const backend = shared?.backend ?? part("backend");
  return {
    folder: part("checkout"),
    temp: part("temp"),
    emulator,
    stack: createStoredStack(backend, "konnect-teardown", "nightly"),
    env: {
      ...withFirstOnPath(part("bin"), options.env),
      ...{ CI: "true", HOME: part("home"), PULUMI_HOME: part("home") },
      ...{ PULUMI_BACKEND_URL: `file://${backend}`, PULUMI_CONFIG_PASSPHRASE: "" },
      ...{ KONNECT_SERVER_URL: emulator.baseUrl, npm_config_prefer_offline: "true" },
      ...FAST_START,
      npm_config_cache: process.env.npm_config_cache ?? path.join(process.env.HOME ?? "", ".npm"),
    },
  };
}

async function startOwnEmulator(): Promise<Emulator> {
  const emulator = await startEmulator({ tokens: { [TOKEN]: { name: "sa-ci" } }, controlPlanes: [] });
  atEndOfFile(() => emulator.close());
  return emulator;
}

/** Returns the configuration that docs/night.md shows. */
function onlyYamlBlock(): string {
  const page = readFileSync(path.join(ROOT, "docs/night.md"), "utf8");
  const [block, ...others] = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  if (block === undefined || others.length > 0) throw new Error("docs/night.md must have one block of YAML");
  return block.replace(/^ *region: eu\n/m, ""); // The emulator is in no region.
}

/** Returns the files of an artifact with their texts, by their names. Throws when the folder does not exist. */
export function readArtifact(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder);
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
}
