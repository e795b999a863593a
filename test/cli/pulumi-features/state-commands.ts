import { expect } from "chai";
import { idOf } from "../scene.js";
import { nameOf, readState } from "./feature-state.js";
import { type FeatureRun, type FeatureStack, featureStack, urnOf } from "./feature-stack.js";

const OTHER = { PULUMI_STACK: "other" };

describe("pulumi state and stack", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  const runs: Record<string, FeatureRun> = {};

  const run = async (name: string, args: string, env?: NodeJS.ProcessEnv) => {
    runs[name] = await stack.run(args, env);
    return runs[name];
  };
  const of = (name: string): FeatureRun => {
    const found = runs[name];
    if (found === undefined) throw new Error(`${name} did not run`);
    return found;
  };
  const expectDone = (name: string) => expect(of(name).exitCode, of(name).output).to.equal(0);
  const stored = (name: string, resource: string) =>
    of(name).state.resources.find((candidate) => nameOf(candidate) === resource);

  before(async () => {
    stack = await featureStack();
    stack.restore("base", "dependent", "one", "two", "three");
    await run("rename", `state rename ${urnOf("one")} renamed --yes`);
    await run("protect", `state protect ${urnOf("two")} --yes`);
    await run("unprotect", `state unprotect ${urnOf("two")} --yes`);
    await run("refused delete", `state delete ${urnOf("base")} --yes`);
    await run("delete", `state delete ${urnOf("base")} --target-dependents --yes`);
    await run("init", "stack init other", OTHER);
    await run("move", `state move --source dev --dest organization/scene/other ${urnOf("three")} --yes`);
    await run("other destroy", "destroy --yes --skip-preview", OTHER);
    await run("stack rm", "stack rm dev --yes");
  });

  it("renames a control plane with state rename, without a request", () => {
    expectDone("rename");
    expect(stored("rename", "renamed")?.id).to.equal(idOf(15));
    expect(of("rename").requests).to.deep.equal([]);
  });

  it("protects a control plane with state protect, and no longer after state unprotect", () => {
    expectDone("protect");
    expect(stored("protect", "two")).to.include({ protect: true });
    expectDone("unprotect");
    expect(stored("unprotect", "two")).not.to.include({ protect: true });
  });

  it("lets go of a control plane with state delete, without a request", () => {
    expect(of("refused delete").exitCode).to.equal(1);
    expect(of("refused delete").output).to.contain("pass --target-dependents");
    expect(of("refused delete").state.planes).to.include("base");
    expectDone("delete");
    expect(of("delete").state.planes).not.to.include("base").and.not.to.include("dependent");
    expect(of("delete").requests).to.deep.equal([]);
    expect([idOf(1), idOf(2)].every((id) => stack.scene.emulator.controlPlanes.has(id))).to.equal(true);
  });

  it("moves a control plane to another stack with state move, which then deletes it", () => {
    expectDone("move");
    expect(of("move").state.planes).to.deep.equal(["renamed", "two"]);
    expect(of("move").requests).to.deep.equal([]);
    expectDone("other destroy");
    expect(of("other destroy").requests).to.deep.equal(["DELETE 17"]);
    expect(of("other destroy").state.resources).to.deep.equal([]);
  });

  it("refuses stack rm while the stack holds control planes", () => {
    expect(of("stack rm").exitCode).not.to.equal(0);
    expect(of("stack rm").output).to.contain("'dev' still has resources; removal rejected");
    expect(of("stack rm").requests).to.deep.equal([]);
    expect(of("stack rm").state.planes).to.deep.equal(["renamed", "two"]);
  });
});

describe("pulumi import", function () {
  this.timeout(120_000);

  it("fails in pulumi import, which Pulumi's dynamic-provider host does not support", async () => {
    const stack = await featureStack();
    stack.restore("one", "two");
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
    const run = await local.run(args, { KONNECT_SERVER_URL: emulator.baseUrl });
    expect(run.exitCode).to.equal(1);
    expect(run.output).to.contain("Cannot read properties of undefined (reading 'toJavaScript')");
    expect(emulator.requests).to.deep.equal([]);
    expect(readState(local.folder).planes).to.deep.equal(["one", "two"]);
  });
});
