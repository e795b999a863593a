import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { getControlPlane, selectControlPlanes } from "../../../provider/lookups/program-look-ups.js";
import { failureOf, leaveTestMode } from "./look-up-scene.js";

const B = { id: "b", name: "beta", labels: { env: "preview" }, createdAt: "2026-01-05T10:00:00Z" };
const A = { id: "a", name: "alpha", clusterType: "T", baseUrl: "https://eu.api.konghq.com/v2" };

describe("a look-up under Pulumi's mocks", () => {
  const calls: pulumi.runtime.MockCallArgs[] = [];
  let answer: () => Record<string, unknown>;

  beforeEach(async () => {
    calls.length = 0;
    await pulumi.runtime.setMocks({
      call(args) {
        calls.push(args);
        return answer();
      },
      newResource: () => ({ id: "", state: {} }),
    });
  });
  afterEach(leaveTestMode);

  it("asks the mock for a selection, without any setting", async () => {
    answer = () => ({ controlPlanes: [B, A] });
    const found = await selectControlPlanes({ region: "eu", labels: { env: "preview" }, olderThan: "7d" });
    expect(calls.map(({ token, inputs }) => ({ token, inputs: inputs as unknown }))).to.deep.equal([
      {
        token: "konnect:index:selectControlPlanes",
        inputs: { region: "eu", labels: { env: "preview" }, olderThan: "7d" },
      },
    ]);
    expect(found).to.deep.equal([
      { ...A, labels: {} },
      { ...B, baseUrl: "https://mock.invalid/v2" },
    ]);
  });

  it("asks the mock for one control plane", async () => {
    answer = () => A;
    expect((await getControlPlane({ name: "alpha" })).id).to.equal("a");
    expect(calls.map(({ token, inputs }) => ({ token, inputs: inputs as unknown }))).to.deep.equal([
      { token: "konnect:index:getControlPlane", inputs: { name: "alpha" } },
    ]);
  });

  it("applies atMost to what the mock returns", async () => {
    answer = () => ({ controlPlanes: [B, A] });
    const { message } = await failureOf(selectControlPlanes({ olderThan: "7d", atMost: 1 }));
    expect(message).to.match(/^Too many: 2 control planes/);
  });

  it("applies atLeast to what the mock returns, and leaves the exclusions to it", async () => {
    answer = () => ({ controlPlanes: [B, A] });
    const args = { olderThan: "7d", exclude: { names: ["alpha"] } };
    expect(await selectControlPlanes({ ...args, atLeast: 2 })).to.have.length(2);
    const { message } = await failureOf(selectControlPlanes({ ...args, atLeast: 3 }));
    expect(message).to.match(/^Too few: 2 control planes/);
  });

  it("refuses wrong arguments before it asks the mock", async () => {
    const { message } = await failureOf(selectControlPlanes({ region: "moon", olderThan: "7d" }));
    expect(message).to.match(/^selectControlPlanes: region is not a known region/);
    for (const args of [{}, { name: "alpha", region: "moon" }]) {
      expect((await failureOf(getControlPlane(args))).message).to.match(
        /^getControlPlane: (exactly|region) /,
      );
    }
    expect(calls).to.deep.equal([]);
  });

  it("says what a mock has to return", async () => {
    answer = () => ({ olderThan: "7d" });
    expect((await failureOf(selectControlPlanes({ olderThan: "7d" }))).message).to.equal(
      "selectControlPlanes: the mock's call returned something unusable for konnect:index:selectControlPlanes: it has to be { controlPlanes: [...] }",
    );
    expect((await failureOf(getControlPlane({ name: "x" }))).message).to.equal(
      "getControlPlane: the mock's call returned something unusable for konnect:index:getControlPlane: each control plane needs an id and a name",
    );
    for (const incomplete of [{ id: "a" }, { name: "alpha" }, { id: 7, name: "alpha" }]) {
      answer = () => incomplete;
      expect((await failureOf(getControlPlane({ name: "x" }))).message).to.match(/needs an id and a name$/);
    }
  });

  it("says when a mock throws", async () => {
    answer = () => {
      throw new Error("not mocked");
    };
    expect((await failureOf(getControlPlane({ name: "x" }))).message).to.equal(
      "getControlPlane: the mock's call threw an error for konnect:index:getControlPlane",
    );
  });
});
