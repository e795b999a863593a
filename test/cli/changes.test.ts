import { expect } from "chai";
import { diagnosticsOf, idOf, planeText, sceneForEachTest } from "./scene.js";

describe("a stack whose program or service has changed", function () {
  this.timeout(120_000);
  const scene = sceneForEachTest({ planes: 2 }, (created) =>
    created.adopt({ edge: { controlPlaneId: idOf(1) } }),
  );

  it("refuses another id in the preview, and says which control plane would be lost and both ways out", async () => {
    scene().declare({ edge: { controlPlaneId: idOf(2) } });
    const { exitCode, output } = await scene().pulumi("preview");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("edge", output);
    expect(text.split("\n")[0]).to.equal(`error: Refused: ${planeText(1)} would be deleted by this change`);
    expect(text).to.contain('It is "plane-1". Its labels are team=payments.');
    expect(text).to.contain(`changed   controlPlaneId from ${idOf(1)} to ${idOf(2)}`);
    expect(text).to.contain("remove the resource from the program").and.to.contain("pulumi state delete");
    expect(scene().emulator.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  it("renames by an alias without a request, does not delete with retainOnDelete, and deletes what is removed from the program", async () => {
    const { adopt, emulator, pulumi, stack } = scene();
    await adopt({ edge: { controlPlaneId: idOf(1) }, removed: { controlPlaneId: idOf(2) } });
    stack.write(
      "index.js",
      `const { ControlPlane } = require("pulumi-konnect-control-planes");
      const options = { aliases: [{ name: "edge" }], retainOnDelete: true };
      new ControlPlane("renamed", { controlPlaneId: "${idOf(1)}" }, options);`,
    );
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect((await stack.state()).resources.map(({ urn }) => urn.split("::").at(-1))).to.deep.equal([
      "renamed",
    ]);
    const destroy = await pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(emulator.requests.map(({ method, id }) => `${method} ${id}`)).to.deep.equal([`DELETE ${idOf(2)}`]);
    expect([...emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
  });

  // A refused token and today's configuration are in token-secrecy.test.ts, refreshes in pairs.
});
