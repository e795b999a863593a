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

  it("reads ids, host names and last pings, which are in seconds, and requires none of them", () => {
    const items = [
      { id: "a", hostname: "dp-1", last_ping: 1_767_225_600, version: "3.11" },
      { hostname: "dp-2" },
      null,
      { id: 7, last_ping: "x" },
    ];
    expect(page(items)).to.deep.equal({
      kind: "result",
      result: {
        items: [
          { key: "id a", hostname: "dp-1", lastPingMs: Date.UTC(2026, 0, 1) },
          { key: "host dp-2", hostname: "dp-2" },
          { key: "" },
          { key: "host " },
        ],
        next: undefined,
        total: 1,
      },
    });
  });

  it("takes a last ping that is too early to be true for one that is not known", () => {
    for (const last_ping of [0, 1, 12, 29_923_123, 1_419_984_000, -5]) {
      expect(page([{ id: "a", last_ping }]), String(last_ping)).to.have.deep.nested.property("result.items", [
        { key: "id a" },
      ]);
    }
  });

  it("reads that a node is connected, and nothing from any other connection state", () => {
    const states = [{ is_connected: true }, { is_connected: false }, { is_connected: "true" }, true, null];
    const items = states.map((connection_state, n) => ({ id: `${n}`, connection_state }));
    expect(page(items)).to.have.deep.nested.property("result.items", [
      { key: "id 0", saysConnected: true },
      { key: "id 1" },
      { key: "id 2" },
      { key: "id 3" },
      { key: "id 4" },
    ]);
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
      expect(page([{ id: "a" }], { total_count })).to.deep.equal({
        kind: "result",
        result: { items: [{ key: "id a" }], next: undefined, total: 0 },
      });
    }
  });

  for (const body of [
    "{}",
    '{"items":[]}',
    '{"items":null}',
    '{"page":{}}',
    '{"page":null}',
    '{"page":{"total_count":0}}',
  ]) {
    it(`reads ${body} as an empty list, because a service may leave out what is empty`, () => {
      expect(parseNodes(body)).to.deep.equal({
        kind: "result",
        result: { items: [], next: undefined, total: 0 },
      });
    });
  }

  it("keeps the total of a page without items, so that the list can be told from an empty one", () => {
    expect(parseNodes({ page: { total_count: 1 } })).to.have.deep.property("result", {
      items: [],
      next: undefined,
      total: 1,
    });
  });

  for (const body of [
    "",
    "<html>",
    "[]",
    '{"items":[]',
    '{"message":"no Route matched with those values"}',
    '{"page":{},"error":"unavailable"}',
    '{"data":[{"id":"n1"}],"meta":{"page":{"total":1}}}',
    '{"items":[],"data":[{"id":"n1"}]}',
    '{"meta":{"page":{"total":5}}}',
    '{"total":5}',
    '{"next":"/nodes?page[after]=c2"}',
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

  it("counts as connected when the service says so, however old its last ping is", () => {
    expect(isConnected({ silentForMs: 86_400_000, saysConnected: true })).to.equal(true);
  });
});

const parseCount = (body: string | object, more: object = {}) =>
  countEntities(ref.id, "services").parse(reply(200, body, more));

describe("countEntities", () => {
  it("is a GET of one page of a hundred for each kind that the public API lists, which may be repeated", () => {
    const requests = ENTITY_KINDS.map((kind) => {
      const { method, path, query, idempotent } = countEntities(ref.id, kind);
      expect({ method, idempotent }, kind).to.deep.equal({ method: "GET", idempotent: true });
      return `${path.replace(`/control-planes/${ref.id}/`, "")}?${new URLSearchParams(query).toString()}`;
    });
    const core = [
      ...["acls", "basic-auths", "ca_certificates", "certificates", "consumer_groups", "consumers"],
      ...["custom-plugins", "degraphql_routes", "graphql-rate-limiting-advanced/costs", "hmac-auths", "jwts"],
      ...["key-auths", "key-sets", "keys", "mtls-auths", "partials", "plugins", "routes", "services", "snis"],
      ...["targets", "upstreams", "vaults"],
    ].map((name) => `core-entities/${name}?size=100`);
    const others = ["config-stores?page%5Bsize%5D=100", "core-entities/plugin-schemas?page%5Bsize%5D=100"];
    expect([...requests].sort()).to.deep.equal([...core, ...others].sort());
  });

  it("gives each kind a name of its own", () => {
    const names = ENTITY_KINDS.map((kind) => countEntities(ref.id, kind).name);
    expect(new Set(names).size).to.equal(25);
  });

  it("reads the lists that have a form of their own", () => {
    const parse = (kind: (typeof ENTITY_KINDS)[number], body: object) =>
      countEntities(ref.id, kind).parse(reply(200, body));
    for (const [body, count, hasMore] of [
      [{ items: [{ name: "a" }], page: { total_count: 1 } }, 1, false],
      [{ items: [{ name: "a" }], page: { total_count: 2, next: "c2" } }, 1, true],
      [{ page: {} }, 0, false],
    ] as const) {
      expect(parse("plugin schemas", body)).to.deep.equal({ kind: "result", result: { count, hasMore } });
    }
    expect(parse("plugin schemas", { page: { total_count: 1 } })).to.deep.equal({ kind: "foreign" });
    for (const [body, count, hasMore] of [
      [{ data: [{}], meta: { page: { size: 100, next: null, previous: null } } }, 1, false],
      [{ data: [{}], meta: { page: { size: 1, next: "/config-stores?page[after]=c2" } } }, 1, true],
      [{ meta: { page: { size: 100, next: null, previous: null } } }, 0, false],
    ] as const) {
      expect(parse("config stores", body)).to.deep.equal({ kind: "result", result: { count, hasMore } });
    }
    expect(parse("config stores", { data: [], meta: { page: 7 } })).to.deep.equal({ kind: "foreign" });
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

  for (const body of ["{}", '{"next":null}', '{"data":null}', '{"data":[]}', '{"total":0}']) {
    it(`reads ${body} as an empty list, because a service may leave out what is empty`, () => {
      expect(parseCount(body)).to.deep.equal({ kind: "result", result: { count: 0, hasMore: false } });
    });
  }

  for (const body of ["", "<html>", "[]", '{"data":{}}', '{"message":"x"}', '{"total":1}', '{"data":[]']) {
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
