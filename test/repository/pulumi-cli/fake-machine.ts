import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executableOnPath } from "../../../tools/pulumi-cli/executables.js";
import { type FindOptions, findPulumiCli, type PulumiCli } from "../../../tools/pulumi-cli/index.js";
import type { CliMaker } from "../../../tools/pulumi-cli/makers/maker.js";
import { CLI_VERSION } from "../../../tools/pulumi-cli/versions.js";

/** Returns a script that answers `pulumi version`. */
export const pulumiOf = (version: string): string => `#!/bin/sh\n[ "$1" = version ] && echo v${version}\n`;

/** Returns a script that stands in for go. `build` is what it does in place of "go build … -o $file <package>". */
export const goThat = (build: string, version = "echo go version go1.26.8 linux/amd64"): string => `#!/bin/sh
if [ "$1" = version ]; then ${version}; exit; fi
while [ "$1" != -o ]; do shift; done
file=$2
${build}
`;

/** What a build does that succeeds. */
export const WRITE_BINARY = `printf '#!/bin/sh\\necho v${CLI_VERSION}\\n' > "$file"; /bin/chmod +x "$file"`;

/** A folder that stands in for a machine, with a PATH, a home and a cache of its own. */
export class FakeMachine {
  readonly root = mkdtempSync(join(tmpdir(), "pulumi-cli-test-"));
  readonly bin = join(this.root, "bin");
  readonly cache = join(this.root, "cache");
  /** Stands in for the package `@pulumi/pulumi`. */
  readonly pulumiPackage = join(this.root, "node_modules/@pulumi/pulumi");
  readonly env: NodeJS.ProcessEnv = { PATH: this.bin, HOME: this.root, PULUMI_CLI_CACHE: this.cache };
  readonly lines: string[] = [];
  readonly report = (line: string): void => void this.lines.push(line);

  constructor() {
    mkdirSync(this.bin);
  }

  /** Puts executables on PATH, or into another folder. */
  install(programs: Record<string, string>, folder = this.bin): void {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), 0o755);
    }
  }

  /** Puts a whole CLI on PATH, or into another folder. */
  installPulumi(version: string, folder = this.bin): void {
    const companion = "#!/bin/sh\n";
    this.install({ pulumi: pulumiOf(version) }, folder);
    this.install({ "pulumi-language-nodejs": companion, "pulumi-resource-pulumi-nodejs": companion }, folder);
  }

  /** Puts programs of the real machine on PATH. */
  borrow(...names: readonly string[]): void {
    for (const name of names) symlinkSync(executableOnPath(name, process.env) ?? name, join(this.bin, name));
  }

  /** Returns a maker that makes a whole CLI. */
  workingMaker(): FakeMaker {
    return new FakeMaker((staging) => this.installPulumi(CLI_VERSION, join(staging, "bin")));
  }

  find(makers: readonly CliMaker[], options: FindOptions = {}): Promise<PulumiCli> {
    return findPulumiCli({
      ...{ env: this.env, report: this.report, makers, pulumiPackage: this.pulumiPackage },
      ...options,
    });
  }

  /** Returns the message with which a search fails. */
  async failureOf(makers: readonly CliMaker[], options: FindOptions = {}): Promise<string> {
    try {
      await this.find(makers, options);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("the search did not fail");
  }

  /** Returns the names of what the cache holds, hidden folders too. */
  cached(folder = this.cache): string[] {
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), "utf8");
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Stands in for a download, and counts its calls. */
export class FakeMaker implements CliMaker {
  readonly source = "download";
  readonly attempt = "a fake download";
  calls = 0;

  constructor(private readonly act: (staging: string) => void | Promise<void>) {}

  async make({ staging }: { staging: string }): Promise<void> {
    this.calls++;
    await this.act(staging);
  }
}

/** Returns a maker that fails half-way, as on a machine without a network. */
export const failingMaker = (): FakeMaker =>
  new FakeMaker((staging) => {
    writeFileSync(join(staging, "half"), "");
    throw new Error("cannot download");
  });
