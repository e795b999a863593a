import { expect } from "chai";
import { idOf } from "../scene.js";
import { program } from "./adopting-program.js";
import { readState } from "./checkpoint.js";
import { endWithin, type FeatureStack, featureStack } from "./feature-stack.js";

describe("pulumi commands that run the program, and pulumi import", function () {
  this.timeout(120_000);
  let stack: FeatureStack;

  before(async () => {
    stack = await featureStack();
  });

  beforeEach(() => {
    stack.restore("one", "two");
    stack.write(program(`plane("one", 15); plane("undeployed", 18);`));
  });

  it("deletes everything in the state with destroy --run-program, and one at a time with --parallel 1", async () => {
    for (const n of [15, 16]) {
      stack.scene.emulator.script({ method: "DELETE", id: idOf(n) }, { delayMs: 400 });
    }
    const run = await stack.run("destroy --yes --skip-preview --run-program --parallel 1");
    expect(run.exitCode, run.output).to.equal(0);
    expect(run.requests).to.have.members(["DELETE 15", "DELETE 16"]);
    expect(run.log[1]!.atMs - run.log[0]!.atMs).to.be.at.least(400);
    expect(run.state.resources).to.deep.equal([]);
  });

  it("drops what is gone with refresh --run-program, and adopts nothing", async () => {
    stack.scene.emulator.remove(idOf(16));
    const run = await stack.run("refresh --yes --skip-preview --run-program");
    expect(run.exitCode, run.output).to.equal(0);
    expect(run.output).to.contain(`gone: control plane ${idOf(16)}`);
    expect(run.requests).to.have.members(["GET 15", "GET 16"]);
    expect(run.state.planes).to.deep.equal(["one"]);
  });

  it("fails in pulumi import, which Pulumi's dynamic-provider host does not support", async () => {
    const { emulator, stack: local } = stack.scene;
    const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
    const args = [
      "import",
      type,
      "imported",
      idOf(18),
      "--yes",
      "--generate-code=false",
      "--non-interactive",
    ];
    // Not through the scene, which accepts no stack trace: this one is the host's.
    const run = await endWithin(local.start(args, { KONNECT_SERVER_URL: emulator.baseUrl }));
    expect(run.exitCode).to.equal(1);
    expect(run.output).to.contain("Cannot read properties of undefined (reading 'toJavaScript')");
    expect(emulator.requests).to.deep.equal([]);
    expect(readState(local.folder).planes).to.deep.equal(["one", "two"]);
  });
});
