import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CliMaker } from "../../../tools/pulumi-cli/maker.js";
import { CLI_VERSION } from "../../../tools/pulumi-cli/versions.js";

/** A script that answers `pulumi version`. */
export const pulumiOf = (version: string): string => `#!/bin/sh\n[ "$1" = version ] && echo v${version}\n`;

/** A script in place of go; `build` is what it does after "go build … -o $file <package>". */
export const goThat = (build: string, version = "echo go version go1.26.8 linux/amd64"): string => `#!/bin/sh
if [ "$1" = version ]; then ${version}; exit; fi
while [ "$1" != -o ]; do shift; done
file=$2
${build}
`;

/** What a build does that goes well. */
export const WRITE_BINARY = `printf '#!/bin/sh\\necho v${CLI_VERSION}\\n' > "$file"; /bin/chmod +x "$file"`;

/** A folder with a PATH, a home and a cache of its own. */
export class FakeMachine {
  readonly root = mkdtempSync(join(tmpdir(), "pulumi-cli-test-"));
  readonly bin = join(this.root, "bin");
  readonly cache = join(this.root, "cache");
  readonly env: NodeJS.ProcessEnv = { PATH: this.bin, HOME: this.root, PULUMI_CLI_CACHE: this.cache };
  readonly lines: string[] = [];
  readonly report = (line: string): void => void this.lines.push(line);

  constructor() {
    mkdirSync(this.bin);
  }

  /** Puts executables on PATH. */
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

  /** What lies in the cache, hidden folders too. */
  cached(folder = this.cache): string[] {
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Stands in for Pulumi's installer and counts its calls. */
export class FakeInstaller implements CliMaker {
  readonly source = "installer";
  readonly attempt = "the official installer";
  calls = 0;

  constructor(private readonly act: (staging: string) => void | Promise<void>) {}

  async make({ staging }: { staging: string }): Promise<void> {
    this.calls++;
    await this.act(staging);
  }
}

/** An installer on a machine without a network. */
export const failingInstaller = (): FakeInstaller =>
  new FakeInstaller((staging) => {
    writeFileSync(join(staging, "half"), "");
    throw new Error("cannot download");
  });
