import { expect } from "chai";
import { withEnvironment } from "../../../provider/automation/run-pulumi.js";
import { fakeStack } from "./fake-stack.js";

describe("withEnvironment", () => {
  const before = { PULUMI_CONFIG_PASSPHRASE: "p" };

  it("runs Pulumi with the workspace's variables and the new ones", async () => {
    let seen: unknown;
    const stack = fakeStack({ states: [], envVars: before, destroy: ({ envVars }) => void (seen = envVars) });
    const derived = withEnvironment(stack, { ONE: "1", PULUMI_CONFIG_PASSPHRASE: "q" });
    await derived.destroy({});
    expect(seen).to.deep.equal({ PULUMI_CONFIG_PASSPHRASE: "q", ONE: "1" });
    expect(derived.name).to.equal(stack.name);
  });

  it("changes neither the stack nor its workspace, nor what an earlier call returned", () => {
    const stack = fakeStack({ states: [], envVars: before });
    const { workspace } = stack;
    const first = withEnvironment(stack, { ONE: "1" });
    withEnvironment(stack, { ONE: "2" });
    expect(stack.workspace).to.equal(workspace);
    expect(workspace.envVars).to.deep.equal(before);
    expect(first.workspace.envVars.ONE).to.equal("1");
  });
});
