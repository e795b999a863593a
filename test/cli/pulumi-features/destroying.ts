import { expect } from "chai";
import { idOf, planeText } from "../scene.js";
import { nameOf } from "./feature-state.js";
import { type FeatureRun, type FeatureStack, featureStack, urnOf } from "./feature-stack.js";
import { diagnosticsIn, parseJsonLines } from "./logs.js";

const DECLARED = [
  "base",
  "dependent",
  "protected",
  "retained",
  "host",
  "deleted-with-host",
  "team",
  "referred",
];

describe("pulumi destroy of control planes with Pulumi's resource options", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  /** With its own preview, which comes upon the protected control plane. */
  let previewed: FeatureRun;
  /** Without a preview; the service refuses to delete `dependent` and `host`. */
  let refused: FeatureRun;
  /** With a service that refuses nothing. */
  let unprotected: FeatureRun;

  const exists = (n: number) => stack.scene.emulator.controlPlanes.has(idOf(n));

  before(async () => {
    stack = await featureStack();
    const { emulator } = stack.scene;
    stack.restore(...DECLARED, "team-edge", "timed", "one", "two");
    previewed = await stack.run("destroy --yes");
    emulator.script({ method: "DELETE", id: idOf(2) }, { status: 403 });
    emulator.script({ method: "DELETE", id: idOf(5) }, { status: 403 });
    emulator.script({ method: "DELETE", id: idOf(12) }, { delayMs: 500 });
    emulator.script({ method: "DELETE", id: idOf(15) }, { status: 503 });
    emulator.remove(idOf(16));
    refused = await stack.run("destroy --yes --skip-preview --continue-on-error --json");
    unprotected = await stack.run("destroy --yes --skip-preview --exclude-protected");
  });

  it("stops in its own preview, before anything is deleted, when a control plane is protected", () => {
    expect(previewed.exitCode).to.equal(1);
    expect(previewed.output).to.match(/protected" cannot be deleted\n.*because it is protected/);
    expect(previewed.requests).to.deep.equal([]);
    expect(previewed.state.planes).to.include.members(["base", "one", "protected"]);
  });

  it("deletes everything but the protected control plane when it runs without a preview", () => {
    expect(refused.exitCode).to.equal(1);
    expect(refused.state.planes).to.include("protected").and.not.to.include("one");
    expect(refused.requests).not.to.include("DELETE 3");
  });

  it("passes over protected control planes with --exclude-protected, and ends with exit code 0", () => {
    expect(unprotected.exitCode, unprotected.output).to.equal(0);
    expect(unprotected.output).to.contain("All unprotected resources were destroyed");
    expect(unprotected.state.planes).to.deep.equal(["protected"]);
    expect(exists(3)).to.equal(true);
  });

  it("drops a control plane that the program refers to with ControlPlane.get, and does not delete it", () => {
    expect(refused.state.planes).not.to.include("referred");
    expect(refused.requests).not.to.include("DELETE 18");
    expect(exists(18)).to.equal(true);
  });

  it("drops a control plane with retainOnDelete from the state without a request", () => {
    expect(refused.state.planes).not.to.include("retained");
    expect(refused.requests).not.to.include("DELETE 4");
    expect(exists(4)).to.equal(true);
  });

  it("drops a control plane with deletedWith from the state without a request, even when the other one stays", () => {
    expect(refused.state.planes).to.include("host").and.not.to.include("deleted-with-host");
    expect([...refused.requests, ...unprotected.requests]).not.to.include("DELETE 6");
    expect(exists(6)).to.equal(true);
  });

  it("deletes what depends on a control plane before the control plane itself", () => {
    const inOrder = unprotected.requests.filter((request) => ["DELETE 1", "DELETE 2"].includes(request));
    expect(inOrder).to.deep.equal(["DELETE 2", "DELETE 1"]);
  });

  it("keeps a control plane, and does not try to delete it, when one that depends on it was not deleted", () => {
    expect(refused.requests).to.include("DELETE 2").and.not.to.include("DELETE 1");
    expect(refused.state.planes).to.include.members(["base", "dependent"]);
    expect(refused.state.pending).to.equal(0);
  });

  it("deletes the control planes of a component, and the component with them", () => {
    expect(refused.requests).to.include("DELETE 7");
    expect(refused.state.resources.map(nameOf))
      .not.to.include.members(["team"])
      .and.not.to.include("team-edge");
  });

  it("lets a delete take longer than customTimeouts, which reach no dynamic provider", () => {
    expect(refused.log.filter(({ id }) => id === idOf(12)).map(({ status }) => status)).to.deep.equal([204]);
    expect(refused.state.planes).not.to.include("timed");
    expect(refused.elapsedMs).to.be.at.least(500);
  });

  it("prints one JSON event per line for destroy --json, also for retries, errors and what was gone", () => {
    const messages = diagnosticsIn(parseJsonLines(refused.stdout));
    const starts = (text: string) => messages.filter((message) => message.startsWith(text)).length;
    expect(starts("503, retry 2 of 10 in")).to.equal(1);
    expect(starts(`403 Permission denied: ${planeText(2)} was not deleted\n`)).to.equal(1);
    expect(starts("already gone: control plane")).to.equal(1);
    expect(refused.stderr).to.equal("");
  });
});

describe("pulumi destroy of a part of a stack", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  let alone: FeatureRun;
  let excluding: FeatureRun;
  let withDependents: FeatureRun;

  before(async () => {
    stack = await featureStack();
    stack.restore("base", "dependent", "one", "two", "three");
    alone = await stack.run(`destroy --yes --skip-preview --target ${urnOf("base")}`);
    excluding = await stack.run(
      `destroy --yes --skip-preview --exclude ${urnOf("dependent")} --exclude ${urnOf("one")}`,
    );
    withDependents = await stack.run(
      `destroy --yes --skip-preview --target ${urnOf("base")} --target-dependents`,
    );
  });

  it("refuses --target of a control plane that another one depends on, and deletes nothing", () => {
    expect(alone.exitCode).to.equal(1);
    expect(alone.output).to.contain("dependent' will be destroyed but was not specified in --target list");
    expect(alone.requests).to.deep.equal([]);
    expect(alone.state.planes).to.deep.equal(["base", "dependent", "one", "three", "two"]);
  });

  it("deletes the target and what depends on it with --target-dependents, and nothing else", () => {
    expect(withDependents.exitCode, withDependents.output).to.equal(0);
    expect(withDependents.requests).to.deep.equal(["DELETE 2", "DELETE 1"]);
    expect(withDependents.state.planes).to.deep.equal(["one"]);
    expect(stack.scene.emulator.controlPlanes.has(idOf(15))).to.equal(true);
  });

  it("keeps what --exclude names, and what that depends on", () => {
    expect(excluding.exitCode, excluding.output).to.equal(0);
    expect(excluding.requests).to.have.members(["DELETE 16", "DELETE 17"]);
    expect(excluding.state.planes).to.deep.equal(["base", "dependent", "one"]);
  });
});
