import { expect } from "chai";
import { waitFor } from "../../tools/waiting.js";
import { diagnosticsOf, type Scene, scenesOnDemand } from "./scene.js";

describe("a CLI that is killed while the service creates a control plane", function () {
  this.timeout(180_000);
  const setScene = scenesOnDemand();

  /** Kills the CLI between a POST and its answer, and removes the lock. Returns the id of the control plane. */
  async function killed(scene: Scene): Promise<string> {
    scene.declare({ edge: { name: "edge" } });
    scene.emulator.script({ method: "POST" }, { hang: true, work: "now" });
    const up = scene.start("up --yes --skip-preview");
    await waitFor(() => scene.emulator.controlPlanes.size === 1, { what: "the creation" });
    up.kill("SIGKILL");
    await up.result;
    const cancel = await scene.pulumi("cancel --yes");
    expect(cancel.exitCode, cancel.output).to.equal(0);
    const { resources, pending } = await scene.stack.state();
    expect([resources.length, pending]).to.deep.equal([0, 1]);
    return [...scene.emulator.controlPlanes.keys()][0]!;
  }

  it("leaves one that the next up names, with the line that adopts it; a refresh clears the pending operation", async () => {
    const scene = await setScene({ planes: 0 });
    const id = await killed(scene);

    const again = await scene.pulumi("up --yes --skip-preview");
    expect(again.exitCode).to.equal(1);
    expect(again.output).to.contain("1 pending operations from previous deployment");
    const text = diagnosticsOf("edge", again.output);
    expect(text).to.contain(`The name is taken by control plane "edge" (${id})`);
    expect(text).to.contain(`controlPlaneId: "${id}" instead of name`);
    expect(scene.emulator.controlPlanes.size).to.equal(1);

    scene.declare({ edge: { controlPlaneId: id } });
    const adopted = await scene.pulumi("up --yes --skip-preview");
    expect(adopted.exitCode, adopted.output).to.equal(0);
    expect((await scene.stack.state()).pending).to.equal(1);
    const refresh = await scene.pulumi("refresh --yes --skip-preview --clear-pending-creates");
    expect(refresh.exitCode, refresh.output).to.equal(0);
    await scene.expectWholeState();
    await scene.expectToConverge();
  });
});
