import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { type RunningCommand, startCommand } from "../../tools/commands.js";
import { killPlugins } from "../../tools/local-stack/plugins.js";
import { waitFor, waitForOutput } from "../../tools/waiting.js";
import { idOf, sharedScene, TOKEN } from "./scene.js";

describe("pulumi destroy that something else breaks", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 3 });

  beforeEach(() => scene().adoptAll(3));

  it("fails at once when the provider's process is killed, and the next destroy goes on", async () => {
    const { emulator, stack, start, expectToConverge } = scene();
    emulator.script({ id: idOf(1) }, { status: 503, headers: { "retry-after": "60" } });
    emulator.script({ id: idOf(2) }, { hang: true });
    emulator.script({ id: idOf(3) }, { reset: "after" }); // deleted, and the answer is lost
    const destroy = start("destroy --yes --skip-preview");
    const soFar = () => destroy.output;
    await waitFor(() => emulator.requests.length === 3, { what: "three requests", soFar });
    await delay(100);
    expect(killPlugins(stack.folder)).to.equal(1);

    const { exitCode, output } = await destroy.result;
    expect(exitCode, output).to.equal(1);
    expect(emulator.requests).to.have.length(3);
    expect(emulator.controlPlanes.size).to.equal(2);
    const { resources, pending } = await stack.state();
    expect(resources.map(({ id }) => id)).to.have.members([idOf(1), idOf(2), idOf(3)]);
    expect(pending).to.equal(0);

    await expectToConverge();
  });

  /**
   * Starts a destroy with a limit on the size of files. It stands for a full disk: it needs no privilege, and the CLI
   * cannot write its files either. What a real full disk does is in docs/internals/pulumi-host.md.
   */
  const destroyOnFullDisk = (blocks: number): RunningCommand => {
    const { stack } = scene();
    const command = `ulimit -f ${blocks}; exec pulumi destroy --yes --skip-preview --non-interactive`;
    return startCommand("sh", ["-c", command], {
      cwd: stack.folder,
      env: { ...stack.env, KONNECT_SPAT: TOKEN },
      timeoutMs: 60_000,
    });
  };

  it("deletes nothing when the disk has no room for a lock, and goes on once `pulumi cancel` has run", async () => {
    const { emulator, stack, pulumi, expectToConverge } = scene();
    const { exitCode, output } = await destroyOnFullDisk(0).result;
    expect(exitCode, output).to.be.greaterThan(0);
    expect(output)
      .to.match(/locks.*file too large/)
      .and.not.to.contain(TOKEN);
    expect(emulator.requests).to.deep.equal([]);
    expect((await stack.state()).resources).to.have.length(3);

    // The lock exists, but it is empty. The message of the next destroy does not name the way out.
    const locked = await pulumi("destroy --yes --skip-preview");
    expect(locked.exitCode, locked.output).to.equal(1);
    expect(locked.output).to.contain("unexpected end of JSON input");
    expect((await pulumi("cancel --yes")).exitCode).to.equal(0);
    await expectToConverge();
  });

  it("deletes nothing when the disk has no room for the state, and goes on from an earlier export", async () => {
    const { emulator, stack, pulumi, expectToConverge } = scene();
    stack.write("adopted.json", (await stack.state()).exported);
    const destroy = destroyOnFullDisk(4);
    await waitForOutput(destroy, "deleting");
    // Pulumi tries each write for half a minute. A file backend may have cut the state off by then.
    await delay(2_000);
    destroy.kill("SIGKILL");
    expect((await destroy.result).output).not.to.contain(TOKEN);
    expect(emulator.requests).to.deep.equal([]);

    expect((await pulumi("cancel --yes")).exitCode).to.equal(0);
    const imported = await pulumi("stack import --file adopted.json");
    expect(imported.exitCode, imported.output).to.equal(0);
    await expectToConverge();
  });
});
