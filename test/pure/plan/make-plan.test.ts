import { expect } from "chai";
import { isBlocked, makePlan, type Plan } from "../../../provider/plan/make-plan.js";
import type { HeldControlPlane } from "../../../provider/state/held-control-planes.js";
import type { Remark } from "../../../provider/plan/remarks.js";
import { failure, FakeContext, gone, ID, OTHER_ID } from "../hooks/fake-context.js";
import { safe } from "../../../provider/text/safe-text.js";
import { recorded } from "./recorded.js";

const NOW_MS = Date.UTC(2026, 0, 8);
const MINUTE_MS = 60_000;

describe("a plan", () => {
  let context: FakeContext;
  beforeEach(() => {
    context = new FakeContext();
    context.existing = [{ id: ID, name: "edge", labels: { env: "preview" } }];
  });

  function plan(controlPlanes: readonly HeldControlPlane[], isForced = false): Promise<Plan> {
    const state = {
      project: "nightly",
      stack: "dev",
      ownResources: 1,
      otherResources: 0,
      pendingOperations: [],
      dependencies: new Map(),
    };
    return makePlan(
      { ...state, controlPlanes },
      { client: context.client, scope: context },
      { nowMs: NOW_MS, isForced },
    );
  }

  /** Plans one control plane, and returns what happens to it and why. */
  async function planOne(more: Partial<HeldControlPlane> = {}, isForced = false) {
    const made = await plan([recorded(more)], isForced);
    const [{ outcome, remarks }] = made.controlPlanes as [Plan["controlPlanes"][0]];
    expect(isBlocked(made), "the whole plan").to.equal(outcome === "blocked");
    return { outcome, remarks: remarks.map(wordsOf) };
  }

  const wordsOf = ({ text, detail }: Remark) => (detail === undefined ? text : `${text}: ${detail}`);

  it("deletes a control plane that nothing is said about", async () => {
    expect(await planOne()).to.deep.equal({ outcome: "delete", remarks: [] });
  });

  it("shows what the service says, and the recorded name where the service says nothing", async () => {
    context.existing = [{ id: ID, name: "renamed", labels: { a: "b" }, createdAtMs: 1 }];
    context.nodes = [{ silentForMs: 0 }, { silentForMs: 60 * MINUTE_MS }];
    context.reading = gone;
    const { controlPlanes } = await plan([recorded(), recorded({ id: OTHER_ID, name: "old" })]);
    const [old, renamed] = controlPlanes;
    expect(renamed).to.deep.include({ name: "renamed", labels: { a: "b" }, createdAtMs: 1, region: "eu" });
    expect(renamed?.nodes).to.deep.equal({ connected: 1, known: 2 });
    expect(old).to.deep.include({ name: "old", labels: undefined, nodes: undefined, outcome: "gone" });
  });

  it("hides the mark that this package gives to the control planes that it creates", async () => {
    const labels = { team: "payments", "pulumi-creation-id": "5f0c" };
    context.existing = [{ id: ID, name: "edge", labels }];
    const { controlPlanes } = await plan([recorded()]);
    expect(controlPlanes[0]?.labels).to.deep.equal({ team: "payments" });
  });

  it("shows the host of an address that belongs to no region", async () => {
    const address = "https://gateway.example:8443/konnect/v2";
    const { controlPlanes } = await plan([recorded({ address })]);
    expect(controlPlanes[0]?.region).to.equal("gateway.example:8443");
  });

  it("is sorted by name, then by id, whatever the order of the state", async () => {
    context.existing = [];
    context.reading = gone;
    const { controlPlanes } = await plan([
      recorded({ name: "b" }),
      recorded({ name: undefined, resource: "a2" }),
      recorded({ name: "a1" }),
      recorded({ name: "a1", id: OTHER_ID }),
    ]);
    expect(controlPlanes.map(({ name, resource, id }) => [name ?? resource, id])).to.deep.equal([
      ["a1", OTHER_ID],
      ["a1", ID],
      ["a2", ID],
      ["b", ID],
    ]);
  });

  it("says that a control plane is gone already, whatever its guards say", async () => {
    context.existing = [];
    context.reading = gone;
    const guards = { onlyIfLabels: { env: "x" }, deletionPolicy: "empty" } as const;
    const end = await planOne({ guards, secretGuards: ["onlyIfLabels"] });
    expect(end).to.deep.equal({ outcome: "gone", remarks: ["gone already"] });
  });

  it("is blocked by labels that no longer match, and says which", async () => {
    const onlyIfLabels = { env: "preview", team: "payments", toString: "x" };
    context.existing = [{ id: ID, name: "edge", labels: { env: "prod", team: "payments" } }];
    expect(await planOne({ guards: { onlyIfLabels } })).to.deep.equal({
      outcome: "blocked",
      remarks: ['labels no longer match: env is "prod", not "preview", toString is missing (wanted "x")'],
    });
  });

  it("is blocked by what its owner has said since it was selected", async () => {
    const guards = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
    context.existing = [{ id: ID, name: "edge", labels: { "delete-after": "2999-01-01" } }];
    expect(await planOne({ guards })).to.deep.equal({
      outcome: "blocked",
      remarks: ['kept by its owner: delete-after is "2999-01-01"'],
    });
  });

  it("is not blocked by guards that are overridden, whether they could be checked or not", async () => {
    const onlyIfLabels = { env: "prod" };
    const changed = 'labels no longer match: env is "preview", not "prod"';
    expect(await planOne({ guards: { onlyIfLabels } }, true)).to.deep.equal({
      outcome: "delete",
      remarks: [changed],
    });
    context.nodes = failure("forbidden", 403, "Permission denied");
    expect((await planOne({ guards: { deletionPolicy: "no-connected-nodes" } }, true)).outcome).to.equal(
      "delete",
    );
    expect((await planOne({ secretGuards: ["onlyIfLabels", "deletionPolicy"] }, true)).outcome).to.equal(
      "delete",
    );
  });

  it("is not blocked by labels that still match, or by others", async () => {
    const guards = { onlyIfLabels: { env: "preview" } };
    expect(await planOne({ guards })).to.deep.equal({ outcome: "delete", remarks: [] });
  });

  it("counts a node as connected while its last ping is younger than five minutes, or not known", async () => {
    const ages = [5 * MINUTE_MS, 5 * MINUTE_MS - 1, 0, -MINUTE_MS];
    context.nodes = [{}, ...ages.map((age, n) => ({ silentForMs: age, hostname: `dp-${n}` }))];
    expect(await planOne()).to.deep.equal({
      outcome: "delete",
      remarks: ["4 connected nodes: dp-1, dp-2, dp-3, …"],
    });
    context.nodes = [{ silentForMs: 0 }];
    expect((await planOne()).remarks).to.deep.equal(["1 connected node"]);
    const nodesNamed = (...hosts: readonly string[]) =>
      hosts.map((hostname) => ({ hostname, silentForMs: 0 }));
    context.nodes = nodesNamed("a", "b", "c");
    expect((await planOne()).remarks).to.deep.equal(["3 connected nodes: a, b, c"]);
    context.nodes = nodesNamed("a", "b", "c", "d");
    expect((await planOne()).remarks).to.deep.equal(["4 connected nodes: a, b, c, …"]);
  });

  it("is blocked by connected nodes only under the policy that refuses them, and not when that is overridden", async () => {
    context.nodes = [{ silentForMs: 0 }];
    const guarded = { guards: { deletionPolicy: "no-connected-nodes" } } as const;
    expect((await planOne(guarded)).outcome).to.equal("blocked");
    expect((await planOne(guarded, true)).outcome).to.equal("delete");
    expect((await planOne({ guards: { deletionPolicy: "always" } })).outcome).to.equal("delete");
  });

  it("is blocked by nodes that cannot be read only under the policy that needs them", async () => {
    context.nodes = failure("forbidden", 403, "Permission denied");
    expect(await planOne()).to.deep.equal({ outcome: "delete", remarks: [] });
    expect(await planOne({ guards: { deletionPolicy: "no-connected-nodes" } })).to.deep.equal({
      outcome: "blocked",
      remarks: ["nodes not checked: its nodes could not be read: 403 Permission denied"],
    });
  });

  for (const [what, more] of [
    ["that is one of a cloud gateway", { cloudGateway: true }],
    ["of a serverless type", { cloudGateway: false, clusterType: "CLUSTER_TYPE_SERVERLESS" }],
  ] as const) {
    it(`is not blocked by a control plane ${what}, but says that paid gateways may stay`, async () => {
      context.existing = [{ id: ID, name: "edge", labels: {}, ...more }];
      expect(await planOne()).to.deep.equal({
        outcome: "delete",
        remarks: [
          "cloud gateways may stay: deleting the control plane is not known to stop its gateways, which may cost money; remove them first",
        ],
      });
      expect((await planOne({ isExternal: true })).remarks).to.deep.equal(["external"]);
    });
  }

  it("names the kinds of entities that could not be counted", async () => {
    context.entities = failure("forbidden", 403, "Permission denied", {}, [safe`Not counted: vaults, keys.`]);
    expect((await planOne({ guards: { deletionPolicy: "empty" } })).remarks).to.deep.equal([
      "entities not checked: its entities could not be counted: 403 Permission denied. Not counted: vaults, keys.",
    ]);
  });

  it("is blocked by entities under the policy empty, and counts them", async () => {
    const guarded = { guards: { deletionPolicy: "empty" } } as const;
    context.entities = { services: { count: 2, hasMore: false }, routes: { count: 100, hasMore: true } };
    expect(await planOne(guarded)).to.deep.equal({
      outcome: "blocked",
      remarks: ["not empty: 2 services, 100 or more routes"],
    });
    expect((await planOne(guarded, true)).outcome).to.equal("delete");
    context.entities = failure("service", 500, "Internal Error");
    expect(await planOne(guarded)).to.deep.equal({
      outcome: "blocked",
      remarks: ["entities not checked: its entities could not be counted: 500 Internal Error"],
    });
    context.entities = {};
    expect(await planOne(guarded)).to.deep.equal({ outcome: "delete", remarks: [] });
  });

  it("is blocked by a control plane that may not be read, with the problem's detail", async () => {
    context.existing = [];
    context.reading = failure("forbidden", 403, "Permission denied", {
      detail: "The role does not allow it.",
    });
    expect(await planOne()).to.deep.equal({
      outcome: "blocked",
      remarks: ["may not be read: 403 Permission denied. The role does not allow it."],
    });
    context.reading = failure("forbidden", 403, "Permission denied");
    expect((await planOne()).remarks).to.deep.equal(["may not be read: 403 Permission denied"]);
  });

  it("is blocked by secrets of the state, and names them", async () => {
    const words = "is a secret in the state, which the plan does not read";
    expect(await planOne({ address: undefined })).to.deep.equal({
      outcome: "blocked",
      remarks: [`unreadable: its baseUrl is secret: its baseUrl ${words}`],
    });
    expect((await planOne({ id: undefined })).remarks).to.deep.equal([
      `unreadable: its id is secret: its id ${words}`,
    ]);
    expect(await planOne({ secretGuards: ["deletionPolicy"] })).to.deep.equal({
      outcome: "blocked",
      remarks: [`unreadable: deletionPolicy is secret: deletionPolicy ${words}`],
    });
  });

  it("names the kind of each remark, for programs that read the plan", async () => {
    const kindsOf = async (more: Partial<HeldControlPlane>) =>
      (await plan([recorded(more)])).controlPlanes.flatMap(({ remarks }) => remarks.map(({ kind }) => kind));
    context.nodes = [{ silentForMs: 0 }];
    context.entities = { routes: { count: 1, hasMore: false } };
    const guards = { onlyIfLabels: { env: "prod" }, deletionPolicy: "empty" } as const;
    expect(await kindsOf({ guards, isProtected: true, secretGuards: ["onlyIfLabels"] })).to.deep.equal([
      "secret in the state",
      "labels no longer match",
      "connected nodes",
      "not empty",
      "protected",
    ]);
    const denied = failure("forbidden", 403, "Permission denied");
    context.nodes = denied;
    context.entities = denied;
    expect(await kindsOf({ guards: { deletionPolicy: "no-connected-nodes" } })).to.deep.equal([
      "not checked",
    ]);
    expect(await kindsOf({ guards: { deletionPolicy: "empty" } })).to.deep.equal(["not checked"]);
    [context.existing, context.reading] = [[], denied];
    expect(await kindsOf({})).to.deep.equal(["may not be read"]);
    context.reading = gone;
    expect(await kindsOf({})).to.deep.equal(["gone already"]);
  });

  describe("of what an earlier run has deleted to replace it, which Pulumi drops without another call", () => {
    const pending = { isPendingReplacement: true } as const;
    const adoptAgain =
      "pending replacement: exists, but Pulumi drops it without deleting it: a replacement had begun; " +
      "finish it with pulumi up, or delete the control plane by hand";

    it("says that it is gone", async () => {
      context.existing = [];
      context.reading = gone;
      expect(await planOne(pending)).to.deep.equal({ outcome: "gone", remarks: ["gone already"] });
    });

    it("is blocked when it exists, whatever else is said about it", async () => {
      context.nodes = [{ silentForMs: 0 }];
      const guards = { onlyIfLabels: { env: "preview" }, deletionPolicy: "no-connected-nodes" } as const;
      const secretGuards = ["detachMembers"] as const;
      for (const isForced of [false, true]) {
        expect(await planOne({ ...pending, guards, secretGuards }, isForced)).to.deep.equal({
          outcome: "blocked",
          remarks: [adoptAgain],
        });
      }
      const [planned] = (await plan([recorded(pending)])).controlPlanes;
      expect(planned?.nodes).to.deep.equal({ connected: 1, known: 1 });
      expect(planned?.remarks[0]).to.include({ kind: "pending replacement", standsInTheWay: true });
    });

    it("names another way out when the resource has created it, because its name is still taken", async () => {
      expect((await planOne({ ...pending, origin: "created" })).remarks).to.deep.equal([
        "pending replacement: exists, but Pulumi drops it without deleting it: a replacement had begun; " +
          "delete the control plane by hand",
      ]);
    });

    it("is not blocked when another resource holds the same control plane, and deletes it", async () => {
      const other = recorded({ resource: "other" });
      const { controlPlanes } = await plan([recorded(pending), other]);
      expect(controlPlanes.map(({ outcome, remarks }) => [outcome, remarks.map(wordsOf)])).to.deep.equal([
        ["keep", ["pending replacement: another resource of the stack holds it"]],
        ["delete", []],
      ]);
      const twice = await plan([recorded(pending), recorded({ ...pending, resource: "other" })]);
      expect(twice.controlPlanes.map(({ outcome }) => outcome)).to.deep.equal(["blocked", "blocked"]);
      const referredTo = await plan([recorded(pending), recorded({ isExternal: true, resource: "other" })]);
      expect(referredTo.controlPlanes.map(({ outcome }) => outcome)).to.deep.equal(["blocked", "keep"]);
    });

    it("is blocked when nobody knows whether it exists", async () => {
      expect((await planOne({ ...pending, address: undefined })).outcome).to.equal("blocked");
      context.existing = [];
      context.reading = failure("forbidden", 403, "Permission denied");
      expect(await planOne(pending)).to.deep.equal({
        outcome: "blocked",
        remarks: ["may not be read: 403 Permission denied"],
      });
    });

    it("keeps what is retained, because the mark was then set without a deletion, too", async () => {
      for (const droppedBy of ["retainOnDelete", "deletedWith"] as const) {
        expect(await planOne({ ...pending, droppedBy })).to.deep.equal({
          outcome: "keep",
          remarks: [`kept: ${droppedBy}`],
        });
      }
    });
  });

  it("deletes what has been replaced together with its replacement, which has the same URN", async () => {
    context.existing = [
      { id: ID, name: "edge", labels: {} },
      { id: OTHER_ID, name: "edge", labels: {} },
    ];
    const { controlPlanes } = await plan([recorded(), recorded({ id: OTHER_ID, isReplaced: true })]);
    expect(controlPlanes.map(({ id, outcome }) => [id, outcome])).to.deep.equal([
      [OTHER_ID, "delete"],
      [ID, "delete"],
    ]);
  });

  it("keeps what is retained or external, and nothing but protection stands in the way of that", async () => {
    const guards = { onlyIfLabels: { env: "prod" } };
    const changed = 'labels no longer match: env is "preview", not "prod"';
    expect(await planOne({ guards, droppedBy: "retainOnDelete" })).to.deep.equal({
      outcome: "keep",
      remarks: [changed, "kept: retainOnDelete"],
    });
    expect(await planOne({ droppedBy: "deletedWith" })).to.deep.equal({
      outcome: "keep",
      remarks: ["kept: deletedWith"],
    });
    expect(await planOne({ isExternal: true })).to.deep.equal({ outcome: "keep", remarks: ["external"] });
    expect((await planOne({ isExternal: true, isProtected: true })).outcome).to.equal("blocked");
  });

  it("is blocked by an import that no up has confirmed, and by none that the program only refers to", async () => {
    expect(await planOne({ origin: "external" })).to.deep.equal({
      outcome: "blocked",
      remarks: [
        "only imported: no pulumi up has said yet whether the program manages it; run one, then destroy",
      ],
    });
    const reference = await planOne({ origin: "external", isExternal: true });
    expect(reference.outcome).to.equal("keep");
  });

  it("is blocked by protection, even of a control plane that is gone, because Pulumi refuses the resource", async () => {
    expect(await planOne({ isProtected: true })).to.deep.equal({
      outcome: "blocked",
      remarks: ["protected"],
    });
    context.existing = [];
    context.reading = gone;
    expect(await planOne({ isProtected: true })).to.deep.equal({
      outcome: "blocked",
      remarks: ["gone already", "protected"],
    });
  });
});
