import { expect } from "chai";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../../tools/commands.js";
import type { CliMaker } from "../../../tools/pulumi-cli/makers/maker.js";
import { downloadRelease, release } from "../../../tools/pulumi-cli/makers/release.js";
import { CLI_VERSION, RELEASE_CHECKSUMS } from "../../../tools/pulumi-cli/versions.js";
import { FakeMachine, pulumiOf } from "./fake-machine.js";

/** Stands in for curl: it notes its arguments, and puts the archive of the test where the download belongs. */
const curlOf = (archive: string, log: string) => `#!/bin/sh
echo "$@" > ${log}
while [ "$1" != --output ]; do shift; done
/bin/cp ${archive} "$2"
`;

const platform = `${process.platform}-${process.arch}`;

describe("the download of a Pulumi release", () => {
  let machine: FakeMachine;
  let archive: string;

  beforeEach(async () => {
    machine = new FakeMachine();
    archive = join(machine.root, "archive.tar.gz");
    machine.install(
      {
        pulumi: pulumiOf(CLI_VERSION),
        "pulumi-language-nodejs": "#!/bin/sh\n",
        "pulumi-language-python": "#!/bin/sh\n",
      },
      join(machine.root, "pulumi"),
    );
    await runCommand("tar", ["-czf", archive, "-C", machine.root, "pulumi"], { env: process.env });
    machine.install({ curl: curlOf(archive, join(machine.root, "curl-arguments")) });
    machine.borrow("tar", "gzip");
  });
  afterEach(() => machine.remove());

  const makerWith = (checksums: Readonly<Record<string, string>>): CliMaker => ({
    ...release,
    make: (workshop) => downloadRelease(workshop, checksums),
  });
  const checksumOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

  it("unpacks an archive with the expected checksum, and keeps only what is needed", async () => {
    const { binDir, source } = await machine.find([makerWith({ [platform]: checksumOf(archive) })]);
    expect(source).to.equal("download");
    expect(readdirSync(binDir).sort()).to.deep.equal([
      "pulumi",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    expect(readdirSync(join(binDir, "..")).sort()).to.deep.equal(["bin", "manifest.json"]);
    expect(machine.read("curl-arguments"))
      .to.contain("--proto =https")
      .and.to.contain(`https://get.pulumi.com/releases/sdk/pulumi-v${CLI_VERSION}-${platform}.tar.gz`);
    expect(machine.lines).to.have.length(1);
    expect(machine.lines[0]).to.contain(`not on PATH; downloading v${CLI_VERSION}`);
  });

  it("refuses any other archive before it is unpacked", async () => {
    machine.install(
      { tar: `#!/bin/sh\necho unpacked > ${machine.root}/tar-ran\n` },
      join(machine.root, "early"),
    );
    machine.env.PATH = `${machine.root}/early:${machine.bin}`;
    const message = await machine.failureOf([makerWith({ [platform]: "0".repeat(64) })]);
    expect(message).to.contain(`has the SHA-256 ${checksumOf(archive)}, not ${"0".repeat(64)}: not used`);
    expect(readdirSync(machine.root)).not.to.include("tar-ran");
    expect(machine.cached()).to.deep.equal([]);
  });

  it("compares with the checksums in this repository", async () => {
    expect(RELEASE_CHECKSUMS).to.have.all.keys("darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64");
    for (const checksum of Object.values(RELEASE_CHECKSUMS)) expect(checksum).to.match(/^[0-9a-f]{64}$/);
    const expected = RELEASE_CHECKSUMS[platform] ?? "no checksum is pinned";
    expect(await machine.failureOf([release])).to.contain(expected);
  });

  it("does not start for a platform without a checksum", async () => {
    expect(await machine.failureOf([makerWith({})])).to.contain(`no checksum is pinned for ${platform}`);
    expect(readdirSync(machine.root)).not.to.include("curl-arguments");
  });

  it("says when curl fails, and when there is none", async () => {
    machine.install({ curl: "#!/bin/sh\necho 'curl: (6) Could not resolve host' >&2; exit 6\n" });
    expect(await machine.failureOf([release])).to.contain("curl: (6) Could not resolve host");
    machine.env.PATH = "";
    expect(await machine.failureOf([release])).to.contain("curl is not on PATH");
  });
});
