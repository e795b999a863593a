import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { selectControlPlanes } from "pulumi-konnect-control-planes";

// A unit test as a user writes it: no engine, no CLI, no network, no token.

const IDS = ["9524ec7d-36d9-465d-a8c5-000000000001", "9524ec7d-36d9-465d-a8c5-000000000002"];

describe("a user's unit test of a program with control planes, with pulumi.runtime.setMocks", function () {
  this.timeout(20_000);
  const declared: pulumi.runtime.MockResourceArgs[] = [];
  let program: typeof import("./teardown-program.js");

  before(async () => {
    pulumi.runtime.setAllConfig({ "teardown:ids": JSON.stringify(IDS) });
    await pulumi.runtime.setMocks({
      call: ({ token, inputs }) =>
        token === "konnect:index:selectControlPlanes"
          ? { controlPlanes: [{ id: IDS[0], name: "stale" }] }
          : (inputs as Record<string, unknown>),
      newResource(resource) {
        declared.push(resource);
        const inputs = resource.inputs as { controlPlaneId: string };
        return { id: inputs.controlPlaneId, state: { ...inputs, name: `name of ${resource.name}` } };
      },
    });
    program = await import("./teardown-program.js");
  });

  it("sees the arguments of each control plane", async () => {
    await valueOf(program.names);
    expect(declared.map(({ type, name }) => `${type} ${name}`)).to.deep.equal([
      "pulumi-nodejs:dynamic/konnect:ControlPlane preview-1",
      "pulumi-nodejs:dynamic/konnect:ControlPlane preview-2",
    ]);
    const inputs = declared.map((resource) => resource.inputs as Record<string, unknown>);
    expect(inputs.map(({ controlPlaneId }) => controlPlaneId)).to.deep.equal(IDS);
    expect(inputs.map(({ region }) => region)).to.deep.equal(["eu", "eu"]);
  });

  it("sees the outputs that the mocks return", async () => {
    expect(await valueOf(program.names)).to.deep.equal(["name of preview-1", "name of preview-2"]);
    expect(await valueOf(program.previews[0]!.id)).to.equal(IDS[0]);
  });

  it("asks the mocks for what selectControlPlanes selects", async () => {
    const stale = await selectControlPlanes({ region: "eu", olderThan: "7d" });
    expect(stale.map(({ name }) => name)).to.deep.equal(["stale"]);
  });
});

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}
