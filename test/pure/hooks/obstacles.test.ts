import { expect } from "chai";
import { type DeletionTerms, findObstacles, type Shown } from "../../../provider/hooks/obstacles.js";
import { detachableByOwner, detachableBySet, type Guards } from "../../../provider/state/recorded-fields.js";
import { failure, NO_ENTITIES as EMPTY } from "./fake-context.js";

const known = <Value>(value: Value) => ({ ok: true, value }) as const;
const denied = failure("forbidden", 403, "Permission denied");
const failed = { ok: false, error: denied } as const;

/** Returns what is found, in short: `!` before what stands in the way, and the guard that says so. */
function find(guards: Guards, shown: Shown, isForced = false, detachable: readonly string[] = []) {
  const terms: DeletionTerms = { guards, detachable: new Set(detachable) };
  return findObstacles(terms, shown, { isForced, nowMs: Date.UTC(2026, 11, 24) }).map(
    ({ kind, summary, standsInTheWay, guard }) =>
      `${standsInTheWay ? "! " : ""}${kind === "not checked" ? "not checked: " : ""}${summary}${guard === undefined ? "" : ` (${guard})`}`,
  );
}

describe("what stands in the way of a deletion", () => {
  it("is nothing when there are no guards, and nothing was looked at", () => {
    expect(find({}, {})).to.deep.equal([]);
    expect(find({ deletionPolicy: "always" }, {})).to.deep.equal([]);
  });

  it("is nothing when its owner lets it go: on the day, with a false keep, or with labels of other names", () => {
    const owner = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
    const labels = known({ keep: "False", "delete-after": "2026-12-24" });
    expect(find(owner, { labels })).to.deep.equal([]);
    expect(find(owner, { labels: known({ stay: "true" }) })).to.deep.equal([]);
    expect(find({}, { labels: known({ keep: "true" }) })).to.deep.equal([]);
  });

  it("is nothing when every guard is known to allow it", () => {
    const labels = known({ env: "preview", other: "x" });
    const onlyIfLabels = { env: "preview" };
    expect(find({ onlyIfLabels, deletionPolicy: "empty" }, { labels, entities: known(EMPTY) })).to.deep.equal(
      [],
    );
    const nodes = known([{ hostname: "a", silentForMs: 300_000 }]);
    expect(find({ onlyIfLabels, deletionPolicy: "no-connected-nodes" }, { labels, nodes })).to.deep.equal([]);
  });

  const onlyIfLabels = { env: "preview" };
  const cases: readonly (readonly [
    what: string,
    guards: Guards,
    shown: Shown,
    found: string,
    forced: string,
  ])[] = [
    [
      "labels that no longer match",
      { onlyIfLabels },
      { labels: known({ env: "prod" }) },
      "! labels no longer match (onlyIfLabels)",
      "labels no longer match (onlyIfLabels)",
    ],
    [
      "a label of its owner that keeps it",
      { keepLabel: "keep" },
      { labels: known({ Keep: "yes" }) },
      "! kept by its owner (keepLabel)",
      "kept by its owner (keepLabel)",
    ],
    [
      "a day of its owner that has not come",
      { keepLabel: "keep", deleteAfterLabel: "delete-after" },
      { labels: known({ keep: "false", "delete-after": "2026-12-25" }) },
      "! kept by its owner (deleteAfterLabel)",
      "kept by its owner (deleteAfterLabel)",
    ],
    [
      "a day of its owner that is none",
      { deleteAfterLabel: "delete-after" },
      { labels: known({ "delete-after": "soon" }) },
      "! kept by its owner (deleteAfterLabel)",
      "kept by its owner (deleteAfterLabel)",
    ],
    [
      "labels of its owner that nobody looked at",
      { keepLabel: "keep", deleteAfterLabel: "delete-after" },
      {},
      "! not checked: labels not checked (keepLabel)",
      "not checked: labels not checked (keepLabel)",
    ],
    [
      "labels that matter twice and could not be read",
      { onlyIfLabels, keepLabel: "keep" },
      { labels: failed },
      "! not checked: labels not checked (onlyIfLabels)",
      "not checked: labels not checked (onlyIfLabels)",
    ],
    [
      "labels that could not be read",
      { onlyIfLabels },
      { labels: failed },
      "! not checked: labels not checked (onlyIfLabels)",
      "not checked: labels not checked (onlyIfLabels)",
    ],
    [
      "labels that nobody looked at",
      { onlyIfLabels },
      {},
      "! not checked: labels not checked (onlyIfLabels)",
      "not checked: labels not checked (onlyIfLabels)",
    ],
    [
      "a connected node",
      { deletionPolicy: "no-connected-nodes" },
      { nodes: known([{}]) },
      "! 1 connected node (deletionPolicy)",
      "1 connected node (deletionPolicy)",
    ],
    [
      "nodes that could not be read",
      { deletionPolicy: "no-connected-nodes" },
      { nodes: failed },
      "! not checked: nodes not checked (deletionPolicy)",
      "not checked: nodes not checked (deletionPolicy)",
    ],
    [
      "nodes that nobody looked at",
      { deletionPolicy: "no-connected-nodes" },
      {},
      "! not checked: nodes not checked (deletionPolicy)",
      "not checked: nodes not checked (deletionPolicy)",
    ],
    [
      "entities",
      { deletionPolicy: "empty" },
      { entities: known({ ...EMPTY, routes: { count: 1, hasMore: false } }) },
      "! not empty (deletionPolicy)",
      "not empty (deletionPolicy)",
    ],
    [
      "entities that could not be counted",
      { deletionPolicy: "empty" },
      { entities: failed },
      "! not checked: entities not checked (deletionPolicy)",
      "not checked: entities not checked (deletionPolicy)",
    ],
    [
      "entities that nobody counted",
      { deletionPolicy: "empty" },
      {},
      "! not checked: entities not checked (deletionPolicy)",
      "not checked: entities not checked (deletionPolicy)",
    ],
  ];
  for (const [what, guards, shown, found, forced] of cases) {
    it(`is ${what}, unless guards are overridden`, () => {
      expect(find(guards, shown)).to.deep.equal([found]);
      expect(find(guards, shown, true)).to.deep.equal([forced]);
    });
  }

  it("is each of several guards", () => {
    const guards: Guards = { onlyIfLabels, deletionPolicy: "no-connected-nodes" };
    expect(find(guards, { labels: known({}), nodes: known([{}, {}]) })).to.deep.equal([
      "! labels no longer match (onlyIfLabels)",
      "! 2 connected nodes (deletionPolicy)",
    ]);
  });

  it("is no node and no entity that no policy asks for; connected nodes are worth knowing", () => {
    const entities = known({ ...EMPTY, routes: { count: 1, hasMore: false } });
    expect(find({ deletionPolicy: "empty" }, { nodes: known([{}]), entities: known(EMPTY) })).to.deep.equal([
      "1 connected node",
    ]);
    expect(find({}, { nodes: known([{}]), entities, labels: known({}) })).to.deep.equal([
      "1 connected node",
      "not empty",
    ]);
    expect(find({}, { nodes: failed, entities: failed, labels: failed })).to.deep.equal([]);
  });

  it("is a member that must stay, also when guards are overridden", () => {
    const members = known([
      { id: "a", name: "A" },
      { id: "b", name: "B" },
    ]);
    for (const isForced of [false, true]) {
      expect(find({}, { members }, isForced)).to.deep.equal(["! 2 members added elsewhere"]);
      expect(find({}, { members }, isForced, ["a"])).to.deep.equal(["! 1 member added elsewhere"]);
      expect(find({}, { members }, isForced, ["a", "b"])).to.deep.equal(["2 members"]);
      expect(find({ detachMembers: true }, { members }, isForced)).to.deep.equal(["2 members"]);
      expect(find({}, { members: failed }, isForced)).to.deep.equal(["! not checked: members not checked"]);
      expect(find({ detachMembers: true }, { members: failed }, isForced)).to.deep.equal([
        "not checked: members not checked",
      ]);
    }
    expect(find({}, { members: known([]) })).to.deep.equal([]);
  });

  it("does not say how long ago a node was heard from when its last ping lies in the future", () => {
    const [finding] = findObstacles(
      { guards: { deletionPolicy: "no-connected-nodes" }, detachable: new Set() },
      { nodes: known([{ hostname: "a", silentForMs: -1 }]) },
      { isForced: false, nowMs: 0 },
    );
    expect(finding?.found).to.deep.equal(["a (last heard from at a time in the future)"]);
  });

  it("is told with what was found, in full and by names", () => {
    const nodes = known([
      { hostname: "node-a", silentForMs: 61_000 },
      {},
      { hostname: "node-c", silentForMs: 7_200_000, saysConnected: true as const },
    ]);
    expect(
      findObstacles(
        { guards: { onlyIfLabels }, detachable: new Set() },
        { nodes, labels: failed },
        { isForced: false, nowMs: 0 },
      ),
    ).to.deep.equal([
      {
        kind: "not checked",
        summary: "labels not checked",
        found: ["its labels could not be read"],
        names: [],
        standsInTheWay: true,
        guard: "onlyIfLabels",
        error: denied,
      },
      {
        kind: "connected nodes",
        summary: "3 connected nodes",
        found: [
          "node-a (last heard from 1 min 1 s ago)",
          "a node without a name (last heard from at an unknown time)",
          "node-c (connected, last heard from 120 min 0 s ago)",
        ],
        names: ["node-a", "node-c"],
        standsInTheWay: false,
      },
    ]);
  });
});

describe("the members that may be removed from a group", () => {
  it("are those that its resource added or may have added", () => {
    const members = { ids: ["a", "b"], foreign: ["b"], attempted: ["c"] };
    expect(detachableByOwner(members)).to.deep.equal(new Set(["a", "c"]));
    expect(detachableByOwner(undefined)).to.deep.equal(new Set());
  });

  it("are those of its set, unless a guard may keep one of them", () => {
    expect(detachableBySet(["a", "b"], {})).to.deep.equal(new Set(["a", "b"]));
    expect(detachableBySet(["a"], { detachMembers: true })).to.deep.equal(new Set(["a"]));
    expect(detachableBySet(["a"], { deletionPolicy: "empty" })).to.deep.equal(new Set());
    expect(detachableBySet(["a"], { onlyIfLabels: { env: "preview" } })).to.deep.equal(new Set());
  });
});
