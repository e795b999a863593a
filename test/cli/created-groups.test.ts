import { expect } from "chai";
import { diagnosticsOf, idOf, planeText, scenesOnDemand, sharedScene } from "./scene.js";
import { adoptSets, memberName } from "./set-scene.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";

/** A program that creates control planes and groups. Members that are resource names stand for the ids of these resources. */
const PROGRAM = {
  "Pulumi.yaml": "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "scene", private: true }),
  "planes.json": "{}",
  "sets.json": "{}",
  "index.js": `
    const { ControlPlane, ControlPlaneSet } = require("pulumi-konnect-control-planes");
    const made = {};
    for (const [name, { members, ...args }] of Object.entries(require("./planes.json"))) {
      const ids = members && members.map((member) => (member in made ? made[member].id : member));
      made[name] = new ControlPlane(name, { ...args, ...(ids && { members: ids }) });
    }
    for (const [name, args] of Object.entries(require("./sets.json"))) new ControlPlaneSet(name, args);`,
};

describe("a group that Pulumi creates", function () {
  this.timeout(120_000);
  // The tests follow each other: one stack, from a refused member to the end.
  const scene = sharedScene({ planes: 3, program: PROGRAM });
  let id = "";

  const succeed = async (command: string) => {
    const { exitCode, output } = await scene().pulumi(command);
    expect(exitCode, output).to.equal(0);
    return output;
  };
  const declare = (members: readonly string[], more: object = {}) =>
    scene().declare({
      edge: { name: "edge" },
      all: { name: "all", clusterType: GROUP, members, ...more },
    });
  const find = (name: string) =>
    [...scene().emulator.controlPlanes.values()].find((plane) => plane.name === name);
  const members = () => scene().emulator.membersOf(id);
  const sent = () =>
    scene()
      .emulator.requests.filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
  beforeEach(() => scene().emulator.reset());

  // What is refused before anything is sent is tested without the CLI: test/pure/hooks/arguments/member-arguments.test.ts.

  it("is recorded when the service refuses a member, shows the problem, and the next up goes on", async () => {
    declare(["edge", idOf(1), idOf(99)]);
    const { exitCode, output } = await scene().pulumi("up --yes --skip-preview");
    expect(exitCode).to.equal(1);
    id = find("all")!.id;
    const text = diagnosticsOf("all", output);
    expect(text).to.contain(
      `400 Bad Request: control plane "all" (${id}) was created, but its members were not added`,
    );
    expect(text).to.contain("The request adds 3 members to the group.");
    expect(text).to.contain(`the control plane [${idOf(99)}] does not exist`);
    const { resources, text: state } = await scene().stack.state();
    expect(resources.map((resource) => resource.id)).to.include(id);
    expect(state).to.contain("initErrors");

    declare(["edge", idOf(1)]);
    scene().emulator.reset();
    await succeed("up --yes --skip-preview");
    expect(sent()).to.deep.equal(["POST add"]);
    expect(members()).to.deep.equal([find("edge")!.id, idOf(1)]);
    expect((await scene().stack.state()).text).not.to.contain("initErrors");
  });

  it("has nothing to do the second time, also with its members in another order, and a refresh finds nothing", async () => {
    declare([idOf(1), "edge"]);
    await succeed("up --refresh --yes --skip-preview --expect-no-changes");
    expect(sent()).to.deep.equal([]);
  });

  it("shows members that somebody else added in a refresh, and the next up makes them those of the program by difference", async () => {
    const edge = find("edge")!.id;
    scene().emulator.change(id, { members: [edge, idOf(1), idOf(3)] });
    const refresh = await succeed("refresh --yes --skip-preview --diff");
    expect(refresh).to.contain(idOf(3));
    declare(["edge", idOf(2)]);
    const up = await succeed("up --yes --skip-preview --diff");
    expect(up).to.match(/~ members *: \[/);
    expect(sent()).to.deep.equal(["POST remove", "POST add"]);
    expect(members()).to.have.members([edge, idOf(2)]);
  });

  it("is kept by a destroy when somebody else added a member, which the error names", async () => {
    scene().emulator.change(id, { members: [...members(), idOf(3)] });
    const { exitCode, output } = await scene().pulumi("destroy --yes --skip-preview");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("all", output);
    expect(text.split("\n")[0]).to.equal(
      `error: 1 member added elsewhere: control plane "all" (${id}) was not deleted`,
    );
    expect(text).to.contain(planeText(3));
    expect(text).to.contain("set detachMembers: true and run pulumi up");
    expect(members()).to.have.length(3);
    expect(sent()).to.deep.equal([]);
  });

  it("is deleted together with its members in one run, and with detachMembers other members stay", async () => {
    declare(["edge", idOf(2)], { detachMembers: true });
    await succeed("up --yes --skip-preview");
    const { resources } = await scene().stack.state();
    expect(resources.find((resource) => resource.id === id)?.outputs.detachMembers).to.equal(true);
    const output = await succeed("destroy --yes --skip-preview");
    expect(output).to.contain(`removed from control plane "all" (${id}) before its deletion: "edge"`);
    expect([...scene().emulator.controlPlanes.keys()]).to.deep.equal([1, 2, 3].map(idOf));
    expect((await scene().stack.state()).resources).to.deep.equal([]);
  });
});

describe("a group that Pulumi creates at a lenient service", function () {
  this.timeout(120_000);
  const newScene = scenesOnDemand();

  it("is left unchanged by a refresh, and then deleted", async () => {
    const scene = await newScene({ planes: 1, program: PROGRAM, service: { lenient: true } });
    scene.declare({
      edge: { name: "edge" },
      all: { name: "all", clusterType: GROUP, members: ["edge", idOf(1)] },
    });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const refresh = await scene.pulumi("refresh --yes --skip-preview --expect-no-changes");
    expect(refresh.exitCode, refresh.output).to.equal(0);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
  });
});

describe("pulumi destroy of a group that gives a member by its id", function () {
  this.timeout(180_000);
  const scene = sharedScene({ planes: 1 });

  /** Writes a state that does not say that the group depends on its member. Pulumi deletes the last resource first: the member. */
  before(async () => {
    const { emulator, stack } = scene();
    const members = [idOf(1)];
    emulator.add({ id: idOf(2), name: "all", clusterType: GROUP, members });
    const inputs = { name: "all", clusterType: GROUP, members };
    const all = { id: idOf(2), name: "all", inputs, outputs: { clusterType: GROUP, members } };
    const edge = { id: idOf(1), name: "plane-1", inputs: { controlPlaneId: idOf(1) } };
    await stack.writeAdopted(emulator.baseUrl, {
      controlPlanes: [
        { resource: "all", createdAt: "2026-01-01T00:00:00Z", ...all },
        { resource: "edge", ...edge },
      ],
    });
  });
  const answersToMember = () =>
    scene()
      .emulator.requests.filter(({ method, path }) => method === "DELETE" && path.endsWith(idOf(1)))
      .map(({ status }) => status);

  it("keeps the member when the run does not delete the group, and says which order helps", async () => {
    const { exitCode, output } = await scene().pulumi("destroy --yes --skip-preview --target **edge");
    expect(exitCode, output).not.to.equal(0);
    expect(diagnosticsOf("edge", output)).to.contain(
      "list this resource in dependsOn of the group and run pulumi up first",
    );
    expect(answersToMember()).to.deep.equal([409]);
  });

  it("ends in one run that deletes both", async () => {
    scene().emulator.reset();
    // The group takes its time, so that the member is refused first.
    scene().emulator.script({ operation: "get-control-planes-id-group-memberships" }, { delayMs: 2_000 });
    await scene().expectToConverge();
    expect(answersToMember()).to.deep.equal([409, 204]);
  });
});

describe("pulumi destroy of a set that holds a group and its members", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("deletes all of them in one run", async () => {
    const { emulator } = scene();
    await adoptSets(scene(), { previews: { numbers: [1, 2, 3, 4] } });
    emulator.remove(idOf(4));
    emulator.add({ id: idOf(4), name: memberName(4), clusterType: GROUP, members: [1, 2, 3].map(idOf) });
    await scene().expectToConverge();
  });
});
