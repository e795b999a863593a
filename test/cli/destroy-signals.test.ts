import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { waitFor, waitForOutput } from "../../tools/waiting.js";
import { sharedScene } from "./scene.js";

const PLANES = 6;

describe("pulumi destroy that gets a signal", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: PLANES });

  beforeEach(() => scene().adoptAll(PLANES));

  const requested = (count: number) =>
    waitFor(() => scene().emulator.requests.length >= count, { what: `${count} requests` });

  it("during its start deletes nothing, loses nothing, and the next destroy goes on", async () => {
    const { emulator, start, pulumi, expectWholeState, expectToConverge } = scene();
    for (const [signal, moment] of [
      ["SIGINT", "spawned"],
      ["SIGTERM", "first line"],
    ] as const) {
      const destroy = start("destroy --yes --skip-preview");
      if (moment === "first line") await waitForOutput(destroy, /./);
      destroy.kill(signal);
      const { exitCode, output } = await destroy.result;
      // Between its start and the first deletion, Pulumi may end with 0 all the same: docs/internals/pulumi-host.md.
      if (moment === "spawned") expect(exitCode, output).not.to.equal(0);
      expect(emulator.requests, output).to.deep.equal([]);
      await expectWholeState();
      // A CLI that does not handle signals yet may leave its lock.
      if (exitCode === undefined) await pulumi("cancel --yes");
    }
    await expectToConverge();
  });

  it("in the middle of many deletions keeps in the state exactly what is left in the service", async () => {
    const { emulator, start, expectWholeState, expectToConverge } = scene();
    emulator.script({ method: "DELETE" }, { delayMs: 300, times: PLANES });
    const destroy = start("destroy --yes --skip-preview --parallel 2");
    await requested(2);
    destroy.kill("SIGTERM");
    const { output } = await destroy.result;
    expect(emulator.controlPlanes.size, output).to.be.within(1, PLANES - 1);
    emulator.reset();
    await expectWholeState();
    await expectToConverge();
  });

  it("and then a second one leaves pending operations, which a plain, unattended destroy clears", async () => {
    const { emulator, stack, start, expectToConverge } = scene();
    emulator.script({ method: "DELETE" }, { delayMs: 2_500, times: PLANES });
    const destroy = start("destroy --yes --skip-preview");
    await requested(2);
    // GitHub cancels like this: one signal, and the other one while the process still exists.
    destroy.kill("SIGINT");
    await delay(200);
    destroy.kill("SIGTERM");
    const { exitCode, output } = await destroy.result;
    expect(exitCode, output).to.equal(8);
    expect(output).to.contain("error: destroy cancelled");
    expect(pluginsIn(stack.folder)).to.deep.equal([]);
    const sent = emulator.requests.length;
    const { resources, pending } = await stack.state();
    expect(pending).to.be.at.least(1);
    expect(resources.map(({ id }) => id)).to.include.members([...emulator.controlPlanes.keys()]);
    expect(emulator.requests).to.have.length(sent);

    emulator.reset();
    const again = await expectToConverge();
    expect(again).to.match(/warning: Attempting to deploy or update resources with \d+ pending operations/);
  });
});
