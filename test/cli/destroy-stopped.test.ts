import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { waitFor, waitForOutput } from "../../tools/waiting.js";
import { planeText, sharedScene } from "./scene.js";

describe("pulumi destroy that is stopped while a control plane is unavailable", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 1 });

  beforeEach(() => scene().adoptAll(1));

  it("ends within seconds of SIGTERM, with a clean state, and the next destroy goes on", async () => {
    const { emulator, stack, start, expectToConverge } = scene();
    emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "60" } });
    const destroy = start("destroy --yes --skip-preview");
    await waitForOutput(destroy, "503, retry 2 of 10 in 1 min 0 s");
    const startedMs = performance.now();
    destroy.kill("SIGTERM");
    const { exitCode, output } = await destroy.result;

    expect(performance.now() - startedMs).to.be.below(5_000);
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain(`Interrupted: ${planeText(1)} was not deleted`);
    const { resources, pending } = await stack.state();
    expect([resources.length, pending]).to.deep.equal([1, 0]);
    expect(emulator.requests).to.have.length(1);

    await expectToConverge();
  });

  it("cuts off a request that is in flight five seconds after the signal", async () => {
    const { emulator, stack, start } = scene();
    emulator.script({ method: "DELETE" }, { hang: true });
    const destroy = start("destroy --yes --skip-preview");
    await waitFor(() => emulator.requests.length === 1, { what: "a request", soFar: () => destroy.output });
    const startedMs = performance.now();
    destroy.kill("SIGINT");
    const { exitCode, output } = await destroy.result;
    expect(performance.now() - startedMs).to.be.within(4_000, 10_000);
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain(`Interrupted: ${planeText(1)} may or may not have been deleted`);
    const { resources, pending } = await stack.state();
    expect([resources.length, pending]).to.deep.equal([1, 0]);
  });

  it("leaves no plugin behind that goes on deleting when the CLI is killed", async () => {
    const { emulator, stack, start, pulumi, expectToConverge } = scene();
    emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "2" } });
    const destroy = start("destroy --yes --skip-preview");
    await waitForOutput(destroy, "503, retry 2 of 10");
    destroy.kill("SIGKILL");
    await waitFor(() => pluginsIn(stack.folder).length === 0, { what: "the end of the plugin" });
    // Longer than the plugin would have waited.
    await delay(2_500);
    expect(emulator.requests.map(({ status }) => status)).to.deep.equal([503]);
    expect(emulator.controlPlanes.size).to.equal(1);
    // A killed CLI cannot remove its lock.
    expect((await pulumi("cancel --yes")).exitCode).to.equal(0);
    await expectToConverge();
  });

  it("costs no command the five seconds that the engine grants a plugin to exit", async () => {
    for (const command of ["refresh --yes --skip-preview", "destroy --yes --skip-preview"]) {
      let lastOutputMs = 0;
      const run = scene().start(command);
      run.onOutput(() => (lastOutputMs = performance.now()));
      const { exitCode, output } = await run.result;
      expect(exitCode, output).to.equal(0);
      expect(performance.now() - lastOutputMs, command).to.be.below(3_000);
    }
  });
});
