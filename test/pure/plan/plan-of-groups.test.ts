import { expect } from "chai";
import { renderJsonPlan } from "../../../provider/plan/json-plan.js";
import { makePlan } from "../../../provider/plan/make-plan.js";
import { renderMarkdownPlan } from "../../../provider/plan/markdown-plan.js";
import type { HeldControlPlane } from "../../../provider/state/held-control-planes.js";
import { parseStackState } from "../../../provider/plan/stack-state.js";
import { renderTextPlan } from "../../../provider/plan/text-plan.js";
import { safe } from "../../../provider/text/safe-text.js";
import { EU, failure, FakeContext, ID, OTHER_ID } from "../hooks/fake-context.js";
import { recorded } from "./recorded.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";
const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const [A, B] = [idOf(1), idOf(2)];
const REFUSED =
  "must not be removed from the group; remove these members from it, or set detachMembers: true and run pulumi up";

describe("a plan of a group", () => {
  let context: FakeContext;
  beforeEach(() => {
    context = new FakeContext();
    context.existing = [{ id: ID, name: "all", labels: {}, clusterType: GROUP }];
    context.members = [A, B];
  });

  const plan = (more: Partial<HeldControlPlane> = {}, isForced = false) => {
    const state = {
      project: "nightly",
      stack: "dev",
      ownResources: 1,
      otherResources: 0,
      pendingOperations: [],
      dependencies: new Map(),
    };
    return makePlan(
      { ...state, controlPlanes: [recorded({ name: "all", ...more })] },
      { client: context.client, scope: context },
      { nowMs: Date.UTC(2026, 0, 8), isForced },
    );
  };
  const planOne = async (more: Partial<HeldControlPlane> = {}, isForced = false) => {
    const [planned] = (await plan(more, isForced)).controlPlanes;
    return [
      planned?.outcome,
      ...(planned?.remarks ?? []).map(({ text, detail = "" }) => `${text}: ${detail}`),
    ];
  };

  it("is blocked by members that must not be removed, also when guards are overridden", async () => {
    const blocked = ["blocked", `2 members added elsewhere: "${A}", "${B}" ${REFUSED}`];
    expect(await planOne()).to.deep.equal(blocked);
    expect(await planOne({}, true)).to.deep.equal(blocked);
    expect(await planOne({ detachable: new Set([A]) })).to.deep.equal([
      ...["blocked", `1 member added elsewhere: "${B}" ${REFUSED}`],
    ]);
  });

  it("removes members that its resource added, and all with detachMembers", async () => {
    const removed = ["delete", `2 members: "${A}", "${B}"; removed from the group first`];
    expect(await planOne({ detachable: new Set([A, B]) })).to.deep.equal(removed);
    expect(await planOne({ guards: { detachMembers: true } })).to.deep.equal(removed);
  });

  it("is not blocked without members, and nothing but a group is asked for them", async () => {
    context.members = [];
    expect(await planOne()).to.deep.equal(["delete"]);
    expect(context.checks).to.include(`members of ${ID}`);
    context.existing = [{ id: ID, name: "edge", labels: {}, clusterType: "CLUSTER_TYPE_CONTROL_PLANE" }];
    context.checks.length = 0;
    expect(await planOne()).to.deep.equal(["delete"]);
    expect(context.checks).to.deep.equal([`nodes of ${ID}`]);
  });

  it("is blocked when its members may not be read, unless all of them may go", async () => {
    context.members = failure("forbidden", 403, "Forbidden");
    const text = "members not checked: its members could not be read: 403 Forbidden";
    expect(await planOne()).to.deep.equal(["blocked", text]);
    expect(await planOne({ guards: { detachMembers: true } })).to.deep.equal(["delete", text]);
  });

  it("shows the members in each format", async () => {
    const made = await plan();
    expect(renderTextPlan(made)).to.contain("    ! in the way: 2 members added elsewhere: ");
    expect(renderMarkdownPlan(made)).to.contain("2 members added elsewhere");
    const [json] = (
      JSON.parse(renderJsonPlan(made)) as { controlPlanes: readonly { remarks: readonly object[] }[] }
    ).controlPlanes;
    expect(json).to.deep.include({ outcome: "blocked", detachMembers: null });
    expect(json?.remarks).to.deep.include({
      kind: "members",
      text: "2 members added elsewhere",
      detail: `"${A}", "${B}" ${REFUSED}`,
      standsInTheWay: true,
    });
  });
});

describe("the state of a group", () => {
  const resource = (type: string, outputs: object) => ({
    urn: `urn:pulumi:dev::nightly::pulumi-nodejs:dynamic/konnect:${type}::all`,
    type: `pulumi-nodejs:dynamic/konnect:${type}`,
    id: type === "ControlPlane" ? ID : "control-plane-set",
    outputs: { baseUrl: EU, ...outputs },
  });
  const parse = (type: string, outputs: object) =>
    parseStackState(
      JSON.stringify({ version: 3, deployment: { resources: [resource(type, outputs)] } }),
      safe`the test`,
    ).controlPlanes;

  it("says which members a deletion removes from it: those that its resource added", () => {
    const outputs = { name: "all", members: [A, B], __foreignMembers: [B], __origin: "created" };
    expect(parse("ControlPlane", outputs).map(({ detachable }) => detachable)).to.deep.equal([new Set([A])]);
  });

  it("says which members a deletion of its set removes from it: those of the set", () => {
    const outputs = { controlPlanes: [{ id: ID }, { id: OTHER_ID }], detachMembers: true };
    const members = parse("ControlPlaneSet", outputs);
    expect(members.map(({ detachable }) => detachable)).to.deep.equal([
      new Set([ID, OTHER_ID]),
      new Set([ID, OTHER_ID]),
    ]);
    expect(members.map(({ guards }) => guards)).to.deep.equal([
      { detachMembers: true },
      { detachMembers: true },
    ]);
  });

  it("says that a deletion of a guarded set removes no member from it", () => {
    const guards = [{ onlyIfLabels: { env: "preview" } }, { deletionPolicy: "empty" }];
    for (const guard of guards) {
      const [member] = parse("ControlPlaneSet", { controlPlanes: [{ id: ID }, { id: OTHER_ID }], ...guard });
      expect(member?.detachable).to.deep.equal(new Set());
    }
  });

  it("is refused when detachMembers is neither true nor false", () => {
    expect(() => parse("ControlPlane", { detachMembers: "yes" })).to.throw(
      "deployment.resources[0].outputs.detachMembers must be true or false",
    );
  });
});
