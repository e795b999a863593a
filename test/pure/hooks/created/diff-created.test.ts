import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { CREATION_ARGUMENTS } from "../../../../provider/hooks/arguments/creation-arguments.js";
import { check } from "../../../../provider/hooks/check.js";
import { createResource, diffResource, updateResource } from "../../../../provider/hooks/resource.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import { GUARD_ARGUMENTS } from "../../../../provider/state/recorded-fields.js";
import {
  errorOf,
  EU,
  facts,
  failure,
  FakeContext,
  gone,
  ID,
  OTHER_ID,
  UNKNOWN,
  US,
  beside,
} from "../fake-context.js";
import { contextWith, edge, foundEdge, PROXIES, recordedEdge } from "./created-scene.js";

const inputs = { name: "edge", region: "eu" };
const outputs = { ...recordedEdge, __given: "region" };
const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";

/** A member of the group that the state does not record. */
const FOREIGN_ID = "e3107b9c-48a6-4d5f-92c1-7fb6a05d8e24";

/** A context in which the program declares the resource, as in a preview. */
function previewing(args: object = inputs): FakeContext {
  const context = contextWith();
  check(context, { ...args });
  return context;
}

const diff = (news: object, olds: object = outputs, context = previewing(news)) =>
  diffResource(context, ID, { ...olds }, { ...news });

describe("comparing a created control plane with the program", () => {
  const same: readonly (readonly [what: string, olds: object, news: object])[] = [
    ["what was created", outputs, inputs],
    [
      "what the service filled in",
      { ...outputs, description: "of the service", labels: { a: "b" }, proxyUrls: PROXIES },
      inputs,
    ],
    ["an empty description", outputs, { ...inputs, description: "" }],
    ["empty labels and no proxies", outputs, { ...inputs, labels: {}, proxyUrls: [] }],
    [
      "a description that the service left out",
      { ...outputs, description: undefined },
      { ...inputs, description: "" },
    ],
    [
      "labels in another order",
      { ...outputs, labels: { a: "1", b: "2" }, __given: "labels,region" },
      { ...inputs, labels: { b: "2", a: "1" } },
    ],
    [
      "proxies in another order",
      { ...outputs, proxyUrls: PROXIES, __given: "proxyUrls,region" },
      { ...inputs, proxyUrls: [PROXIES[1], PROXIES[0]] },
    ],
    ["the address of the region", outputs, { name: "edge", baseUrl: `${EU}/` }],
    [
      "the type that the service said",
      outputs,
      { ...inputs, clusterType: "CLUSTER_TYPE_CONTROL_PLANE", cloudGateway: false },
    ],
    [
      "a type that the service calls something else",
      { ...outputs, __asked: { clusterType: "CLUSTER_TYPE_HYBRID" } },
      { ...inputs, clusterType: "CLUSTER_TYPE_HYBRID" },
    ],
    [
      "a type that the service never said",
      { ...outputs, clusterType: undefined },
      { ...inputs, clusterType: GROUP },
    ],
  ];
  for (const [what, olds, news] of same) {
    it(`finds no change and sends nothing: ${what}`, async () => {
      const context = previewing(news);
      expect(await diff(news, olds, context)).to.deep.equal({ changes: false });
      expect([context.reads, context.checks, context.lines]).to.deep.equal([[], [], []]);
    });
  }

  it("does not know while a value is not known", async () => {
    for (const news of [
      { ...inputs, description: UNKNOWN },
      { ...inputs, labels: { team: UNKNOWN } },
      { ...inputs, name: UNKNOWN },
      { name: "edge", region: UNKNOWN },
    ]) {
      expect(await diff(news), JSON.stringify(news)).to.deep.equal({});
    }
  });

  it("knows of a change although another value is not known", async () => {
    expect(await diff({ ...inputs, description: UNKNOWN, authType: "pki_client_certs" })).to.deep.equal({
      changes: true,
    });
  });

  it("shows the last problem of a control plane that is about to be changed, once in a run", async () => {
    const lastProblem = {
      status: 403,
      title: "Permission denied",
      detail: "The role-set of [sa-ci] does not allow this action.",
      instance: "konnect:trace:1",
    };
    const news = { ...inputs, description: "new" };
    const context = previewing(news);
    await diff(news, { ...outputs, lastProblem }, context);
    await diff(news, { ...outputs, lastProblem }, context);
    expect(context.lines).to.deep.equal([
      `control plane "edge" (${ID}) is about to be changed: description. Last problem: 403 Permission denied. The role-set of [sa-ci] does not allow this action. (konnect:trace:1)`,
    ]);
  });

  it("does not show the last problem of a control plane that does not change", async () => {
    const context = previewing();
    const olds = { ...outputs, lastProblem: { status: 403, title: "Permission denied" } };
    expect(await diff(inputs, olds, context)).to.deep.equal({ changes: false });
    expect(context.lines).to.deep.equal([]);
  });

  it("notes that a value of the service is now one of the program, so that it can be emptied later", async () => {
    const olds = { ...outputs, description: "by hand" };
    expect(await diff({ ...inputs, description: "by hand" }, olds)).to.deep.equal({ changes: true });
  });

  it("says that the settings name another address than the recorded one, which counts", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    check(context, { name: "edge" });
    expect(await diff({ name: "edge" }, recordedEdge, context)).to.deep.equal({ changes: false });
    expect(context.lines).to.deep.equal([
      `control plane "edge" (${ID}) stays at ${EU}, where it was created; the settings now say ${US}`,
    ]);
  });
});

