import { expect } from "chai";
import { urlOf } from "../../../../provider/service/http/address.js";
import { parseControlPlaneId } from "../../../../provider/service/operations/control-plane-document.js";
import {
  confirmDeletion,
  controlPlanePath,
  deleteControlPlane,
  describeBriefly,
  describeControlPlane,
  describeSubject,
  getControlPlane,
  listControlPlanes,
} from "../../../../provider/service/operations/control-planes.js";
import { found, ref, reply } from "../answers.js";

const { id } = ref;

describe("parseControlPlaneId", () => {
  it("returns a UUID in lower case", () => {
    expect(parseControlPlaneId(id.toUpperCase())).to.equal(id);
    expect(parseControlPlaneId(id)).to.equal(id);
  });

  for (const text of [
    "",
    "edge",
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    `${id}/..`,
    id.replaceAll("-", ""),
    `{${id}}`,
    id.replace("9", "g"),
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseControlPlaneId(text)).to.equal(undefined));
  }
});

describe("controlPlanePath", () => {
  it("returns the path below the base address", () => {
    expect(controlPlanePath(id)).to.equal("/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458");
  });
});

describe("describeControlPlane", () => {
  it("names the control plane and its whole id", () => {
    expect(describeControlPlane({ id, name: "payments" })).to.equal(
      'control plane "payments" (9524ec7d-36d9-465d-a8c5-83a3c9390458)',
    );
  });

  for (const name of [undefined, ""]) {
    it(`gives the id alone when the name is ${name === undefined ? "not known" : "empty"}`, () => {
      expect(describeControlPlane({ id, name })).to.equal(
        "control plane 9524ec7d-36d9-465d-a8c5-83a3c9390458",
      );
    });
  }

  it("makes a name safe, cuts it, and keeps words that look like part of a secret", () => {
    const describe = (name: string) => describeControlPlane({ id: "x", name });
    expect(describe("::a\u001b<{%x%}>")).to.equal('control plane ": :a\\u001b< {%x%}>" (x)');
    expect(describe("n".repeat(61))).to.equal(`control plane "${"n".repeat(60)}… (1 more characters)" (x)`);
    expect(describe("Bearer gateway")).to.equal('control plane "Bearer gateway" (x)');
    expect(describe("team::edge")).to.equal('control plane "team::edge" (x)');
  });
});

describe("describeBriefly", () => {
  it("names the control plane and the beginning of its id", () => {
    expect(describeBriefly({ id, name: "payments" })).to.equal('"payments" (9524ec7d…)');
    expect(describeBriefly({ id, name: "n".repeat(31) })).to.equal(
      `"${"n".repeat(30)}… (1 more characters)" (9524ec7d…)`,
    );
  });

  it("gives the beginning of the id alone when the name is not known or empty", () => {
    expect(describeBriefly({ id })).to.equal("9524ec7d…");
    expect(describeBriefly({ id, name: "" })).to.equal("9524ec7d…");
  });
});

describe("the control planes of an address, in a message", () => {
  it("are named with the address, where it is known", () => {
    expect(describeSubject({ address: ref.address })).to.equal(`the control planes at ${ref.address}`);
    expect(describeSubject({ address: "" })).to.equal("the control planes");
  });
});

const edge = { id, name: "edge", labels: {} };

