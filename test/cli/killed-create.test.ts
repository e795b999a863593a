import { expect } from "chai";
import { waitFor } from "../../tools/waiting.js";
import { diagnosticsOf, type Scene, scenesOnDemand } from "./scene.js";

/** A program that creates a member, and declares a group that has it or depends on it. */
const GROUP_PROGRAM = {
  "Pulumi.yaml": "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "scene", private: true }),
  "planes.json": "{}",
  "index.js": `
    const { ControlPlane } = require("pulumi-konnect-control-planes");
    const edge = new ControlPlane("edge", { name: "edge" });
    for (const [name, args] of Object.entries(require("./planes.json"))) {
      const members = args.name === undefined ? {} : { members: [edge.id] };
      new ControlPlane(name, { ...args, ...members }, { dependsOn: [edge] });
    }`,
};

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
  });

  it("leaves a group that is adopted with detachMembers and dependsOn, so that a destroy deletes it and its members", async () => {
    const group = { name: "all", clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP" };
    const scene = await setScene({ planes: 0, program: GROUP_PROGRAM });
    scene.declare({ all: group });
    scene.emulator.script(
      { operation: "post-control-planes-id-group-memberships-add" },
      { hang: true, work: "now" },
    );
    const idOfAll = () =>
      [...scene.emulator.controlPlanes.values()].find(({ name }) => name === "all")?.id ?? "";
    const up = scene.start("up --yes --skip-preview");
    await waitFor(() => idOfAll() !== "" && scene.emulator.membersOf(idOfAll()).length === 1, {
      what: "the member of the group",
    });
    up.kill("SIGKILL");
    await up.result;
    const cancel = await scene.pulumi("cancel --yes");
    expect(cancel.exitCode, cancel.output).to.equal(0);

    const again = await scene.pulumi("up --yes --skip-preview");
    expect(again.exitCode).to.equal(1);
    const id = idOfAll();
    expect(diagnosticsOf("all", again.output)).to.contain(`controlPlaneId: "${id}" instead of name`);

    scene.declare({ all: { controlPlaneId: id, detachMembers: true } });
    const adopted = await scene.pulumi("up --yes --skip-preview");
    expect(adopted.exitCode, adopted.output).to.equal(0);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
    const { resources, pending } = await scene.stack.state();
    expect([resources.length, pending]).to.deep.equal([0, 1]);
  });
});