describe("a change that replaces a created control plane", () => {
  it("says in plain words which one will be deleted, with its name and labels, and deletes first", async () => {
    const news = { ...inputs, clusterType: GROUP };
    const context = previewing(news);
    context.reading = foundEdge({ labels: { team: "payments", "pulumi-creation-id": "x" } });
    expect(await diff(news, outputs, context)).to.deep.equal({
      changes: true,
      replaces: ["clusterType"],
      deleteBeforeReplace: true,
    });
    expect(context.lines).to.deep.equal([
      `control plane "edge" (${ID}) will be DELETED and replaced by a new one. It is "edge". Its labels are team=payments. Changed: clusterType from CLUSTER_TYPE_CONTROL_PLANE to ${GROUP}. This cannot be changed in place.`,
    ]);
    expect(context.reads).to.have.length(1);
  });

  for (const [what, news, replaces, deletesFirst] of [
    ["the cloud gateway", { ...inputs, cloudGateway: true }, ["cloudGateway"], true],
    ["the type and the name", { ...inputs, name: "new", clusterType: GROUP }, ["clusterType"], false],
    [
      "the type and the case of the name",
      { ...inputs, name: "EDGE", clusterType: GROUP },
      ["clusterType"],
      true,
    ],
    ["the region", { name: "edge", region: "us" }, ["region"], false],
    ["the address", { name: "edge", baseUrl: US }, ["baseUrl"], false],
    [
      "all",
      { name: "edge", baseUrl: US, clusterType: GROUP, cloudGateway: true },
      ["clusterType", "cloudGateway", "baseUrl"],
      false,
    ],
  ] as const) {
    it(`deletes ${deletesFirst ? "first" : "last"} when the program changes ${what}`, async () => {
      expect(await diff(news)).to.deep.equal({ changes: true, replaces, deleteBeforeReplace: deletesFirst });
    });
  }

  it("is shown also when the control plane cannot be read", async () => {
    const news = { ...inputs, cloudGateway: true };
    const context = previewing(news);
    context.reading = failure("forbidden", 403, "Permission denied");
    expect(await diff(news, outputs, context)).to.include({ changes: true });
    expect(context.lines[0]).to.contain("the service says: 403 Permission denied.");
    context.reading = gone;
    expect(await diff(news, outputs, context)).to.include({ changes: true });
  });

  it("is refused in the preview when a guard forbids the deletion", async () => {
    const news = { ...inputs, cloudGateway: true, onlyIfLabels: { env: "preview" } };
    const olds = { ...outputs, onlyIfLabels: { env: "preview" } };
    const error = await errorOf(() => diff(news, olds));
    expect(error).to.include({ kind: "guarded" });
    expect(error.message).to.match(/^Labels no longer match: control plane "edge" .* was not deleted\n/);
  });

  it("is shown when a guard cannot be asked, because the deletion asks again", async () => {
    const news = { ...inputs, cloudGateway: true, deletionPolicy: "empty" };
    const context = previewing(news);
    context.entities = failure("forbidden", 403, "Permission denied");
    expect(await diff(news, { ...outputs, deletionPolicy: "empty" }, context)).to.include({ changes: true });
    expect(context.lines[0]).to.contain("Its guards could not be checked yet: 403 Permission denied.");
  });

  it("asks the guards again before it deletes", async () => {
    const news = { ...inputs, cloudGateway: true };
    const olds = { ...outputs, deletionPolicy: "empty" };
    const context = previewing(news);
    await diff(news, olds, context);
    context.entities = { services: { count: 1, hasMore: false } };
    expect(await errorOf(() => deleteResource(context, ID, olds))).to.include({ kind: "guarded" });
    expect(context.deletes).to.deep.equal([]);
  });
});

