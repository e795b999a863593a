import { mkdtempSync, readFileSync, existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import sinon from "sinon";
import { describeNoMatch } from "../../../provider/lookups/describe-selection.js";
import { selectControlPlanes } from "../../../provider/lookups/program-look-ups.js";
import { buildReport } from "../../../provider/report/report-model.js";
import { failureOf, lookUpScene } from "./look-up-scene.js";

const idOf = (n: number) => `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;

const PLANES = [
  { id: idOf(1), name: "pr-1", labels: { env: "preview", team: "a" }, age: "80h" },
  { id: idOf(2), name: "pr-2", labels: { env: "preview", team: "b" }, age: "2h" },
  { id: idOf(3), name: "pr-3", labels: { env: "preview", Keep: "Yes" }, age: "30d" },
  { id: idOf(4), name: "pr-4", labels: { env: "preview", "delete-after": "2025-12-24" }, age: "1h" },
  { id: idOf(5), name: "pr-5", labels: { env: "preview", "delete-after": "2199-12-24" }, age: "30d" },
  { id: idOf(6), name: "pr-6", labels: { env: "preview", "delete-after": "2026-02-30" }, age: "30d" },
  { id: idOf(7), name: "shop", labels: { env: "prod", "delete-after": "2025-12-24" }, age: "90d" },
];
const OWNERS = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
const PREVIEWS = { labels: { env: "preview" }, olderThan: "7d", ...OWNERS };
const UNREADABLE = `warning: control plane "pr-6" (${idOf(6)}) is kept: its label delete-after is "2026-02-30", which is no day such as 2026-12-24`;

const file = path.join(mkdtempSync(path.join(tmpdir(), "selections-")), "report.jsonl");
const recorded = () => buildReport([{ name: "r", text: readFileSync(file, "utf8") }]).selections ?? [];

describe("a selection that leaves owners the last word", () => {
  const scene = lookUpScene(PLANES, { KONNECT_REPORT_FILE: file });
  const place = () => scene().emulator.baseUrl;
  // The service may count pages, so a list can end with an empty one.
  const lists = () =>
    scene().emulator.requests.filter(({ path: asked }) =>
      decodeURIComponent(asked).includes("page[number]=1&"),
    ).length;
  const select = async (args: Parameters<typeof selectControlPlanes>[0]) =>
    (await selectControlPlanes(args)).map(({ name }) => name);
  afterEach(() => rmSync(file, { force: true }));
  after(() => rmSync(path.dirname(file), { recursive: true }));

  it("selects from the day on whatever the age is, keeps until the day, and says what it keeps", async () => {
    expect(await select(PREVIEWS)).to.deep.equal(["pr-4"]);
    expect(scene().lines).to.deep.equal([
      UNREADABLE,
      "1 of 6 control planes that match are selected; the others are kept: 1 by the label keep, 1 because the label delete-after holds no day, 1 until the day in the label delete-after, 2 by age",
    ]);
    expect(lists()).to.equal(1);
    expect(recorded()).to.have.length(1);
    expect(recorded()[0]).to.deep.include({
      selectionVersion: 1,
      address: place(),
      filters: ["labels env=preview", "olderThan 7d", "keepLabel keep", "deleteAfterLabel delete-after"],
      matched: 6,
      selected: 1,
      kept: { exclude: 0, keep: 1, unreadableDay: 1, deleteAfter: 1, age: 2 },
    });
    expect(recorded()[0]).not.to.have.property("why");
  });

  it("lets exclude win, and knows no owner without the names of the labels", async () => {
    expect(await select({ ...PREVIEWS, exclude: { names: ["pr-4"] } })).to.deep.equal([]);
    expect(await select({ labels: { env: "preview" }, olderThan: "7d" })).to.deep.equal([
      "pr-3",
      "pr-5",
      "pr-6",
    ]);
    expect(await select({ labels: { env: "preview" }, newerThan: "90m", ...OWNERS })).to.deep.equal(["pr-4"]);
  });

  it("refuses names of labels that are none, or the same", async () => {
    const wrong = await failureOf(
      selectControlPlanes({ ...PREVIEWS, keepLabel: "", deleteAfterLabel: "a b" }),
    );
    expect(wrong.message.split("\n").slice(0, 2)).to.deep.equal([
      "selectControlPlanes: keepLabel must be the name of a label, for example keep (rule invalid)",
      "  deleteAfterLabel must be the name of a label, for example keep (rule invalid)",
    ]);
    const same = await failureOf(selectControlPlanes({ ...PREVIEWS, keepLabel: "Delete-After" }));
    expect(same.message.split("\n")[0]).to.equal(
      "selectControlPlanes: deleteAfterLabel must be another label than keepLabel (rule invalid)",
    );
    expect(lists()).to.equal(0);
  });

  it("tells a day on which nothing is old enough from a filter that matches nothing", async () => {
    expect(await select({ ...PREVIEWS, labels: { team: "a" } })).to.deep.equal([]);
    expect(scene().lines).to.deep.equal([
      "Nothing is selected today: the 1 control plane that matches is kept: 1 by age",
      `  the oldest of those kept by age is control plane "pr-1" (${idOf(1)}), 3 d old`,
    ]);
    expect(lists()).to.equal(1);
    expect(recorded()[0]).to.deep.include({ matched: 1, selected: 0, why: "nothing today" });
  });

  it("names the next day and the youngest one that is too old", async () => {
    const names = ["pr-2", "pr-4"];
    expect(
      await select({ labels: { env: "preview" }, newerThan: "2d", ...OWNERS, exclude: { names } }),
    ).to.deep.equal([]);
    expect(scene().lines.slice(1)).to.deep.equal([
      "Nothing is selected today: all 6 control planes that match are kept: 2 by exclude, 1 by the label keep, 1 because the label delete-after holds no day, 1 until the day in the label delete-after, 1 by age",
      `  the youngest of those kept by age is control plane "pr-1" (${idOf(1)}), 3 d old`,
      "  the next of their days is 2199-12-24",
    ]);
  });

  it("says that all are excluded, and by what", async () => {
    const exclude = { names: ["PR-1"], labels: { env: "prod" } };
    expect(await select({ namePrefix: "pr-1", olderThan: "1h", exclude })).to.deep.equal([]);
    expect(scene().lines).to.deep.equal([
      "Nothing is selected: the 1 control plane that matches is kept: 1 by exclude",
    ]);
    expect(recorded()[0]).to.deep.include({ why: "all excluded" });
    expect(recorded()[0]?.filters).to.deep.equal([
      "namePrefix pr-1",
      "olderThan 1h",
      "exclude names PR-1, labels env=prod",
    ]);
  });

  it("warns of a filter that matches no control plane, with the labels that come near", async () => {
    expect(await select({ labels: { env: "preveiw", tier: "x" }, olderThan: "7d" })).to.deep.equal([]);
    expect(scene().lines).to.deep.equal([
      `warning: Nothing is selected: no control plane at ${place()} matches the labels env=preveiw, tier=x`,
      "  7 control planes are there",
      "  env=preveiw: near it env=preview (6)",
      "  tier=x: there is no label tier; there are env (7), delete-after (4), team (2), Keep (1)",
    ]);
    expect(lists()).to.equal(2);
    expect(recorded()[0]).to.deep.include({ matched: 0, selected: 0, why: "no match" });
    expect(recorded()[0]?.said?.[2]).to.equal("  env=preveiw: near it env=preview (6)");
  });

  it("says that each label exists, but on no control plane together", async () => {
    await select({
      labels: { env: "prod", team: "a" },
      namePrefix: "PR-",
      clusterType: "CLUSTER_TYPE_HYBRID",
    });
    expect(scene().lines.slice(1)).to.deep.equal([
      "  7 control planes are there",
      '  name prefix "PR-": names that contain it are "pr-1", "pr-2", "pr-3", "pr-4", "pr-5", and 1 more',
      "  cluster type CLUSTER_TYPE_HYBRID: there are CLUSTER_TYPE_CONTROL_PLANE",
    ]);
    await select({ labels: { env: "prod", team: "a" } });
    expect(scene().lines.slice(-1)).to.deep.equal(["  each of them has control planes, but none has all"]);
  });

  it("succeeds without the near labels when they cannot be listed", async () => {
    const { emulator } = scene();
    const empty = { meta: { page: { number: 1, size: 100, total: 0 } }, data: [] };
    emulator.script({ operation: "list-control-planes" }, { body: empty }, { status: 500 });
    expect(await select({ labels: { env: "x" } })).to.deep.equal([]);
    expect(scene().lines).to.deep.equal([
      `warning: Nothing is selected: no control plane at ${place()} matches the labels env=x`,
    ]);
  });

  it("records a selection that its limits refuse, and why", async () => {
    await failureOf(selectControlPlanes({ labels: { env: "preview" }, atMost: 5 }));
    await failureOf(selectControlPlanes({ labels: { env: "prod" }, atLeast: 2 }));
    expect(recorded().map(({ selected, why }) => [selected, why])).to.deep.equal([
      [6, "too many"],
      [1, "too few"],
    ]);
  });

  it("records nothing in a preview, and says the same", async () => {
    sinon.stub(pulumi.runtime, "isDryRun").returns(true);
    await select(PREVIEWS);
    expect(scene().lines).to.have.length(2);
    expect(existsSync(file)).to.equal(false);
  });
});

describe("the words about a selection that matches nothing", () => {
  it("name the regions that were not asked", () => {
    expect(describeNoMatch({ namePrefix: "pr-" }, "https://eu.api.konghq.com/v2", undefined)).to.deep.equal([
      'Nothing is selected: no control plane at https://eu.api.konghq.com/v2 matches the name prefix "pr-"',
      "the other regions were not asked: us, au, me, in, sg",
    ]);
  });
});

describe("a selection whose report file cannot be written", () => {
  const scene = lookUpScene(PLANES, { KONNECT_REPORT_FILE: tmpdir() });

  it("succeeds, and warns once", async () => {
    await selectControlPlanes({ labels: { env: "prod" } });
    await selectControlPlanes({ labels: { env: "prod" } });
    expect(scene().lines).to.deep.equal([
      `warning: the report file ${tmpdir()} cannot be written (EISDIR); the run goes on`,
    ]);
  });
});

describe("a selection in an organization without control planes", () => {
  const scene = lookUpScene([]);

  it("says that the token sees none", async () => {
    await selectControlPlanes({ olderThan: "7d" });
    expect(scene().lines).to.deep.equal([
      `warning: Nothing is selected: there is no control plane at ${scene().emulator.baseUrl}`,
      "  this token sees no control plane there at all; one of another organization, or without the role to read them, sees none either",
    ]);
    expect(scene().emulator.requests).to.have.length(1);
  });
});
