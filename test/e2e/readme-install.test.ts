import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { readReadmeSection, usePackedProject } from "./packed-project.js";
import { setScene } from "./scene.js";
import { startTeardown, stopTeardowns } from "./teardown-command.js";

const README_ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";

describe("README.md, followed in an empty folder", function () {
  this.timeout(300_000);
  const project = usePackedProject();
  const readJson = (file: string) =>
    JSON.parse(readFileSync(path.join(project().folder, file), "utf8")) as Readonly<
      Record<string, Readonly<Record<string, string>>>
    >;

  afterEach(stopTeardowns);

  it("installs the tarball and a release of Pulumi that runs on Node 20", () => {
    expect(readJson("package.json").dependencies).to.have.all.keys(
      "pulumi-konnect-control-planes",
      "@pulumi/pulumi",
    );
    const pulumi = readJson("node_modules/@pulumi/pulumi/package.json");
    expect(pulumi).to.deep.include({ version: "3.248.0", engines: { node: ">=20" } });
  });

  it("runs its program on packages that teardown.sh installed without install scripts", async () => {
    const { folder } = project();
    const installed = await startTeardown(["install", folder], {
      cwd: folder,
      env: { ...process.env, npm_config_prefer_offline: "true" },
    }).result;
    expect(installed.exitCode, installed.output).to.equal(0);

    const { program, run } = readReadmeSection();
    expect(program).to.contain(README_ID).and.to.contain(', region: "eu"');
    const scene = await setScene({
      planes: 0,
      program: {
        "Pulumi.yaml": "name: readme\nruntime: nodejs\n",
        "package.json": readFileSync(path.join(folder, "package.json"), "utf8"),
        // The emulator is in no region. The configuration names its address instead.
        "index.ts": program.replace(', region: "eu"', ""),
      },
      nodeModules: path.join(folder, "node_modules"),
    });
    scene.emulator.add({ id: README_ID, name: "legacy" });
    await scene.stack.run(["config", "set", "konnect:baseUrl", scene.emulator.baseUrl]);

    const lines = run.trim().split("\n");
    const [token, up, destroy, ...more] = lines.map((line) => line.replace(/ *#.*/, ""));
    expect([token, up, destroy, more]).to.deep.equal([
      "export KONNECT_SPAT=spat_…",
      "pulumi up",
      "pulumi destroy --continue-on-error",
      [],
    ]);
    // A person confirms both. The token is that of the emulator.
    const confirm = { PULUMI_SKIP_CONFIRMATIONS: "true" };
    const adopted = await scene.pulumi("up", confirm);
    expect(adopted.exitCode, adopted.output).to.equal(0);
    expect(scene.emulator.controlPlanes.has(README_ID)).to.equal(true);
    const destroyed = await scene.pulumi("destroy --continue-on-error", confirm);
    expect(destroyed.exitCode, destroyed.output).to.equal(0);
    expect(scene.emulator.controlPlanes.has(README_ID)).to.equal(false);
    await scene.end();
  });
});
