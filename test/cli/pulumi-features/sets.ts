import { expect } from "chai";
import { idOf } from "../scene.js";
import { program } from "./adopting-program.js";
import { type CheckpointResource, nameOf } from "./feature-state.js";
import { type FeatureRun, type FeatureStack, featureStack } from "./feature-stack.js";

const SET = "pulumi-nodejs:dynamic/konnect:ControlPlaneSet";

/** Each feature has a set of its own. `RENAMED` renames one of them with an alias. */
const PROGRAM = program(`
  const { ControlPlaneSet } = require("pulumi-konnect-control-planes");
  const set = (name, numbers, options) =>
    new ControlPlaneSet(name, { controlPlaneIds: numbers.map(idOf) }, options);

  const base = plane("base", 1);
  set("dependent", [2, 3], { dependsOn: [base] });
  set("protected", [4], { protect: true });
  set("retained", [5], { retainOnDelete: true });
  set("replaced", [6, 7]);
  if (process.env.RENAMED) set("renamed", [8], { aliases: [{ name: "original" }] });
  else set("original", [8]);
  const additionalSecretOutputs = ["controlPlanes"];
  new ControlPlaneSet("secret", { controlPlaneIds: pulumi.secret([idOf(9)]) }, { additionalSecretOutputs });
  new ControlPlaneSet("unknown", { controlPlaneIds: [plane("first", 10).name.apply(() => idOf(11))] });
`);

describe("pulumi with sets and Pulumi's resource options", function () {
  this.timeout(240_000);
  let stack: FeatureStack;
  let preview: FeatureRun;
  let up: FeatureRun;
  let replaced: FeatureRun;
  let refused: FeatureRun;
  let destroyed: FeatureRun;

  const setsIn = ({ state }: FeatureRun) =>
    state.resources.filter(({ type }) => type === SET).map((resource) => nameOf(resource));
  const setIn = ({ state }: FeatureRun, name: string): CheckpointResource | undefined =>
    state.resources.find((resource) => resource.type === SET && nameOf(resource) === name);

  before(async () => {
    stack = await featureStack();
    const { emulator } = stack.scene;
    stack.restore();
    stack.write(PROGRAM);
    preview = await stack.run("preview");
    up = await stack.run("up --yes --skip-preview");
    const urn = setIn(up, "replaced")?.urn ?? "none";
    replaced = await stack.run(`up --yes --skip-preview --replace ${urn}`, { RENAMED: "1" });
    emulator.script({ method: "DELETE", id: idOf(3) }, { status: 403 });
    refused = await stack.run("destroy --yes --skip-preview --continue-on-error");
    destroyed = await stack.run("destroy --yes --skip-preview --exclude-protected");
  });

  it("accepts the outputs of a resource that does not exist yet as members of a set", () => {
    expect(preview.exitCode, preview.output).to.equal(0);
    expect(up.exitCode, up.output).to.equal(0);
    expect(setIn(up, "unknown")?.outputs?.controlPlanes).to.deep.equal([{ id: idOf(11), name: "plane-11" }]);
  });

  it("encrypts the ids of a set that are secret, and its controlPlanes with additionalSecretOutputs", () => {
    const secret = setIn(up, "secret");
    expect(secret?.inputs?.controlPlaneIds).to.have.property("ciphertext");
    expect(secret?.outputs?.controlPlanes).to.have.property("ciphertext");
    expect(refused.requests).to.include("DELETE 9");
  });

  it("renames a set with an alias, and sends no request", () => {
    expect(replaced.exitCode, replaced.output).to.equal(0);
    expect(replaced.log.filter(({ id }) => id === idOf(8))).to.deep.equal([]);
    expect(setsIn(replaced)).to.include("renamed").and.not.to.include("original");
  });

  it("adopts a set again with up --replace, and deletes none of its members", () => {
    expect(replaced.exitCode, replaced.output).to.equal(0);
    expect(replaced.log.filter(({ method }) => method === "DELETE")).to.deep.equal([]);
    expect(setsIn(replaced)).to.include("replaced");
  });

  it("keeps a protected set, also when it runs without a preview, and deletes the others", () => {
    expect(refused.exitCode).to.equal(1);
    expect(refused.requests).not.to.include("DELETE 4");
    expect(refused.requests).to.include.members([
      "DELETE 6",
      "DELETE 7",
      "DELETE 8",
      "DELETE 9",
      "DELETE 11",
    ]);
    expect(setsIn(destroyed)).to.deep.equal(["protected"]);
  });

  it("drops a set with retainOnDelete from the state without a request", () => {
    expect(refused.requests).not.to.include("DELETE 5");
    expect(setsIn(refused)).not.to.include("retained");
    expect(stack.scene.emulator.controlPlanes.has(idOf(5))).to.equal(true);
  });

  it("deletes a set before what it depends on, and keeps that while a member of the set is left", () => {
    expect(refused.requests).to.include.members(["DELETE 2", "DELETE 3"]).and.not.to.include("DELETE 1");
    expect(setsIn(refused)).to.have.members(["dependent", "protected"]);
    expect(destroyed.requests).to.deep.equal(["DELETE 2", "DELETE 3", "DELETE 1"]);
  });
});
