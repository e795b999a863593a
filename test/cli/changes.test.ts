import { expect } from "chai";
import { diagnosticsOf, idOf, planeText, sceneForEachTest, TOKEN } from "./scene.js";

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

  it("refuses another address, and prints what the service says when it does not show the control plane", async () => {
    scene().emulator.grant(TOKEN, { name: "sa-ci", read: false });
    scene().declare({ edge: { controlPlaneId: idOf(1), region: "eu" } });
    const { exitCode, output } = await scene().pulumi("preview --diff");
    expect(exitCode).to.equal(1);
    expect(output).to.contain("the service says: 403 Permission denied.");
    expect(output).to.contain(`address from ${scene().emulator.baseUrl} to https://eu.api.konghq.com/v2`);
  });

  it("renames by an alias without a request, and does not delete with retainOnDelete", async () => {
    scene().stack.write(
      "index.js",
      `const { ControlPlane } = require("pulumi-konnect-control-planes");
      const options = { aliases: [{ name: "edge" }], retainOnDelete: true };
      new ControlPlane("renamed", { controlPlaneId: "${idOf(1)}" }, options);`,
    );
    const up = await scene().pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect((await scene().stack.state()).resources.map(({ urn }) => urn.split("::").at(-1))).to.deep.equal([
      "renamed",
    ]);
    const destroy = await scene().pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(scene().emulator.requests).to.deep.equal([]);
    expect(scene().emulator.controlPlanes.has(idOf(1))).to.equal(true);
  });

  it("deletes a control plane whose resource is removed from the program", async () => {
    scene().declare({ other: { controlPlaneId: idOf(2) } });
    const { exitCode, output } = await scene().pulumi("up --yes --skip-preview");
    expect(exitCode, output).to.equal(0);
    expect([...scene().emulator.controlPlanes.keys()]).to.deep.equal([idOf(2)]);
  });

  it("drops a control plane from the state in a refresh only after the service's own 404", async () => {
    scene().emulator.script({ method: "GET" }, { status: 404, body: "<html>not here</html>" });
    const doubtful = await scene().pulumi("refresh --yes --skip-preview");
    expect(doubtful.exitCode).to.equal(1);
    expect(doubtful.output).to.contain(
      `404 Not Found, not from the service: ${planeText(1)} could not be read`,
    );
    expect((await scene().stack.state()).resources).to.have.length(1);

    scene().emulator.remove(idOf(1));
    const certain = await scene().pulumi("refresh --yes --skip-preview");
    expect(certain.exitCode, certain.output).to.equal(0);
    expect(certain.output).to.contain(`gone: ${planeText(1)}: 404 from http://`);
    expect((await scene().stack.state()).resources).to.deep.equal([]);
  });

  it("deletes in a destroy that runs the program, with the current configuration", async () => {
    const { emulator, stack } = scene();
    await scene().pulumi("config set --secret konnect:token spat_of_yesterday");
    emulator.grant("spat_of_yesterday", { name: "sa-ci" });
    expect((await scene().pulumi("up --yes --skip-preview", { KONNECT_SPAT: undefined })).exitCode).to.equal(
      0,
    );
    emulator.revoke("spat_of_yesterday");
    await scene().pulumi(`config set --secret konnect:token ${TOKEN}`);
    const destroy = await scene().pulumi("destroy --yes --skip-preview --run-program", {
      KONNECT_SPAT: undefined,
    });
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(emulator.controlPlanes.has(idOf(1))).to.equal(false);
    expect((await stack.state()).resources).to.deep.equal([]);
  });

  it("says where a refused token came from, and which configuration a plain destroy uses", async () => {
    const configured = { KONNECT_SPAT: undefined };
    await scene().pulumi(`config set --secret konnect:token ${TOKEN}`);
    const up = await scene().pulumi("up --yes --skip-preview", configured);
    expect(up.exitCode, up.output).to.equal(0);
    scene().emulator.revoke(TOKEN);
    const { exitCode, output } = await scene().pulumi("destroy --yes --skip-preview", {
      KONNECT_SPAT: "spat_other",
    });
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("edge", output);
    expect(text.split("\n")[0]).to.equal(`error: 401 Unauthenticated: ${planeText(1)} was not deleted`);
    expect(text).to.contain("token     system account token from stack configuration konnect:token");
    expect(text).to.contain("saved by the last up").and.to.contain("KONNECT_SPAT is set, but not used");
    expect(scene().emulator.requestsFor(idOf(1), "DELETE")).to.have.length(1);
  });
});
