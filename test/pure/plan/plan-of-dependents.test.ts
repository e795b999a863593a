import { expect } from "chai";
import { renderJsonPlan } from "../../../provider/plan/json-plan.js";
import { isBlocked, makePlan } from "../../../provider/plan/make-plan.js";
import { renderMarkdownPlan } from "../../../provider/plan/markdown-plan.js";
import { parseStackState } from "../../../provider/plan/stack-state.js";
import { renderTextPlan } from "../../../provider/plan/text-plan.js";
import { safe } from "../../../provider/text/safe-text.js";
import { FakeContext, gone } from "../hooks/fake-context.js";
import {
  controlPlaneResource,
  exported,
  type ExportedResource,
  setResource,
  SET_TYPE,
  TYPE,
  urnOf,
} from "./exported-state.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";
const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const [ALL, A, B, FOREIGN] = [idOf(0), idOf(1), idOf(2), idOf(3)];
const BUCKET = urnOf("aws:s3/bucket:Bucket", "logs");

describe("a plan of control planes that others depend on", () => {
  let context: FakeContext;
  beforeEach(() => {
    context = new FakeContext();
    context.existing = [
      { id: ALL, name: "all-teams", labels: {}, clusterType: GROUP },
      { id: A, name: "a", labels: {} },
      { id: B, name: "b", labels: {} },
    ];
    context.members = [A, B, FOREIGN];
  });

  const make = (...resources: readonly ExportedResource[]) =>
    makePlan(
      parseStackState(exported(resources), safe`the test`),
      { client: context.client, scope: context },
      { nowMs: Date.UTC(2026, 0, 8), isForced: false },
    );
  const planOf = async (...resources: readonly ExportedResource[]) => {
    const { controlPlanes } = await make(...resources);
    return controlPlanes.map(({ name, outcome, remarks }) =>
      [`${name}: ${outcome}`, ...remarks.map(({ text }) => text)].join("; "),
    );
  };
  const urn = (name: string) => urnOf(TYPE, name);
  const a = controlPlaneResource("a", A);
  const b = controlPlaneResource("b", B);
  const kept = "all-teams: blocked; 1 member added elsewhere";

  for (const [how, more] of [
    ["dependencies", { dependencies: [urn("a"), urn("b")] }],
    ["propertyDependencies", { propertyDependencies: { members: [urn("a"), urn("b")], name: null } }],
  ] as const) {
    it(`keeps what a kept group depends on by ${how}, because Pulumi never tries to delete it`, async () => {
      const outputs = { members: [A, B], __origin: "created" };
      const all = controlPlaneResource("all-teams", ALL, outputs, more);
      expect(await planOf(a, b, all)).to.deep.equal(
        ['a: blocked; "all-teams" stays', ...[kept, 'b: blocked; "all-teams" stays']].sort(),
      );
    });
  }

  for (const option of ["parent", "deletedWith"]) {
    it(`keeps the ${option} of a control plane that stays`, async () => {
      context.members = [];
      const child = controlPlaneResource("b", B, {}, { protect: true, [option]: urn("a") });
      const [planned] = await planOf(a, child);
      expect(planned).to.equal('a: blocked; "b" stays');
    });
  }

  it("keeps what a blocked one depends on through resources of other kinds, and names the blocked one", async () => {
    context.members = [];
    const bucket = { urn: BUCKET, type: "aws:s3/bucket:Bucket", dependencies: [urn("a")] };
    const blocked = controlPlaneResource("b", B, {}, { protect: true, dependencies: [BUCKET] });
    expect(await planOf(a, bucket, blocked)).to.deep.equal([
      'a: blocked; "b" stays',
      "b: blocked; protected",
    ]);
  });

  it("keeps all members of a set that a blocked one depends on", async () => {
    const set = setResource("both", { controlPlanes: [{ id: A }, { id: B }] });
    const all = controlPlaneResource("all-teams", ALL, {}, { dependencies: [urnOf(SET_TYPE, "both")] });
    expect(await planOf(set, all)).to.deep.equal([
      ...['a: blocked; "all-teams" stays', "all-teams: blocked; 3 members added elsewhere"],
      'b: blocked; "all-teams" stays',
    ]);
  });

  it("keeps the members of a group that Pulumi only drops, and not what it depends on, which is deleted", async () => {
    context.members = [A];
    const dependencies = [urn("a"), urn("b")];
    const all = controlPlaneResource("all-teams", ALL, {}, { pendingReplacement: true, dependencies });
    expect(await planOf(a, b, all)).to.deep.equal([
      'a: blocked; member of "all-teams", which stays',
      "all-teams: blocked; pending replacement",
      "b: delete",
    ]);
  });

  it("keeps the members of a group that stays, also without a dependency", async () => {
    const all = controlPlaneResource("all-teams", ALL);
    expect(await planOf(a, b, all)).to.deep.equal([
      'a: blocked; member of "all-teams", which stays',
      "all-teams: blocked; 3 members added elsewhere",
      'b: blocked; member of "all-teams", which stays',
    ]);
    const retained = controlPlaneResource(
      "all-teams",
      ALL,
      { detachMembers: true },
      { retainOnDelete: true },
    );
    context.members = [A];
    expect(await planOf(a, b, retained)).to.deep.equal([
      'a: blocked; member of "all-teams", which stays',
      "all-teams: keep; 1 member; kept: retainOnDelete",
      "b: delete",
    ]);
  });

  it("keeps the members of a group that stays because another one depends on it", async () => {
    context.members = [A];
    const all = controlPlaneResource("all-teams", ALL, { detachMembers: true });
    const blocked = controlPlaneResource("b", B, {}, { protect: true, dependencies: [urn("all-teams")] });
    expect(await planOf(a, all, blocked)).to.deep.equal([
      'a: blocked; member of "all-teams", which stays',
      'all-teams: blocked; 1 member; "b" stays',
      "b: blocked; protected",
    ]);
  });

  it("deletes what depends on a blocked one, and what only deleted ones depend on", async () => {
    context.members = [];
    const all = controlPlaneResource("all-teams", ALL, {}, { dependencies: [urn("a")] });
    const blocked = controlPlaneResource("b", B, {}, { protect: true });
    expect(await planOf(a, blocked, all)).to.deep.equal([
      "a: delete",
      "all-teams: delete",
      "b: blocked; protected",
    ]);
    const dependent = controlPlaneResource("a", A, {}, { dependencies: [urn("b")] });
    expect(await planOf(blocked, dependent)).to.deep.equal(["a: delete", "b: blocked; protected"]);
  });

  it("says nothing about what is gone already or kept anyway", async () => {
    context.members = [];
    context.existing = context.existing.filter(({ id }) => id !== A);
    context.reading = gone;
    const retained = controlPlaneResource("b", B, {}, { retainOnDelete: true });
    const blocked = controlPlaneResource(
      "all-teams",
      ALL,
      {},
      { protect: true, dependencies: [urn("a"), urn("b")] },
    );
    expect(await planOf(a, retained, blocked)).to.deep.equal([
      "a: gone; gone already",
      "all-teams: blocked; protected",
      "b: keep; kept: retainOnDelete",
    ]);
  });

  it("shows in each format what stays because of another one", async () => {
    context.members = [A, FOREIGN];
    const outputs = { members: [A], __origin: "created" };
    const all = controlPlaneResource("all-teams", ALL, outputs, { dependencies: [urn("a")] });
    const plan = await make(a, all);
    expect(isBlocked(plan)).to.equal(true);
    const words = `"all-teams" stays: Pulumi deletes it only after "all-teams", which depends on it`;
    expect(renderTextPlan(plan))
      .to.contain(`    ! in the way: ${words}\n`)
      .and.to.contain("2 control planes: 2 have something");
    expect(renderMarkdownPlan(plan)).to.contain(words);
    const json = JSON.parse(renderJsonPlan(plan)) as {
      controlPlanes: readonly { remarks: readonly object[] }[];
    };
    expect(json.controlPlanes[0]?.remarks).to.deep.equal([
      {
        kind: "dependent stays",
        text: '"all-teams" stays',
        detail: 'Pulumi deletes it only after "all-teams", which depends on it',
        standsInTheWay: true,
      },
    ]);
  });
});
