import { expect } from "chai";
import { listControlPlanes } from "../../../../../provider/service/operations/lists/list-control-planes.js";
import { urlOf } from "../../../../../provider/service/operations/operation.js";
import { ref, reply } from "../../answers.js";

const edge = { id: ref.id, name: "edge", labels: {} };
const parse = (body: string | object, more: object = {}) =>
  listControlPlanes({}, 1).parse(reply(200, body, more));

describe("listControlPlanes", () => {
  it("is a GET of one page of a hundred, the oldest first, which may be repeated", () => {
    expect(listControlPlanes({}, 3)).to.deep.include({
      name: "list-control-planes",
      method: "GET",
      path: "/control-planes",
      query: { "page[size]": "100", "page[number]": "3", sort: "created_at" },
      maxAnswerBytes: 8_388_608,
      idempotent: true,
    });
  });

  it("sends each filter as a query parameter", () => {
    const { query } = listControlPlanes(
      {
        ids: ["a", "b"],
        name: "edge",
        nameContains: "dg",
        clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
        labels: { env: "preview", team: "payments" },
      },
      1,
    );
    expect(query).to.deep.equal({
      "page[size]": "100",
      "page[number]": "1",
      sort: "created_at",
      "filter[id][oeq]": "a,b",
      "filter[name][eq]": "edge",
      "filter[name][contains]": "dg",
      "filter[cluster_type][eq]": "CLUSTER_TYPE_CONTROL_PLANE",
      labels: "env:preview,team:payments",
    });
  });

  it("sends no label filter for no labels, which would match nothing", () => {
    expect(listControlPlanes({ labels: {} }, 1).query).not.to.have.any.keys("labels");
  });

  it("fits a hundred ids into a URL of eight kilobytes", () => {
    const operation = listControlPlanes({ ids: Array<string>(100).fill(ref.id) }, 1);
    expect(urlOf(operation, ref.address).length).to.be.below(8_192);
  });

  it("reads the items, the size of a page and the total", () => {
    expect(parse({ data: [edge], meta: { page: { number: 1, size: 10, total: 41 } } })).to.deep.equal({
      kind: "result",
      result: { items: [edge], size: 10, total: 41 },
    });
  });

  it("counts no page as larger than what it asked for", () => {
    expect(parse({ data: [], meta: { page: { size: 1_000, total: 0 } } })).to.deep.equal({
      kind: "result",
      result: { items: [], size: 100, total: 0 },
    });
  });

  for (const meta of [undefined, null, "none", {}, { page: null }, { page: { size: "10", total: "2" } }]) {
    it(`does without a size and a total when meta is ${JSON.stringify(meta)}`, () => {
      expect(parse({ data: [], meta })).to.deep.equal({
        kind: "result",
        result: { items: [], size: 100, total: 0 },
      });
    });
  }

  for (const body of [
    "",
    "<html>",
    "[]",
    '{"data":[',
    {},
    { data: null },
    { data: {} },
    { items: [] },
    { data: [edge, { id: "edge", name: "edge" }] },
    { data: [edge, null] },
  ]) {
    it(`refuses ${JSON.stringify(body)}`, () => expect(parse(body)).to.deep.equal({ kind: "foreign" }));
  }

  for (const bodyEnd of ["too large", "broken off", "withheld"] as const) {
    it(`refuses a list whose body is ${bodyEnd}`, () => {
      expect(parse({ data: [edge] }, { bodyEnd })).to.deep.equal({ kind: "foreign" });
    });
  }

  for (const status of [201, 202, 203, 206]) {
    it(`refuses a list that comes with ${status}`, () => {
      const page = reply(status, { data: [edge] });
      expect(listControlPlanes({}, 1).parse(page)).to.deep.equal({ kind: "foreign" });
    });
  }
});