describe("deleting a created control plane", () => {
  it("is done when it is replaced, although the program declares its name", async () => {
    const news = { ...inputs, cloudGateway: true };
    const context = previewing(news);
    await diff(news, outputs, context);
    await deleteResource(context, ID, outputs);
    expect(context.deletes).to.have.length(1);
  });

  it("is refused when its resource was renamed, because the new one could not take its name", async () => {
    for (const name of ["edge", "Edge"]) {
      const context = contextWith();
      check(beside(context, "renamed"), { ...inputs, name });
      const error = await errorOf(() => deleteResource(context, ID, outputs));
      expect(error.message).to.match(/^Still declared: control plane "edge" .* was not deleted\n/);
      expect(error.message).to.contain('resource "renamed"');
      expect(context.deletes).to.deep.equal([]);
    }
  });

  it("is done when the program declares the name at another address, or none at all", async () => {
    for (const args of [
      { name: "edge", region: "us" },
      { name: "other", region: "eu" },
    ]) {
      const context = contextWith();
      check(beside(context), args);
      await deleteResource(context, ID, outputs);
      expect(context.deletes).to.have.length(1);
    }
  });
});

describe("a resource that changes between adopting and creating", () => {
  it("is refused when it was created, and both ways out are named", async () => {
    for (const controlPlaneId of [ID, "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", UNKNOWN]) {
      const error = await errorOf(() => diff({ controlPlaneId, region: "eu" }));
      expect(error).to.include({ kind: "settings", summary: "refused, created before" });
      expect(error.message).to.match(
        new RegExp(
          `^Refused: control plane "edge" \\(${ID}\\) was created by this resource, which cannot switch to adopting\n`,
        ),
      );
      expect(error.message.includes("it is this control plane already")).to.equal(controlPlaneId === ID);
      expect(error.message).to.contain("pulumi state delete");
    }
  });

  it("is refused when it was adopted", async () => {
    const error = await errorOf(() => diff(inputs, { baseUrl: EU, name: "edge" }));
    expect(error).to.include({ kind: "settings", summary: "refused, adopted before" });
    expect(error.message).to.contain(`set controlPlaneId: "${ID}" again instead of name`);
  });

  it("is adopted by a state without a mark, as every old state is", async () => {
    const adopting = { controlPlaneId: ID, region: "eu" };
    expect(await diff(adopting, { baseUrl: EU, name: "edge" })).to.deep.equal({ changes: false });
    const context = contextWith();
    expect((await createResource(context, adopting)).outs).to.deep.equal({ baseUrl: EU, name: "edge" });
  });
});

