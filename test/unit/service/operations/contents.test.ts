import { expect } from "chai";
import {
  countEntities,
  ENTITY_KINDS,
  isConnected,
  listNodes,
} from "../../../../provider/service/operations/contents.js";
import { ref, reply } from "../answers.js";

const parseNodes = (body: string | object, more: object = {}) =>
  listNodes(ref.id, undefined).parse(reply(200, body, more));
const page = (items: unknown, more: object = {}) => parseNodes({ items, page: { total_count: 1, ...more } });

describe("listNodes", () => {
  it("is a GET of a page of a hundred, which may be repeated", () => {
    expect(listNodes(ref.id, undefined)).to.deep.include({
      name: "list-dataplane-nodes",
      method: "GET",
      path: `/control-planes/${ref.id}/nodes`,
      query: { "page[size]": "100" },
      idempotent: true,
    });
    expect(listNodes(ref.id, "c2").query).to.deep.equal({ "page[size]": "100", "page[after]": "c2" });
  });

  it("reads host names and last pings, which are in seconds, and requires neither", () => {
    const items = [
      { hostname: "dp-1", last_ping: 1_767_225_600, version: "3.11" },
      {},
      null,
      { last_ping: "x" },
    ];
    expect(page(items)).to.deep.equal({
      kind: "result",
      result: {
        items: [{ hostname: "dp-1", lastPingMs: Date.UTC(2026, 0, 1) }, {}, {}, {}],
        next: undefined,
        total: 1,
      },
    });
  });

  for (const [next, cursor] of [
    ["c2", "c2"],
    ["/v2/control-planes/x/nodes?page%5Bsize%5D=100&page%5Bafter%5D=c%3D2", "c=2"],
    ["https://eu.api.konghq.com/v2/nodes?page[after]=c2", "c2"],
    ["", undefined],
    [null, undefined],
  ] as const) {
    it(`reads the cursor ${String(cursor)} from ${JSON.stringify(next)}`, () => {
      const parsed = page([], { next });
      expect(parsed).to.deep.equal({ kind: "result", result: { items: [], next: cursor, total: 1 } });
    });
  }

  for (const more of [
    { next: 7 },
    { next: {} },
    { next: false },
    { total_count: "1" },
    { total_count: -1 },
  ]) {
    it(`refuses a page with ${JSON.stringify(more)}, because the next page or the total is unreadable`, () => {
      expect(page([], more)).to.deep.equal({ kind: "foreign" });
    });
  }

  it("reads a page without a total, because the service requires none", () => {
    for (const total_count of [undefined, null]) {
      expect(page([{}], { total_count })).to.deep.equal({
        kind: "result",
        result: { items: [{}], next: undefined, total: 0 },
      });
    }
  });

  it("reads a list without items as empty only when it says that it is", () => {
    expect(parseNodes({ page: { total_count: 0 } })).to.deep.equal({
      kind: "result",
      result: { items: [], next: undefined, total: 0 },
    });
    expect(parseNodes({ page: { total_count: 1 } })).to.deep.equal({ kind: "foreign" });
    expect(parseNodes({ page: {} })).to.deep.equal({ kind: "foreign" });
  });

  for (const body of [
    "",
    "<html>",
    "{}",
    '{"items":[]}',
    '{"items":{},"page":{}}',
    '{"items":[],"page":[]}',
  ]) {
    it(`refuses ${JSON.stringify(body)}`, () => expect(parseNodes(body)).to.deep.equal({ kind: "foreign" }));
  }

  for (const bodyEnd of ["too large", "broken off", "withheld"] as const) {
    it(`refuses nodes whose body is ${bodyEnd}`, () => {
      const body = { items: [], page: { total_count: 0 } };
      expect(parseNodes(body, { bodyEnd })).to.deep.equal({ kind: "foreign" });
    });
  }

  it("refuses nodes that come with another status than 200", () => {
    const body = { items: [], page: { total_count: 0 } };
    expect(listNodes(ref.id, undefined).parse(reply(202, body))).to.deep.equal({ kind: "foreign" });
  });
});

describe("a node", () => {
  for (const [age, silentForMs, expected] of [
    ["less than five minutes", 299_999, true],
    ["five minutes", 300_000, false],
    ["in the future", -60_000, true],
  ] as const) {
    it(`${expected ? "counts" : "does not count"} as connected when its last ping is ${age} old`, () => {
      expect(isConnected({ silentForMs })).to.equal(expected);
    });
  }

  it("counts as connected when its last ping is not known", () => {
    expect(isConnected({ hostname: "dp-1" })).to.equal(true);
  });
});

const parseCount = (body: string | object, more: object = {}) =>
  countEntities(ref.id, "services").parse(reply(200, body, more));

describe("countEntities", () => {
  it("is a GET of one page of a hundred for each of the six kinds, which may be repeated", () => {
    expect(ENTITY_KINDS).to.deep.equal([
      ...["services", "routes", "plugins", "consumers", "upstreams", "certificates"],
    ]);
    for (const kind of ENTITY_KINDS) {
      expect(countEntities(ref.id, kind)).to.deep.include({
        name: `list-${kind}`,
        method: "GET",
        path: `/control-planes/${ref.id}/core-entities/${kind}`,
        query: { size: "100" },
        idempotent: true,
      });
    }
  });

  for (const [what, body, count, hasMore] of [
    ["an empty page", { data: [], next: null }, 0, false],
    ["a last page", { data: [{}, {}], next: null }, 2, false],
    ["a page with an offset", { data: [{}], offset: "o2" }, 1, true],
    ["a page with a next address", { data: [{}], next: "/services?offset=o2" }, 1, true],
    ["an empty page with an offset", { data: [], offset: "o2" }, 0, true],
    ["an empty page with an empty offset", { data: [], offset: "", next: "" }, 0, false],
    ["a page with a total", { data: [{}, {}], total: 2, next: null }, 2, false],
    ["a first page with a larger total", { data: [{}], total: 2, next: "/services?offset=o2" }, 1, true],
  ] as const) {
    it(`counts ${what}`, () => {
      expect(parseCount(body)).to.deep.equal({ kind: "result", result: { count, hasMore } });
    });
  }

  for (const more of [{ next: {} }, { next: 7 }, { offset: {} }, { offset: true }, { total: "3" }]) {
    it(`refuses a page with ${JSON.stringify(more)}, because nobody knows whether more follow`, () => {
      expect(parseCount({ data: [], ...more })).to.deep.equal({ kind: "foreign" });
    });
  }

  it("refuses a last page that holds fewer entities than its total", () => {
    expect(parseCount({ data: [], total: 3, next: null })).to.deep.equal({ kind: "foreign" });
    expect(parseCount({ data: [{}, {}], total: 3 })).to.deep.equal({ kind: "foreign" });
  });

  for (const body of ["", "<html>", "[]", "{}", '{"data":null}', '{"data":{}}']) {
    it(`refuses ${JSON.stringify(body)}`, () => expect(parseCount(body)).to.deep.equal({ kind: "foreign" }));
  }

  for (const bodyEnd of ["too large", "broken off", "withheld"] as const) {
    it(`refuses entities whose body is ${bodyEnd}`, () => {
      expect(parseCount({ data: [] }, { bodyEnd })).to.deep.equal({ kind: "foreign" });
    });
  }

  it("refuses entities that come with another status than 200", () => {
    const answer = reply(206, { data: [] });
    expect(countEntities(ref.id, "services").parse(answer)).to.deep.equal({ kind: "foreign" });
  });
});
