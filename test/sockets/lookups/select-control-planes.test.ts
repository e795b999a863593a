import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { selectControlPlanes } from "../../../provider/lookups/program-look-ups.js";
import { failureOf, lookUpScene, TOKEN } from "./look-up-scene.js";

const idOf = (n: number) => `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
const TEAM_A = { team: "a" };

/** 250 control planes whose names sort against their order of creation. Every second one is of team a. */
const MANY = Array.from({ length: 250 }, (_, at) => ({
  id: idOf(at),
  name: `plane-${String(999 - at)}`,
  labels: { team: at % 2 === 0 ? "a" : "b" },
}));

describe("a selection among more control planes than a page holds", () => {
  const scene = lookUpScene(MANY);
  const listings = () => scene().emulator.requests.filter(({ method }) => method === "GET").length;

  it("finds all of them, sorted by name", async () => {
    const found = await selectControlPlanes({ namePrefix: "plane-" });
    expect(found.map(({ name }) => name)).to.deep.equal(MANY.map(({ name }) => name).reverse());
    expect(listings(), "three pages, read twice").to.equal(6);
  });

  it("asks the service for labels, so that fewer pages are read", async () => {
    const found = await selectControlPlanes({ labels: TEAM_A });
    expect(found).to.have.length(125);
    expect(listings(), "two pages, read twice").to.equal(4);
  });

  it("finds all of them although the service counts pages where it should count control planes", async () => {
    const data = MANY.map(({ id, name, labels }) => ({ id, name, labels }));
    scene().emulator.script(
      { operation: "list-control-planes" },
      ...[1, 2, 3].map((number) => ({
        body: {
          meta: { page: { number, size: 100, total: 3 } },
          data: data.slice(100 * (number - 1), 100 * number),
        },
      })),
    );
    expect(await selectControlPlanes({ namePrefix: "plane-" })).to.have.length(250);
  });

  it("is not widened by a service that ignores its filters", async () => {
    const { emulator } = scene();
    const data = [...emulator.controlPlanes.values()].slice(0, 10);
    emulator.script(
      { operation: "list-control-planes" },
      { body: { meta: { page: { number: 1, size: 100, total: 10 } }, data } },
    );
    const found = await selectControlPlanes({ labels: TEAM_A, namePrefix: "plane-99" });
    expect(found.map(({ name }) => name)).to.deep.equal([
      "plane-991",
      "plane-993",
      "plane-995",
      "plane-997",
      "plane-999",
    ]);
  });

  it("fails with a bounded list of what matches when that is more than atMost", async () => {
    const { message } = await failureOf(selectControlPlanes({ labels: TEAM_A, atMost: 124 }));
    const lines = message.split("\n");
    expect(lines.slice(0, 3)).to.deep.equal([
      `Too many: 125 control planes at ${scene().emulator.baseUrl} match, and atMost is 124`,
      "  Nothing is selected. These match:",
      `  - control plane "plane-751" (${idOf(248)}), 0 min old`,
    ]);
    expect(lines.slice(22)).to.deep.equal([
      "  … and 105 more",
      "",
      "  next      narrow the filters, exclude what has to stay, or raise atMost, then run again",
    ]);
  });

  it("succeeds with exactly atMost or atLeast control planes", async () => {
    expect(await selectControlPlanes({ labels: TEAM_A, atMost: 125, atLeast: 125 })).to.have.length(125);
  });

  it("fails with a bounded list of what matches when that is less than atLeast", async () => {
    const { message } = await failureOf(selectControlPlanes({ labels: TEAM_A, atLeast: 126 }));
    const lines = message.split("\n");
    expect(lines.slice(0, 3)).to.deep.equal([
      `Too few: 125 control planes at ${scene().emulator.baseUrl} match, and atLeast is 126`,
      "  Nothing is selected. These match:",
      `  - control plane "plane-751" (${idOf(248)}), 0 min old`,
    ]);
    expect(lines.slice(22)).to.deep.equal([
      "  … and 105 more",
      "",
      "  next      widen the filters, lower atLeast, or use a token that may read more, then run again",
    ]);
  });
});

describe("a selection", () => {
  const scene = lookUpScene([
    { id: idOf(1), name: "b", labels: { env: "preview", who: "x, y" }, createdAt: "2025-01-05T10:00:00Z" },
    { id: idOf(2), name: "a", labels: { env: "preview" }, age: "2h" },
    { id: idOf(3), name: "c", clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP", age: "10d" },
  ]);
  const names = async (...args: Parameters<typeof selectControlPlanes>) =>
    (await selectControlPlanes(...args)).map(({ name }) => name);

  it("returns what the service says of each control plane, and nobody can change it", async () => {
    const found = await selectControlPlanes({ olderThan: "11d" });
    expect(found).to.deep.equal([
      {
        id: idOf(1),
        name: "b",
        labels: { env: "preview", who: "x, y" },
        clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
        createdAt: "2025-01-05T10:00:00.000Z",
        baseUrl: scene().emulator.baseUrl,
      },
    ]);
    expect([found, found[0], found[0]?.labels].every(Object.isFrozen)).to.equal(true);
  });

  it("filters by age, by cluster type, and by labels that a query cannot express", async () => {
    expect(await names({ olderThan: "7d" })).to.deep.equal(["b", "c"]);
    expect(await names({ newerThan: "3h" })).to.deep.equal(["a"]);
    expect(await names({ olderThan: "1w", newerThan: "2w" })).to.deep.equal(["c"]);
    expect(await names({ clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP" })).to.deep.equal(["c"]);
    expect(await names({ labels: { who: "x, y" } })).to.deep.equal(["b"]);
  });

  it("leaves out what is excluded by its id, its name or a label, and counts the rest", async () => {
    const all = { olderThan: "1h" };
    expect(await names(all)).to.deep.equal(["a", "b", "c"]);
    expect(await names({ ...all, exclude: { ids: [idOf(1).toUpperCase()] } })).to.deep.equal(["a", "c"]);
    expect(await names({ ...all, exclude: { names: ["A", "x"], labels: {} } })).to.deep.equal(["b", "c"]);
    const labels = { ENV: "Preview" };
    expect(await names({ ...all, exclude: { labels }, atMost: 1, atLeast: 1 })).to.deep.equal(["c"]);
    const { message } = await failureOf(selectControlPlanes({ ...all, exclude: { labels }, atLeast: 2 }));
    const { baseUrl } = scene().emulator;
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      `Too few: 1 control plane at ${baseUrl} matches, and atLeast is 2`,
      "  Nothing is selected. These match:",
      `  - control plane "c" (${idOf(3)}), 10 d old`,
    ]);
  });

  it("fails when nothing matches and atLeast is given", async () => {
    const { message } = await failureOf(selectControlPlanes({ labels: { env: "nothing" }, atLeast: 1 }));
    const { baseUrl } = scene().emulator;
    expect(message.split("\n")[0]).to.equal(
      `Too few: no control plane at ${baseUrl} matches, and atLeast is 1`,
    );
  });

  it("may be empty", async () => {
    expect(await selectControlPlanes({ labels: { env: "nothing" }, atMost: 1 })).to.deep.equal([]);
  });

  it("repeats a temporary failure, and says so on the console", async () => {
    const { emulator, lines } = scene();
    emulator.script({ operation: "list-control-planes" }, { status: 503 });
    expect(await names({ olderThan: "7d" })).to.deep.equal(["b", "c"]);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(
      /^503, retry 2 of 10 in \d\.\d s: the control planes at http:\S+ Service Unavailable/,
    );
  });

  it("fails within its retry budget when the service does not recover", async () => {
    const { emulator, configure } = scene();
    configure({ "konnect:retryBudgetSeconds": "1" });
    emulator.script({}, { status: 503, times: Infinity });
    const { message } = await failureOf(selectControlPlanes({ olderThan: "7d" }));
    expect(message).to.match(
      /^503 Service Unavailable.*: the control planes at http:\S+ could not be listed\n/,
    );
  });

  it("fails with the service's own words when the token is refused, and without the token", async () => {
    const { emulator } = scene();
    emulator.revoke(TOKEN);
    const { message } = await failureOf(selectControlPlanes({ olderThan: "7d" }));
    expect(message).to.match(/^401 .*: the control planes at http:\S+ could not be listed\n/);
    expect(message).to.contain("from stack configuration konnect:token").and.not.to.contain(TOKEN);
  });

  it("sends nothing when its arguments are wrong", async () => {
    const { message } = await failureOf(selectControlPlanes({ region: "EU", olderThan: "soon" }));
    expect(message).to.equal(
      [
        'selectControlPlanes: olderThan must be a whole number from 1 to 99999 with m, h, d or w, for example 90m, 36h, 7d or 2w, not "soon"',
        '  region is not a known region; did you mean "eu"? (rule enum, one of us, eu, au, me, in, sg)',
        "",
        "  next      correct that, then run again; nothing was sent",
      ].join("\n"),
    );
    expect(scene().emulator.requests).to.deep.equal([]);
  });

  it("sends nothing when its argument is an Output", async () => {
    const args = pulumi.output({ olderThan: "7d" }) as unknown as { olderThan: string };
    expect((await failureOf(selectControlPlanes(args))).message).to.match(
      /^selectControlPlanes: its arguments must be plain values, not an Output or a promise/,
    );
  });

  it("sends nothing when a setting is unusable", async () => {
    const { emulator, configure } = scene();
    configure({ "konnect:maxAttempts": "many" });
    const { message } = await failureOf(selectControlPlanes({ olderThan: "7d" }));
    expect(message).to.match(
      /^the control planes at \S+ could not be listed: stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"/,
    );
    expect(emulator.requests).to.deep.equal([]);
  });

  it("names every place for an address when there is none", async () => {
    scene().configure({ "konnect:baseUrl": "" });
    const { message } = await failureOf(selectControlPlanes({ olderThan: "7d" }));
    expect(message).to.match(
      /^selectControlPlanes: region is required: set region or baseUrl here, konnect:region/,
    );
  });

  it("uses the settings of its own call when the stack configuration differs", async () => {
    const { emulator, configure } = scene();
    const before = selectControlPlanes({ olderThan: "7d" });
    configure({ "konnect:token": "spat_other" });
    const after = failureOf(selectControlPlanes({ olderThan: "7d" }));
    expect(await before).to.have.length(2);
    expect((await after).message).to.match(/^401 /);
    expect(emulator.requests).to.have.length(3);
  });
});

describe("a selection at an address that is not the one in the environment", () => {
  const scene = lookUpScene([{ id: idOf(1), name: "a" }], { KONNECT_REGION: "us" });

  it("says once that the argument wins", async () => {
    const { emulator, lines } = scene();
    for (let time = 0; time < 2; time += 1) {
      await selectControlPlanes({ baseUrl: emulator.baseUrl, namePrefix: "a" });
    }
    expect(lines).to.deep.equal([
      "KONNECT_REGION (https://us.api.konghq.com/v2) is not used: the argument baseUrl wins",
    ]);
  });
});
