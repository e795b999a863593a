import { expect } from "chai";
import { parseSelection } from "../../../provider/lookups/selection-arguments.js";
import { askedFilter, type Filters, judgeControlPlane } from "../../../provider/lookups/filters.js";

const isSelected = (...args: Parameters<typeof judgeControlPlane>) =>
  judgeControlPlane(...args).outcome === "selected";

const NOW_MS = Date.UTC(2026, 0, 10);
const HOUR_MS = 3_600_000;
const NOW = { earliestMs: NOW_MS, latestMs: NOW_MS };

const PLANE = {
  id: "9524ec7d-36d9-465d-a8c5-83a3c9390458",
  name: "preview-1",
  labels: { env: "preview", team: "a,b" },
  clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
  createdAtMs: NOW_MS - 10 * HOUR_MS,
};

const excludedLabels = (...labels: readonly (readonly [string, string])[]) => ({
  ids: [],
  names: [],
  labels,
});

describe("the filters of a selection", () => {
  const cases: readonly (readonly [title: string, filters: Filters, isLetThrough: boolean])[] = [
    ["all its labels match", { labels: { env: "preview", team: "a,b" } }, true],
    ["one of two labels has another value", { labels: { env: "preview", team: "a" } }, false],
    ["a label is missing", { labels: { owner: "x" } }, false],
    ["a label is only inherited", { labels: { constructor: "x" } }, false],
    ["a label differs in case", { labels: { env: "Preview" } }, false],
    ["its name begins with the prefix", { namePrefix: "preview-" }, true],
    ["its name only contains the prefix", { namePrefix: "review" }, false],
    ["its cluster type matches", { clusterType: "CLUSTER_TYPE_CONTROL_PLANE" }, true],
    ["its cluster type is another one", { clusterType: "CLUSTER_TYPE_HYBRID" }, false],
    ["it is older", { olderThanMs: 9 * HOUR_MS }, true],
    ["it is exactly as old as olderThan", { olderThanMs: 10 * HOUR_MS }, false],
    ["it is younger than olderThan", { olderThanMs: 11 * HOUR_MS }, false],
    ["it is newer", { newerThanMs: 11 * HOUR_MS }, true],
    ["it is exactly as old as newerThan", { newerThanMs: 10 * HOUR_MS }, false],
    ["it is older than newerThan", { newerThanMs: 9 * HOUR_MS }, false],
    ["it is in the window", { olderThanMs: 9 * HOUR_MS, newerThanMs: 11 * HOUR_MS }, true],
    ["its id is excluded", { exclude: { ids: [PLANE.id], names: [], labels: [] } }, false],
    [
      "its name is excluded, whatever its case",
      { exclude: { ids: [], names: ["preview-1"], labels: [] } },
      false,
    ],
    ["one of its labels is excluded", { exclude: excludedLabels(["x", "y"], ["team", "a,b"]) }, false],
    ["a label is excluded with another value", { exclude: excludedLabels(["env", "prod"]) }, true],
    ["a label with another key is excluded", { exclude: excludedLabels(["environment", "preview"]) }, true],
    ["a part of its name is excluded", { exclude: { ids: [], names: ["preview"], labels: [] } }, true],
    ["nothing is excluded", { exclude: { ids: [], names: [], labels: [] } }, true],
    ["one filter matches and another does not", { namePrefix: "preview-", labels: { env: "prod" } }, false],
  ];
  for (const [title, filters, isLetThrough] of cases) {
    it(`${isLetThrough ? "let a control plane through" : "stop a control plane"} when ${title}`, () => {
      expect(isSelected(filters, PLANE, NOW)).to.equal(isLetThrough);
    });
  }

  it("exclude whatever the case of a name or a label of the service is", () => {
    const loud = { ...PLANE, name: "Preview-1", labels: { Keep: "TRUE" } };
    const names = { exclude: { ids: [], names: ["preview-1"], labels: [] } };
    expect(isSelected(names, loud, NOW)).to.equal(false);
    expect(isSelected({ exclude: excludedLabels(["keep", "true"]) }, loud, NOW)).to.equal(false);
  });

  it("exclude a name in any Unicode form of its letters", () => {
    const { exclude } = parseSelection({ olderThan: "1h", exclude: { names: ["cafe\u0301"] } }).filters;
    expect(isSelected({ ...(exclude && { exclude }) }, { ...PLANE, name: "Caf\u00e9" }, NOW)).to.equal(false);
  });

  it("never count a control plane without a creation time as older or newer", () => {
    const { id, name, labels, clusterType } = PLANE;
    const ageless = { id, name, labels, clusterType };
    expect(isSelected({ olderThanMs: 1 }, ageless, NOW)).to.equal(false);
    expect(isSelected({ newerThanMs: 1e15 }, ageless, NOW)).to.equal(false);
    expect(isSelected({ namePrefix: "preview" }, ageless, NOW)).to.equal(true);
  });

  it("never count a control plane as newer whose creation lies ahead of every clock", () => {
    const ahead = (ms: number) => ({ ...PLANE, createdAtMs: NOW_MS + ms });
    expect(isSelected({ newerThanMs: HOUR_MS }, ahead(HOUR_MS), NOW)).to.equal(true);
    expect(isSelected({ newerThanMs: HOUR_MS }, ahead(HOUR_MS + 1), NOW)).to.equal(false);
  });

  it("take the age that selects less when two clocks disagree", () => {
    const skewed = { earliestMs: NOW_MS - 6 * HOUR_MS, latestMs: NOW_MS + 6 * HOUR_MS };
    expect(isSelected({ olderThanMs: 9 * HOUR_MS }, PLANE, skewed)).to.equal(false);
    expect(isSelected({ olderThanMs: 3 * HOUR_MS }, PLANE, skewed)).to.equal(true);
    expect(isSelected({ newerThanMs: 11 * HOUR_MS }, PLANE, skewed)).to.equal(false);
    expect(isSelected({ newerThanMs: 17 * HOUR_MS }, PLANE, skewed)).to.equal(true);
  });

  it("stop a control plane without a cluster type when one is asked for", () => {
    const { id, name, labels, createdAtMs } = PLANE;
    const typeless = { id, name, labels, createdAtMs };
    expect(isSelected({ clusterType: "CLUSTER_TYPE_CONTROL_PLANE" }, typeless, NOW)).to.equal(false);
  });

  it("ask the service for what it knows: labels, a part of the name, and the cluster type", () => {
    const filters = {
      labels: { env: "preview", team: "x" },
      namePrefix: "preview-",
      clusterType: "CLUSTER_TYPE_HYBRID",
      olderThanMs: 1,
      newerThanMs: 2,
    };
    expect(askedFilter(filters)).to.deep.equal({
      labels: { env: "preview", team: "x" },
      nameContains: "preview-",
      clusterType: "CLUSTER_TYPE_HYBRID",
    });
    expect(askedFilter({ olderThanMs: 1 })).to.deep.equal({});
  });

  it("do not ask the service for labels that a query cannot express", () => {
    const labels = { "a,b": "1", team: "a,b", "c:d": "1", e: "f:g", h: "", i: "j k", env: "preview" };
    expect(askedFilter({ labels })).to.deep.equal({ labels: { env: "preview" } });
    expect(askedFilter({ labels: { team: "a,b" } })).to.deep.equal({});
  });
});
