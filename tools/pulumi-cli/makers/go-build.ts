import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../commands.js";
import { homeFolder } from "../../environment.js";
import { executableOnPath } from "../executables.js";
import { CLI_VERSION, isAtLeast, LANGUAGE_HOST_VERSION, MINIMUM_GO_VERSION } from "../versions.js";
import { type CliMaker, reportElapsed, type Workshop } from "./maker.js";
import { writePluginScript } from "./plugin-script.js";

/** From this version on, go itself says in one clear line when it is too old and may not fetch a newer one. */
const FIRST_GO_WITH_TOOLCHAINS = "1.21.0";
const TOOLCHAIN_TIMEOUT_MS = 300_000;
const BUILD_TIMEOUT_MS = 3_600_000;
const VERSION_SYMBOL = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

interface Binary {
  /** The subfolder of `go` that pins its modules. */
  readonly module: string;
  readonly package: string;
  readonly name: string;
  readonly version: string;
}

const PULUMI: Binary = {
  module: "pulumi",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  name: "pulumi",
  version: CLI_VERSION,
};

/** Later Node language hosts are not published as a Go module. This one works with the CLI above. */
const LANGUAGE_NODEJS: Binary = {
  module: "language-nodejs",
  package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  name: "pulumi-language-nodejs",
  version: LANGUAGE_HOST_VERSION,
};

/** A build from source, with modules from the Go module proxy. It takes minutes. */
export const goBuild: CliMaker = {
  source: "go build",
  attempt: `a build of v${CLI_VERSION} with Go`,
  make: build,
};

async function build(workshop: Workshop): Promise<void> {
  const go = executableOnPath("go", workshop.env);
  if (go === undefined) throw new Error("go is not on PATH");
  const binDir = join(workshop.staging, "bin");
  await mkdir(binDir);
  await mkdir(temporaryFolder(workshop));
  const version = await readGoVersion(go, workshop);
  workshop.report(
    `Pulumi CLI: ${workshop.why}; building v${CLI_VERSION} from source with ${version} ` +
      `(about 6 minutes, once; kept in ${workshop.cache})`,
  );
  // The small one is first because it fails sooner where the Go module proxy cannot be reached.
  const binaries = buildBinary(go, LANGUAGE_NODEJS, binDir, workshop).then(() =>
    buildBinary(go, PULUMI, binDir, workshop),
  );
  await reportElapsed("building", workshop.report, binaries);
  await writePluginScript(binDir);
  await rm(temporaryFolder(workshop), { recursive: true, force: true });
}

/** Runs `go version` in the module's folder, where a go that can fetch a newer toolchain does so. */
async function readGoVersion(go: string, workshop: Workshop): Promise<string> {
  const text = await runCommand(go, ["version"], goOptions(PULUMI, workshop, TOOLCHAIN_TIMEOUT_MS));
  const version = /\bgo(\d+\.\d+(\.\d+)?)/.exec(text)?.[1] ?? "0";
  if (isAtLeast(version, FIRST_GO_WITH_TOOLCHAINS)) return `go ${version}`;
  throw new Error(`Go ${MINIMUM_GO_VERSION} or newer is needed, and ${go} is ${version}`);
}

async function buildBinary(go: string, binary: Binary, binDir: string, workshop: Workshop): Promise<void> {
  const file = join(binDir, process.platform === "win32" ? `${binary.name}.exe` : binary.name);
  const args = ["build", "-trimpath", "-mod=readonly", "-modcacherw", "-buildvcs=false"];
  args.push("-ldflags", `-s -w -X ${VERSION_SYMBOL}=v${binary.version}`, "-o", file, binary.package);
  await runCommand(go, args, goOptions(binary, workshop, BUILD_TIMEOUT_MS));
}

/** An interrupted go leaves its temporary files behind. They are put where they get deleted. */
function temporaryFolder({ staging }: Workshop): string {
  return join(staging, "go-tmp");
}

function goOptions(binary: Binary, workshop: Workshop, timeoutMs: number) {
  const { env, signal } = workshop;
  const goEnv: NodeJS.ProcessEnv = {
    ...env,
    CGO_ENABLED: "0",
    GO111MODULE: "on",
    GOWORK: "off",
    GOTMPDIR: temporaryFolder(workshop),
  };
  // Without a home, go finds no place for its own caches.
  if (process.platform !== "win32") goEnv.HOME = homeFolder(env);
  return { cwd: join(__dirname, "../go", binary.module), env: goEnv, timeoutMs, signal };
}
