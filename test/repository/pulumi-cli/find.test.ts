import { expect } from "chai";
import { rmSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cliEnvironment } from "../../../tools/pulumi-cli/index.js";
import { goBuild } from "../../../tools/pulumi-cli/makers/go-build.js";
import type { CliMaker } from "../../../tools/pulumi-cli/makers/maker.js";
import { CLI_VERSION, MINIMUM_GO_VERSION, PULUMI_INSTALL_PAGE } from "../../../tools/pulumi-cli/versions.js";
import { failingMaker, FakeMachine, goThat, pulumiOf, WRITE_BINARY } from "./fake-machine.js";

describe("the search for the Pulumi CLI", () => {
  let machine: FakeMachine;
  beforeEach(() => (machine = new FakeMachine()));
  afterEach(() => machine.remove());

  const find = (...makers: CliMaker[]) => machine.find(makers);
  const failure = (...makers: CliMaker[]) => machine.failureOf(makers);

  it("takes the one on PATH and says nothing", async () => {
    machine.installPulumi("3.200.1");
    const cli = await find(machine.workingMaker());
    expect(cli).to.deep.equal({
      path: join(machine.bin, "pulumi"),
      binDir: machine.bin,
      version: "3.200.1",
      source: "PATH",
    });
    expect(machine.lines).to.deep.equal([]);
    expect(machine.cached()).to.deep.equal([]);
  });

  it("passes over one on PATH that is too old, and says so in one line", async () => {
    machine.installPulumi("3.168.9");
    expect(await find(machine.workingMaker())).to.include({ source: "download", version: CLI_VERSION });
    expect(machine.lines).to.have.length(1);
    expect(machine.lines[0]).to.match(/bin\/pulumi is v3\.168\.9, and v3\.169\.0 or newer is needed$/);
  });

  it("passes over one on PATH that has no language host or no plugin script", async () => {
    machine.install({ pulumi: pulumiOf("3.200.0") });
    expect(await find(machine.workingMaker())).to.include({ source: "download" });
    machine.install({ "pulumi-language-nodejs": "" });
    expect(await find(machine.workingMaker())).to.include({ source: "cache" });
    expect(machine.lines[0]).to.contain("pulumi-language-nodejs is neither beside it nor on PATH");
    expect(machine.lines[1]).to.contain("pulumi-resource-pulumi-nodejs is neither beside it nor on PATH");
  });

  it("takes one on PATH that lacks only what npm has installed, and lends it that", async () => {
    machine.install({ pulumi: pulumiOf("3.200.0"), "pulumi-language-nodejs": "" });
    machine.install({ "pulumi-resource-pulumi-nodejs": "" }, machine.pulumiPackage);
    const cli = await find(machine.workingMaker());
    expect(cli).to.include({ source: "PATH", version: "3.200.0" });
    expect(machine.lines).to.deep.equal([]);
    expect(cliEnvironment(cli, machine.env).PATH).to.equal(
      [machine.bin, machine.pulumiPackage].join(delimiter),
    );
  });

  it("lends nothing to one on PATH that lacks nothing", async () => {
    machine.installPulumi("3.200.0");
    machine.install({ "pulumi-resource-pulumi-nodejs": "" }, machine.pulumiPackage);
    expect(cliEnvironment(await find(), machine.env).PATH).to.equal(machine.bin);
  });

  it("passes over one on PATH that does not run", async () => {
    machine.install({ pulumi: "#!/bin/sh\necho broken pipe dream >&2; exit 3\n" });
    await find(machine.workingMaker());
    expect(machine.lines[0]).to.match(/`pulumi version` failed: broken pipe dream$/);
  });

  it("takes the cached one the next time, and makes no other", async () => {
    const maker = machine.workingMaker();
    const first = await find(maker);
    const second = await find(maker);
    expect([first.source, second.source]).to.deep.equal(["download", "cache"]);
    expect(second.path).to.equal(first.path);
    expect(maker.calls).to.equal(1);
    expect(machine.cached()).to.have.length(1);
  });

  it("does not use a cached one that no longer runs, says so, and replaces it", async () => {
    const { binDir } = await find(machine.workingMaker());
    machine.install({ pulumi: "#!/bin/sh\nexit 1\n" }, binDir);
    const maker = machine.workingMaker();
    expect(await find(maker)).to.include({ source: "download", binDir });
    expect(maker.calls).to.equal(1);
    expect(machine.cached()).to.have.length(1);
  });

  it("does not use a cached one that lacks a companion, even where PATH has one", async () => {
    const { binDir } = await find(machine.workingMaker());
    rmSync(join(binDir, "pulumi-language-nodejs"));
    machine.install({ "pulumi-language-nodejs": "" });
    expect(await find(machine.workingMaker())).to.include({ source: "download" });
    expect(readdirSync(binDir)).to.contain("pulumi-language-nodejs");
  });

  it("keeps the cache in the user's cache folder unless PULUMI_CLI_CACHE moves it", async () => {
    machine.env.PULUMI_CLI_CACHE = join(machine.root, "moved");
    expect((await find(machine.workingMaker())).binDir).to.match(
      /\/moved\/3\.\d+\.0-\w+-\w+-[0-9a-f]{8}\/bin$/,
    );
    delete machine.env.PULUMI_CLI_CACHE;
    machine.env.XDG_CACHE_HOME = join(machine.root, "xdg");
    const usual = (await find(machine.workingMaker())).binDir;
    if (process.platform !== "win32") {
      expect(usual).to.contain(join(machine.root, "xdg", "pulumi-konnect-control-planes", "pulumi-cli"));
    }
  });

  it("builds with Go when the download fails, and says how long that takes and where the result is kept", async () => {
    machine.install({ go: goThat(WRITE_BINARY) });
    const cli = await find(failingMaker(), goBuild);
    expect(cli).to.include({ source: "go build", version: CLI_VERSION });
    expect(readdirSync(cli.binDir).sort()).to.deep.equal([
      "pulumi",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    expect(machine.lines[0]).to.contain("a fake download failed: cannot download");
    expect(machine.lines[1]).to.contain(`not on PATH; building v${CLI_VERSION} from source with go 1.26.8`);
    expect(machine.lines[1]).to.contain(`once; kept in ${machine.cache}`);
  });

  it("leaves nothing behind when everything fails, and names what was tried and what to install", async () => {
    machine.install({ go: goThat('echo half > "$file"; echo "go: no such host" >&2; exit 1') });
    const message = await failure(failingMaker(), goBuild);
    expect(machine.cached()).to.deep.equal([]);
    expect(message.split("\n")).to.have.length(6);
    expect(message).to.contain("pulumi on PATH: there is none");
    expect(message).to.contain("a fake download: cannot download");
    expect(message).to.contain("with Go: go: no such host");
    expect(message).to.contain(PULUMI_INSTALL_PAGE);
    expect(message).to.contain(`Go ${MINIMUM_GO_VERSION} or newer`);
  });

  it("says when there is no Go, and when Go is too old", async () => {
    expect(await failure(goBuild)).to.contain("go is not on PATH");
    machine.install({ go: goThat("exit 9", "echo 'go: go.mod requires go >= 1.25.11' >&2; exit 1") });
    expect(await failure(goBuild)).to.contain("with Go: go: go.mod requires go >= 1.25.11");
    machine.install({ go: goThat("exit 9", "echo go version go1.18 linux/amd64") });
    expect(await failure(goBuild)).to.match(/Go 1\.25\.11 or newer is needed, and \S+go is 1\.18$/m);
  });

  it("does not keep what was made when it does not run", async () => {
    machine.install({ go: goThat(`printf '#!/bin/sh\\necho v3.1.0' > "$file"; /bin/chmod +x "$file"`) });
    expect(await failure(goBuild)).to.contain(`the result is version 3.1.0, not ${CLI_VERSION}`);
    expect(machine.cached()).to.deep.equal([]);
  });

  it("serves two that build at the same time", async () => {
    machine.install({ go: goThat(`/bin/sleep 0.2; ${WRITE_BINARY}`) });
    const found = await Promise.all([find(goBuild), find(goBuild)]);
    expect(found[0].path).to.equal(found[1].path);
    expect(machine.cached()).to.have.length(1);
    expect(await find()).to.include({ source: "cache" });
  });
});