describe("getControlPlane", () => {
  const operation = getControlPlane(id);
  const parse = (value: unknown) => operation.parse(reply(200, JSON.stringify(value)));

  it("is a GET of the control plane, which may be repeated", () => {
    expect(operation).to.include({
      name: "get-control-plane",
      method: "GET",
      path: "/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
      idempotent: true,
    });
    expect(operation).not.to.have.any.keys("body", "query");
  });

  it("reads the id, the name and the labels, and ignores other fields", () => {
    const labels = { team: "payments" };
    expect(parse({ id, name: "edge", labels, config: { a: 1 }, since: 2030 })).to.deep.equal({
      kind: "result",
      result: { id, name: "edge", labels },
    });
  });

  it("accepts the id in upper case", () => {
    expect(parse({ id: id.toUpperCase(), name: "edge" })).to.deep.equal({ kind: "result", result: edge });
  });

  for (const labels of [undefined, null, "none", 7, ["a"]]) {
    it(`reads labels that are ${labels === undefined ? "missing" : JSON.stringify(labels)} as none`, () => {
      expect(parse({ id, name: "edge", labels })).to.deep.equal({ kind: "result", result: edge });
    });
  }

  it("keeps the labels that are text and drops the others", () => {
    expect(parse({ id, name: "edge", labels: { a: "1", b: 2, c: null, d: { e: "f" } } })).to.deep.equal({
      kind: "result",
      result: { ...edge, labels: { a: "1" } },
    });
  });

  const foreign: readonly unknown[] = [
    { id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", name: "edge" },
    { name: "edge" },
    { id: 7, name: "edge" },
    { id },
    { id, name: 7 },
    { id, name: null },
    [{ id, name: "edge" }],
    { data: { id, name: "edge" } },
    null,
    "edge",
  ];
  for (const value of foreign) {
    it(`refuses ${JSON.stringify(value)}`, () => expect(parse(value)).to.deep.equal({ kind: "foreign" }));
  }

  for (const text of ["", "<html>", '{"id":', "undefined"]) {
    it(`refuses the text ${JSON.stringify(text)}`, () => {
      expect(operation.parse(reply(200, text))).to.deep.equal({ kind: "foreign" });
    });
  }

  for (const bodyEnd of ["too large", "broken off", "withheld"] as const) {
    it(`refuses a control plane whose body is ${bodyEnd}`, () => {
      expect(operation.parse({ ...found, bodyEnd })).to.deep.equal({ kind: "foreign" });
    });
  }

  for (const status of [201, 202, 203, 206]) {
    it(`refuses a control plane that comes with ${status}`, () => {
      expect(operation.parse(reply(status, edge))).to.deep.equal({ kind: "foreign" });
    });
  }
});

describe("confirmDeletion", () => {
  it("is the same GET", () => {
    for (const isPending of [true, false]) {
      expect(confirmDeletion(id, isPending)).to.include({
        method: "GET",
        path: "/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
        idempotent: true,
      });
    }
  });

  it("treats a control plane that is found as not yet deleted, but only after a 202", () => {
    expect(confirmDeletion(id, true).parse(found)).to.deep.equal({ kind: "not yet", awaits: "deletion" });
    expect(confirmDeletion(id, false).parse(found)).to.deep.equal({ kind: "result", result: edge });
  });

  it("refuses a page, whether the deletion is pending or not", () => {
    for (const isPending of [true, false]) {
      expect(confirmDeletion(id, isPending).parse(reply(200, "<html>"))).to.deep.equal({ kind: "foreign" });
    }
  });
});

describe("deleteControlPlane", () => {
  const operation = deleteControlPlane(ref.id);

  it("is a DELETE of the control plane, which may be repeated", () => {
    expect(operation).to.include({
      name: "delete-control-plane",
      method: "DELETE",
      path: "/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
      idempotent: true,
    });
    expect(operation).not.to.have.any.keys("body", "query");
  });

  it("treats a 204 as a deletion", () => {
    expect(operation.parse(reply(204))).to.deep.equal({ kind: "result", result: "deleted" });
  });

  for (const [what, answer] of [
    ["200 without a body", reply(200)],
    ["200 with a captive portal's JSON", reply(200, { captive: true })],
    ["200 with the control plane", found],
    ["202", reply(202, { status: "queued" })],
    ["207 with a 403 inside", reply(207, { items: [{ status: 403 }] })],
    ["200 with a page", reply(200, "<html>")],
    ["200 with a body that was cut", reply(200, " ".repeat(9), { bodyEnd: "too large" })],
    ["205", reply(205)],
    ["299", reply(299)],
  ] as const) {
    it(`treats ${what} as unproven`, () => {
      expect(operation.parse(answer)).to.deep.equal({ kind: "unproven" });
    });
  }
});

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

  for (const meta of [undefined, null, {}, { page: null }, { page: { size: "10" } }]) {
    it(`does without a size and a total when meta is ${JSON.stringify(meta)}`, () => {
      expect(parse({ data: [], meta })).to.deep.equal({
        kind: "result",
        result: { items: [], size: 100, total: 0 },
      });
    });
  }

  for (const body of [
    { items: [edge] },
    { items: [edge], page: { total_count: 1 } },
    { data: [], items: [edge] },
    { page: { total_count: 1 } },
    { total: 1 },
    { meta: { page: { total: "7" } } },
    { data: [], meta: "none" },
  ]) {
    it(`does not read ${JSON.stringify(body)} as an empty list, because it says more in another form`, () => {
      expect(parse(body)).to.deep.equal({ kind: "foreign" });
    });
  }

  for (const body of [{}, { data: null }, { meta: null }, { meta: { page: { total: 0 } } }]) {
    it(`reads ${JSON.stringify(body)} as an empty list, because a service may leave out what is empty`, () => {
      expect(parse(body)).to.deep.equal({ kind: "result", result: { items: [], size: 100, total: 0 } });
    });
  }

  it("reads a page that is not the first as empty although control planes were listed before it", () => {
    const body = { meta: { page: { number: 2, size: 100, total: 100 } } };
    const parsed = listControlPlanes({}, 2).parse(reply(200, body));
    expect(parsed).to.deep.equal({ kind: "result", result: { items: [], size: 100, total: 100 } });
  });

  for (const body of [
    "",
    "<html>",
    "[]",
    '{"data":[',
    { data: {} },
    { message: "no Route matched with those values" },
    { data: null, error: "unavailable" },
    { meta: { page: { number: 1, size: 100, total: 2 } } },
    { data: [], meta: { page: { number: 1, size: 100, total: 2 } } },
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
