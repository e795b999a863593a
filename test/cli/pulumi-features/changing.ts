import path from "node:path";
import { expect } from "chai";
import { idOf, planeText } from "../scene.js";
import { program } from "./adopting-program.js";
import { nameOf } from "./feature-state.js";
import { type FeatureRun, type FeatureStack, featureStack, urnOf } from "./feature-stack.js";
import { hookCalls } from "./logs.js";

/** What the changed program does to each control plane but `base`, which it replaces on demand. */
const CHANGES = `
  plane("renamed", 15, { aliases: [{ name: "one" }] });
  plane("two", 24, { ignoreChanges: ["controlPlaneId"] });`;

describe("pulumi up of a program that refers to what it has adopted", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  let up: FeatureRun;

  before(async () => {
    stack = await featureStack();
    stack.restore("one", "two");
    // With the same name and the id in capitals, and with another name.
    stack.write(
      program(`
        const at = { baseUrl: process.env.KONNECT_SERVER_URL };
        ControlPlane.get("one", idOf(15).toUpperCase(), at);
        ControlPlane.get("of-another-stack", idOf(16), at);`),
    );
    up = await stack.run("up --yes --skip-preview");
  });

  it("keeps a control plane and its resource when ControlPlane.get takes its place, and says how to end it", () => {
    expect(up.exitCode, up.output).not.to.equal(0);
    expect(up.requests.filter((request) => request.startsWith("DELETE"))).to.deep.equal([]);
    expect(up.output).to.contain(`Still referred to: ${planeText(16)} was not deleted`);
    expect(up.output).to.contain("to delete it, remove the reference");
    expect(up.state.resources.filter(({ external }) => external === true).map(nameOf)).to.have.members([
      ...["one", "of-another-stack"],
    ]);
    expect(up.state.planes).to.include("two");
  });
});

describe("pulumi up of a changed program", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  let grpcLog: string;
  /** Writes a plan of the changed program. */
  let preview: FeatureRun;
  /** Carries out the plan, but with a program that lacks `timed` too. */
  let deviating: FeatureRun;
  /** Carries out the plan as it was made. */
  let planned: FeatureRun;

  const idIn = ({ state }: FeatureRun, name: string) =>
    state.resources.find((resource) => nameOf(resource) === name)?.id;
  const requestsFor = (n: number) =>
    [preview, planned].flatMap(({ requests }) => requests).filter((request) => request.endsWith(` ${n}`));

  before(async () => {
    stack = await featureStack();
    const declared = ["base", "one", "two", "three", "timed"];
    stack.restore(...declared);
    grpcLog = path.join(stack.scene.stack.folder, "up.jsonl");
    const complete = program(`plane("base", 1); plane("timed", 12); ${CHANGES}`);
    const replacing = `--plan plan.json --replace ${urnOf("base")}`;
    stack.write(complete);
    preview = await stack.run(`preview --save-plan plan.json --replace ${urnOf("base")}`);
    stack.write(program(`plane("base", 1); ${CHANGES}`));
    deviating = await stack.run(`up --yes --skip-preview ${replacing}`);
    stack.restore(...declared);
    stack.write(complete);
    planned = await stack.run(`up --yes --skip-preview ${replacing}`, { PULUMI_DEBUG_GRPC: grpcLog });
  });

  it("carries out an update plan that preview --save-plan wrote", () => {
    expect(preview.exitCode, preview.output).to.equal(0);
    expect(planned.exitCode, planned.output).to.equal(0);
    expect(planned.requests).to.have.members(["GET 1", "DELETE 17"]);
    expect(planned.state.planes).to.deep.equal(["base", "renamed", "timed", "two"]);
  });

  it("deletes nothing when the program deletes more than the update plan allows", () => {
    expect(deviating.exitCode).to.equal(1);
    expect(deviating.output).to.contain("delete is not allowed by the plan");
    expect(deviating.requests.filter((request) => request.startsWith("DELETE"))).to.deep.equal([]);
    expect(deviating.state.planes).to.include.members(["timed", "three"]);
  });

  it("renames a control plane with aliases without a request", () => {
    expect(idIn(planned, "renamed")).to.equal(idOf(15));
    expect(requestsFor(15)).to.deep.equal([]);
  });

  it("keeps the adopted control plane when ignoreChanges covers a changed id", () => {
    expect(idIn(planned, "two")).to.equal(idOf(16));
    expect([...requestsFor(16), ...requestsFor(24)]).to.deep.equal([]);
  });

  it("adopts the same control plane again with --replace, and never deletes it", () => {
    expect(hookCalls(grpcLog, "base")).to.deep.equal(["Check", "Create", "Delete"]);
    expect(planned.output).to.contain(`kept: ${planeText(1)}`);
    expect(requestsFor(1)).to.deep.equal(["GET 1"]);
    expect(planned.state.resources.filter((resource) => nameOf(resource) === "base")).to.have.length(1);
    expect(planned.state.pending).to.equal(0);
  });
});

describe("pulumi up --replace of a control plane with deleteBeforeReplace", function () {
  this.timeout(120_000);

  it("fails, and neither deletes the control plane nor loses it from the state", async () => {
    const stack = await featureStack();
    stack.restore("one");
    stack.write(program(`plane("one", 15, { deleteBeforeReplace: true });`));
    const up = await stack.run(`up --yes --skip-preview --replace ${urnOf("one")}`);
    expect(up.exitCode).not.to.equal(0);
    expect(up.output).to.contain(
      'ControlPlane "one" with controlPlaneId: the option deleteBeforeReplace is not possible',
    );
    expect(up.requests).to.deep.equal([]);
    expect(up.state.planes).to.deep.equal(["one"]);
    expect(up.state.pending).to.equal(0);
  });
});
