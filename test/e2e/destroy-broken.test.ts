import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { startCommand } from "../../tools/commands.js";
import { killPlugins } from "../../tools/local-stack/plugins.js";
import { type RepeatedScene, setRepeatedScene } from "./repeated-scene.js";
import { idOf, TOKEN } from "./scene.js";

describe("pulumi destroy that something else breaks", function () {
  this.timeout(120_000);
  let scene: RepeatedScene;

  before(async () => {
    scene = await setRepeatedScene(3);
  });
  beforeEach(() => scene.restore());
  after(() => scene.end());

  it("fails at once when the provider's process is killed, and the next destroy goes on", async () => {
    scene.emulator.script({ id: idOf(1) }, { status: 503, headers: { "retry-after": "60" } });
    scene.emulator.script({ id: idOf(2) }, { hang: true });
    scene.emulator.script({ id: idOf(3) }, { reset: "after" }); // deleted, but nobody is told
    const destroy = scene.start("destroy --yes --skip-preview");
    while (scene.emulator.requests.length < 3) await delay(10);
    await delay(100);
    expect(killPlugins(scene.stack.folder)).to.equal(1);

    const { exitCode, output } = await destroy.result;
    expect(exitCode, output).to.equal(1);
    expect(scene.emulator.requests).to.have.length(3);
    expect(scene.emulator.controlPlanes.size).to.equal(2);
    const { resources, pending } = await scene.stack.state();
    expect(resources.map(({ id }) => id)).to.have.members([idOf(1), idOf(2), idOf(3)]);
    expect(pending).to.equal(0);

    await scene.expectToConverge();
  });

  // A limit on the size of files stands for a full disk: it needs no privilege, and the CLI cannot write its files either
  // way. What a real one does stands in docs/pulumi-host.md.
  const destroyOnFullDisk = (blocks: number) => {
    const command = `ulimit -f ${blocks}; exec pulumi destroy --yes --skip-preview --non-interactive`;
    return startCommand("sh", ["-c", command], {
      cwd: scene.stack.folder,
      env: { ...scene.stack.env, KONNECT_SPAT: TOKEN },
    });
  };

  it("deletes nothing when the disk has no room for a lock, and goes on once `pulumi cancel` has run", async () => {
    const { exitCode, output } = await destroyOnFullDisk(0).result;
    expect(exitCode, output).to.be.greaterThan(0);
    expect(output)
      .to.match(/locks.*file too large/)
      .and.not.to.contain(TOKEN);
    expect(scene.emulator.requests).to.deep.equal([]);
    expect((await scene.stack.state()).resources).to.have.length(3);

    // The lock is there, but empty: what a destroy says then does not name the way out.
    const locked = await scene.pulumi("destroy --yes --skip-preview");
    expect(locked.exitCode, locked.output).to.equal(1);
    expect(locked.output).to.contain("unexpected end of JSON input");
    expect((await scene.pulumi("cancel --yes")).exitCode).to.equal(0);
    await scene.expectToConverge();
  });

  it("deletes nothing when the disk has no room for the state, and goes on from an earlier export", async () => {
    const destroy = destroyOnFullDisk(4);
    while (!destroy.output.includes("deleting")) await delay(20);
    // Pulumi tries each write for half a minute. A file backend may have cut the state off by then.
    await delay(2_000);
    destroy.kill("SIGKILL");
    expect((await destroy.result).output).not.to.contain(TOKEN);
    expect(scene.emulator.requests).to.deep.equal([]);

    expect((await scene.pulumi("cancel --yes")).exitCode).to.equal(0);
    const imported = await scene.pulumi("stack import --file adopted.json");
    expect(imported.exitCode, imported.output).to.equal(0);
    await scene.expectToConverge();
  });
});
