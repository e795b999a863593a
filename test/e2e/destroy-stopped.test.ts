import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { RunningCommand } from "../../tools/commands.js";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { idOf, planeText, type Scene, setScene } from "./scene.js";

/** Waits until a command has printed what a pattern says. */
async function printed(command: RunningCommand, pattern: RegExp): Promise<void> {
  for (let ms = 0; ms < 30_000; ms += 50) {
    if (pattern.test(command.output)) return;
    await delay(50);
  }
  throw new Error(`not printed within 30 s: ${String(pattern)}\n${command.output}`);
}

describe("pulumi destroy that is stopped while a control plane is unavailable", function () {
  this.timeout(120_000);
  let scene: Scene;

  beforeEach(async () => {
    scene = await setScene({ planes: 1 });
    scene.declare({ edge: { controlPlaneId: idOf(1) } });
    await scene.up();
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`ends within seconds of ${signal}, with a clean state, and the next destroy goes on`, async () => {
      scene.emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "60" } });
      const destroy = scene.start("destroy --yes --skip-preview");
      await printed(destroy, /503, retry 2 of 10 in 1 min 0 s/);
      const startedMs = performance.now();
      destroy.kill(signal);
      const { exitCode, output } = await destroy.result;

      expect(performance.now() - startedMs).to.be.below(5_000);
      expect(exitCode, output).to.equal(1);
      expect(output).to.contain(`Interrupted: ${planeText(1)} was not deleted`);
      const { resources, pending } = await scene.stack.state();
      expect(resources).to.have.length(1);
      expect(pending).to.equal(0);
      expect(scene.emulator.requests).to.have.length(1);

      const again = await scene.pulumi("destroy --yes --skip-preview");
      expect(again.exitCode, again.output).to.equal(0);
      expect(scene.emulator.controlPlanes.size).to.equal(0);
      await scene.end();
    });
  }

  it("cuts off a request that is in flight some seconds after the signal", async () => {
    scene.emulator.script({ method: "DELETE" }, { hang: true });
    const destroy = scene.start("destroy --yes --skip-preview");
    await printed(destroy, /deleting/);
    await delay(2_000);
    const startedMs = performance.now();
    destroy.kill("SIGINT");
    const { exitCode, output } = await destroy.result;
    expect(performance.now() - startedMs).to.be.within(4_000, 10_000);
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain(`Interrupted: ${planeText(1)} may be deleted or not`);
    const { resources, pending } = await scene.stack.state();
    expect([resources.length, pending]).to.deep.equal([1, 0]);
    const again = await scene.pulumi("destroy --yes --skip-preview");
    expect(again.exitCode, again.output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
    await scene.end();
  });

  it("leaves no plugin behind that goes on deleting when the CLI is killed", async () => {
    scene.emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "4" } });
    const destroy = scene.start("destroy --yes --skip-preview");
    await printed(destroy, /503, retry 2 of 10/);
    destroy.kill("SIGKILL");
    await delay(6_000);
    expect(scene.emulator.requests.map(({ status }) => status)).to.deep.equal([503]);
    expect(scene.emulator.controlPlanes.size).to.equal(1);
    expect(pluginsIn(scene.stack.folder)).to.deep.equal([]);
    // A killed CLI cannot take its lock back.
    expect((await scene.pulumi("cancel --yes")).exitCode).to.equal(0);
    const again = await scene.pulumi("destroy --yes --skip-preview");
    expect(again.exitCode, again.output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
    await scene.end();
  });

  it("costs no command the five seconds that the engine grants a plugin to exit", async () => {
    for (const command of ["preview", "refresh --yes --skip-preview", "destroy --yes --skip-preview"]) {
      let lastOutputMs = 0;
      const run = scene.start(command);
      run.onOutput(() => (lastOutputMs = performance.now()));
      const { exitCode, output } = await run.result;
      expect(exitCode, output).to.equal(0);
      expect(performance.now() - lastOutputMs, command).to.be.below(3_000);
    }
    await scene.end();
  });
});
