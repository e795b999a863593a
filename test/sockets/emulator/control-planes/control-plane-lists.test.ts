import { expect } from "chai";
import type { ProblemDocument } from "../../../../emulator/index.js";
import { id, other, RunningEmulator, token } from "../running-emulator.js";

describe("a list of the emulator's control planes", () => {
  const running = new RunningEmulator();

  const list = async (query: string) => {
    const { text } = await running.list({ path: `/control-planes?${query}` });
    return JSON.parse(text) as { meta: object; data: { name: string }[] };
  };
  const names = async (query: string): Promise<string[]> => (await list(query)).data.map(({ name }) => name);

  it("has ten control planes on a page by default, in the order of their creation, and counts all", async () => {
    for (let at = 2; at <= 23; at += 1) running.emulator.add({ name: `edge-${at}` });
    const { meta, data } = await list("");
    expect(meta).to.deep.equal({ page: { number: 1, size: 10, total: 23 } });
    expect(data.map(({ name }) => name)).to.deep.equal([
      "edge",
      ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => `edge-${at}`),
    ]);
    expect(await names("page[size]=10&page[number]=3")).to.deep.equal(["edge-21", "edge-22", "edge-23"]);
    expect(await names("page[size]=100")).to.have.length(23);
    expect(await names("page[number]=4")).to.deep.equal([]);
  });

  it("leaves out what the role may not read, and does not count it", async () => {
    running.emulator.add({ id: other, name: "core" });
    running.emulator.grant(token, { name: "some", deny: { read: [id] } });
    expect(await names("")).to.deep.equal(["core"]);
    expect((await list("")).meta).to.deep.equal({ page: { number: 1, size: 10, total: 1 } });
  });

  it("is empty, not forbidden, for a role that may read nothing", async () => {
    running.emulator.grant(token, { name: "viewer", read: false });
    expect((await running.list()).status).to.equal(200);
    expect(await names("")).to.deep.equal([]);
  });

  it("is filtered by name, by a part of the name, by id and by labels", async () => {
    running.emulator.add({ id: other, name: "edge-eu", labels: { team: "payments", tier: "1" } });
    expect(await names("filter[name][eq]=edge")).to.deep.equal(["edge"]);
    expect(await names("filter[name]=edge")).to.deep.equal(["edge"]);
    expect(await names("filter[name][contains]=edge")).to.deep.equal(["edge", "edge-eu"]);
    expect(await names(`filter[id][eq]=${other.toUpperCase()}`)).to.deep.equal(["edge-eu"]);
    expect(await names("labels=team:payments,tier")).to.deep.equal(["edge-eu"]);
    expect(await names("labels=team:payments,region")).to.deep.equal([]);
    expect(await names("labels=team:other")).to.deep.equal([]);
    expect(await names("filter[name][contains]=edge&labels=tier:1")).to.deep.equal(["edge-eu"]);
  });

  const third = "3f8c2a10-77aa-4c3e-9d55-0a1b2c3d4e5f";
  const addTwoMore = (): void => {
    running.emulator.add({
      id: other,
      name: "group",
      age: "2w",
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
      labels: { env: "preview", team: "payments" },
    });
    running.emulator.add({
      id: third,
      name: "cloud",
      age: "36h",
      clusterType: "CLUSTER_TYPE_SERVERLESS_V1",
      cloudGateway: true,
      labels: { env: "preview", team: "search" },
    });
  };

  const queries: readonly (readonly [query: string, names: readonly string[]])[] = [
    [`filter[id][oeq]=${third.toUpperCase()},${id},${third}`, ["edge", "cloud"]],
    ["filter[name][neq]=edge", ["group", "cloud"]],
    ["filter[cluster_type][eq]=CLUSTER_TYPE_CONTROL_PLANE_GROUP", ["group"]],
    ["filter[cluster_type][neq]=CLUSTER_TYPE_CONTROL_PLANE_GROUP", ["edge", "cloud"]],
    ["filter[cluster_type][oeq]=CLUSTER_TYPE_SERVERLESS_V1,CLUSTER_TYPE_CONTROL_PLANE", ["edge", "cloud"]],
    ["filter[cloud_gateway]=true", ["cloud"]],
    ["filter[cloud_gateway]=false", ["edge", "group"]],
    ["filter[cloud_gateway]=false&filter[name][neq]=edge", ["group"]],
    ["labels=env:preview,team:payments", ["group"]],
    ["labels=env:preview", ["group", "cloud"]],
    ["filter[cluster_type][eq]=CLUSTER_TYPE_HYBRID", []],
    ["filter[cluster_type][neq]=CLUSTER_TYPE_HYBRID", ["edge", "group", "cloud"]],
    ["filter[cluster_type][oeq]=CLUSTER_TYPE_HYBRID,CLUSTER_TYPE_SERVERLESS_V1", ["cloud"]],
    ["sort=created_at", ["group", "cloud", "edge"]],
    ["sort=created_at%20asc", ["group", "cloud", "edge"]],
    ["sort=created_at%20desc,created_at%20asc", ["edge", "cloud", "group"]],
    ["sort=created_at,%20created_at%20desc", ["group", "cloud", "edge"]],
    ["sort=created_at%20desc", ["edge", "cloud", "group"]],
    ["sort=created_at+desc&page[size]=1&page[number]=2", ["cloud"]],
  ];
  for (const [query, expected] of queries) {
    it(`holds ${expected.join(" and ")} of three control planes with the query ${query}`, async () => {
      addTwoMore();
      expect(await names(query)).to.deep.equal(expected);
    });
  }

  it("counts only what the filters keep", async () => {
    addTwoMore();
    const { meta } = await list("filter[name][neq]=edge&page[size]=1");
    expect(meta).to.deep.equal({ page: { number: 1, size: 1, total: 2 } });
  });

  it("counts pages in place of control planes with the option listTotal", async () => {
    await running.restart({
      listTotal: "pages",
      controlPlanes: Array.from({ length: 23 }, (_, at) => ({ name: `edge-${at}` })),
    });
    expect((await list("page[size]=10")).meta).to.deep.equal({ page: { number: 1, size: 10, total: 3 } });
    expect((await list("page[size]=10&page[number]=3")).data).to.have.length(3);
    expect((await list("page[size]=100")).meta).to.deep.equal({ page: { number: 1, size: 100, total: 1 } });
  });

  it("shows changed labels, and is filtered by them", async () => {
    addTwoMore();
    running.emulator.change(other.toUpperCase(), { labels: { env: "production" } });
    expect(await names("labels=env:preview")).to.deep.equal(["cloud"]);
    expect(await names("labels=env:production")).to.deep.equal(["group"]);
    expect(await names("labels=team:payments")).to.deep.equal([]);
    expect(await names("")).to.deep.equal(["edge", "group", "cloud"]);
  });

  const refused: readonly (readonly [query: string, entry: object])[] = [
    [
      `filter[id][oeq]=${id},x`,
      { field: "filter[id][oeq]", reason: "must be a UUID", rule: "is_uuid", source: "query" },
    ],
    [
      "filter[cloud_gateway]=yes",
      {
        field: "filter[cloud_gateway]",
        reason: "must be true or false",
        rule: "is_boolean",
        source: "query",
      },
    ],
    [
      "sort=name",
      {
        field: "sort",
        reason: "must be one of created_at, created_at asc, created_at desc",
        rule: "enum",
        source: "query",
        choices: ["created_at", "created_at asc", "created_at desc"],
      },
    ],
    [
      "filter[name][eq]=a&filter[name][contains]=b",
      { field: "filter[name]", reason: "must have one operator", rule: "invalid", source: "query" },
    ],
    [
      "filter[labels]=a",
      {
        field: "filter[labels]",
        reason: "property filter[labels] should not exist",
        rule: "unknown_property",
        source: "query",
      },
    ],
  ];
  for (const [query, entry] of refused) {
    it(`is refused with the query ${query}`, async () => {
      const { status, text } = await running.list({ path: `/control-planes?${query}` });
      expect(status).to.equal(400);
      expect((JSON.parse(text) as ProblemDocument).invalid_parameters).to.deep.equal([entry]);
    });
  }

  it("is refused with an entry for every parameter that is wrong", async () => {
    const { status, text } = await running.list({
      path: "/control-planes?page[size]=101&page[number]=0&page[size2]=1&labels=a&labels=b",
    });
    expect(status).to.equal(400);
    const { invalid_parameters: entries } = JSON.parse(text) as ProblemDocument;
    expect(entries).to.deep.equal([
      {
        field: "page[size]",
        reason: "must not be more than 100",
        rule: "max",
        source: "query",
        maximum: 100,
      },
      { field: "page[number]", reason: "must not be less than 1", rule: "min", source: "query", minimum: 1 },
      {
        field: "page[size2]",
        reason: "property page[size2] should not exist",
        rule: "unknown_property",
        source: "query",
      },
      { field: "labels", reason: "must be given once", rule: "invalid", source: "query" },
    ]);
  });
});
