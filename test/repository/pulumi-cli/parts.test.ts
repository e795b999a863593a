import { expect } from "chai";
import { execa } from "execa";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cliEnvironment, type PulumiCli } from "../../../tools/pulumi-cli/index.js";
import { writePluginScript } from "../../../tools/pulumi-cli/makers/plugin-script.js";
import * as versions from "../../../tools/pulumi-cli/versions.js";
import { FakeMachine } from "./fake-machine.js";

describe("the environment for the Pulumi CLI", () => {
  const cli: PulumiCli = { path: "/cli/pulumi", binDir: "/cli", version: "3.200.0", source: "cache" };

  it("has the CLI's folder first on PATH, and keeps the CLI from looking for newer versions", () => {
    const env = { PATH: "/bin", TOKEN: "x" };
    const expected = { PATH: "/cli:/bin", TOKEN: "x", PULUMI_SKIP_UPDATE_CHECK: "true" };
    if (process.platform !== "win32") expect(cliEnvironment(cli, env)).to.deep.equal(expected);
    expect(env).to.deep.equal({ PATH: "/bin", TOKEN: "x" });
  });

  it("leaves PATH as it is for a CLI that was found there", () => {
    expect(cliEnvironment({ ...cli, source: "PATH" }, { PATH: "/bin:/cli" }).PATH).to.equal("/bin:/cli");
  });
});

describe("the versions of the Pulumi CLI", () => {
  const goMod = (module: string): string =>
    readFileSync(join(__dirname, "../../../tools/pulumi-cli/go", module, "go.mod"), "utf8");

  it("are the ones that the Go modules pin", () => {
    expect(goMod("pulumi")).to.contain(`github.com/pulumi/pulumi/pkg/v3 v${versions.CLI_VERSION} `);
    expect(goMod("pulumi")).to.contain(`\ngo ${versions.MINIMUM_GO_VERSION}\n`);
    const languageHost = `github.com/pulumi/pulumi/sdk/v3 v${versions.LANGUAGE_HOST_VERSION} `;
    expect(goMod("language-nodejs")).to.contain(languageHost);
  });

  it("are compared number by number", () => {
    expect(versions.isAtLeast("3.169.0", "3.169.0")).to.equal(true);
    expect(versions.isAtLeast("3.1000.0", "3.169.0")).to.equal(true);
    expect(versions.isAtLeast("4.0.0", "3.169.0")).to.equal(true);
    expect(versions.isAtLeast("3.99.9", "3.169.0")).to.equal(false);
  });

  it("are read from what the CLI prints, also after a warning", () => {
    expect(versions.parseCliVersion("v3.259.0\n")).to.equal("3.259.0");
    expect(versions.parseCliVersion("warning: old\n3.260.0-dev.1\n")).to.equal("3.260.0");
    expect(versions.parseCliVersion("no version")).to.equal(undefined);
  });
});

describe("the script that starts the host of dynamic providers", () => {
  let machine: FakeMachine;
  beforeEach(() => (machine = new FakeMachine()));
  afterEach(() => machine.remove());

  const run = async (cwd: string) => {
    const script = join(machine.bin, "pulumi-resource-pulumi-nodejs");
    const child = execa(script, ["127.0.0.1:1", "a b"], { cwd, reject: false, timeout: 5_000 });
    const { stdout, exitCode } = await child;
    return { pid: child.pid, stdout, exitCode };
  };

  it("becomes the host of the project in whose folder it runs", async () => {
    const host = join(machine.root, "project/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
    mkdirSync(dirname(host), { recursive: true });
    writeFileSync(host, "console.log(JSON.stringify([process.pid, ...process.argv.slice(2)]))");
    await writePluginScript(machine.bin);
    const { pid, stdout } = await run(join(machine.root, "project"));
    expect(JSON.parse(stdout)).to.deep.equal([pid, "127.0.0.1:1", "a b"]);
  });

  it("fails where @pulumi/pulumi is not installed", async () => {
    await writePluginScript(machine.bin);
    expect((await run(machine.root)).exitCode).to.equal(1);
  });
});