/** For each argument: what is recorded, and another value that the program gives. */
const ARGUMENTS: Readonly<Record<string, readonly [recorded: unknown, other: unknown]>> = {
  name: ["edge", "renamed"],
  description: ["old", "new"],
  labels: [{ team: "payments" }, { team: "billing" }],
  authType: ["pinned_client_certs", "pki_client_certs"],
  proxyUrls: [PROXIES, [PROXIES[0]]],
  clusterType: ["CLUSTER_TYPE_CONTROL_PLANE", GROUP],
  cloudGateway: [false, true],
  region: [undefined, "us"],
  baseUrl: [undefined, US],
  onlyIfLabels: [{ env: "a" }, { env: "b" }],
  deletionPolicy: ["empty", "no-connected-nodes"],
  detachMembers: [true, false],
  keepLabel: ["keep", "stay"],
  deleteAfterLabel: ["delete-after", "until"],
  members: [[ID], [ID, OTHER_ID]],
};

/** What an argument is given together with. */
const TOGETHER: Readonly<Record<string, object>> = { members: { clusterType: GROUP } };

describe("docs/behavior.md", () => {
  it("says what a change of each argument does, as the code does", async () => {
    const page = readFileSync(path.resolve(__dirname, "../../../../docs/behavior.md"), "utf8");
    const [, table = ""] = /<!-- changes -->\n\n([^]*?)\n\n<!-- end of changes -->/.exec(page) ?? [];
    const rows = table
      .split("\n")
      .slice(2)
      .flatMap((line) => {
        const [, names = "", ...cells] = line.split("|").map((cell) => cell.trim());
        return names.split(", ").map((name) => [name.replaceAll("`", ""), ...cells.slice(0, 3)] as const);
      });
    const known = ["region", "baseUrl", ...CREATION_ARGUMENTS, ...GUARD_ARGUMENTS];
    expect(rows.map(([name]) => name)).to.have.members(known);
    expect(Object.keys(ARGUMENTS)).to.have.members(known);
    for (const [name, changed, dropped, never] of rows) {
      const [recorded, other] = ARGUMENTS[name]!;
      const together = TOGETHER[name];
      const olds = { ...recordedEdge, ...together, ...(recorded !== undefined && { [name]: recorded }) };
      const given = { ...olds, __given: name };
      const cells = [
        [changed, given, { name: "edge", ...together, [name]: other }],
        [dropped, given, { name: "edge", ...together }],
        [never, olds, { name: "edge", ...together }],
      ] as const;
      for (const [effect, state, news] of cells.filter(([text]) => text !== "–")) {
        expect(await effectOf(state, news), `${name} ${JSON.stringify(news)}`).to.equal(effect);
      }
    }
  });
});

async function effectOf(olds: object, news: object): Promise<string> {
  const context = previewing(news);
  context.reading = foundEdge({ labels: { env: "a" } });
  const { changes, replaces } = await diff(news, olds, context);
  if (replaces !== undefined) return "replaced";
  if (changes !== true) return "left alone";
  context.changes = [{ controlPlane: { ...edge, ...news }, facts }];
  context.members = [ID, FOREIGN_ID];
  await updateResource(context, ID, { ...olds }, { ...news });
  const [change] = context.memberChanges;
  if (change?.[1] === "remove") {
    expect(change[2], "the members that the state does not record stay").to.deep.equal([ID]);
    return "recorded members are removed";
  }
  if (change !== undefined) return "changed in place";
  const [sent] = context.updates.map((update): readonly unknown[] => Object.values(update.changes));
  if (sent === undefined) return "recorded";
  return sent.every((value) =>
    ["", "{}", "[]"].includes(typeof value === "string" ? value : JSON.stringify(value)),
  )
    ? "emptied"
    : "changed in place";
}
