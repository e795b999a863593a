import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { type RepeatedScene, setRepeatedScene } from "./repeated-scene.js";

const PLANES = 6;

describe("pulumi destroy that gets a signal", function () {
  this.timeout(120_000);
  let scene: RepeatedScene;

  before(async () => {
    scene = await setRepeatedScene(PLANES);
  });
  beforeEach(() => scene.restore());
  after(() => scene.end());

  const requested = async (count: number) => {
    while (scene.emulator.requests.length < count) await delay(10);
  };

  it("during its start deletes nothing, loses nothing, and the next destroy goes on", async () => {
    for (const [signal, moment] of [
      ["SIGINT", "spawned"],
      ["SIGTERM", "first line"],
    ] as const) {
      const destroy = scene.start("destroy --yes --skip-preview");
      while (moment === "first line" && destroy.output === "") await delay(5);
      destroy.kill(signal);
      const { exitCode, output } = await destroy.result;
      // Between its start and the first deletion, Pulumi may end with 0 all the same: docs/pulumi-host.md.
      if (moment === "spawned") expect(exitCode, output).not.to.equal(0);
      expect(scene.emulator.requests, output).to.deep.equal([]);
      await scene.expectWholeState();
      // A CLI that does not handle signals yet may leave its lock.
      if (exitCode === undefined) await scene.pulumi("cancel --yes");
    }
    await scene.expectToConverge();
  });

  it("in the middle of many keeps in the state exactly what is left in the service", async () => {
    scene.emulator.script({ method: "DELETE" }, { delayMs: 300, times: PLANES });
    const destroy = scene.start("destroy --yes --skip-preview --parallel 2");
    await requested(2);
    destroy.kill("SIGTERM");
    const { output } = await destroy.result;
    expect(scene.emulator.controlPlanes.size, output).to.be.within(1, PLANES - 1);
    await scene.expectWholeState();
    await scene.expectToConverge();
  });

  it("and then a second one leaves pending operations, which a plain destroy clears, unattended", async () => {
    scene.emulator.script({ method: "DELETE" }, { delayMs: 2_500, times: PLANES });
    const destroy = scene.start("destroy --yes --skip-preview");
    await requested(2);
    // As GitHub cancels: first one, then, while the process is still there, the other.
    destroy.kill("SIGINT");
    await delay(200);
    destroy.kill("SIGTERM");
    const { exitCode, output } = await destroy.result;
    expect(exitCode, output).to.equal(8);
    expect(output).to.contain("error: destroy cancelled");
    expect(pluginsIn(scene.stack.folder)).to.deep.equal([]);
    const sent = scene.emulator.requests.length;
    const { resources, pending } = await scene.stack.state();
    expect(pending).to.be.at.least(1);
    expect(resources.map(({ id }) => id)).to.include.members([...scene.emulator.controlPlanes.keys()]);
    expect(scene.emulator.requests).to.have.length(sent);

    const again = await scene.expectToConverge();
    expect(again).to.match(/warning: Attempting to deploy or update resources with \d+ pending operations/);
  });
});
