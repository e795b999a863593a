import { expect } from "chai";
import type { EntityKind, ProblemDocument } from "../../../../emulator/index.js";
import { id, one, other, RunningEmulator, token } from "../running-emulator.js";

interface NodeList {
  items: Record<string, unknown>[];
  page: { total_count: number; next?: string };
}
interface EntityList {
  data: { id: string }[];
  offset?: string;
  next: string | null;
}

const KINDS: readonly EntityKind[] = [
  ...(["services", "routes", "plugins", "consumers", "upstreams", "certificates"] as const),
];

describe("the data plane nodes of a control plane in the emulator", () => {
  const running = new RunningEmulator();

  const nodes = async (query = ""): Promise<NodeList> =>
    JSON.parse((await running.send({ path: `${one}/nodes${query}` })).text) as NodeList;

  it("are none by default", async () => {
    expect(await nodes()).to.deep.equal({ items: [], page: { total_count: 0 } });
  });

  it("have the seeded fields, and a last ping in Unix seconds that long before the answer", async () => {
    running.emulator.change(id, {
      nodes: [
        { hostname: "dp-1", lastPingSecondsAgo: 30 },
        { hostname: "dp-2", lastPingSecondsAgo: 86_400, type: "ingress-controller", version: "3.4.0" },
      ],
    });
    const nowSeconds = Date.now() / 1000;
    const { items, page } = await nodes();
    expect(page).to.deep.equal({ total_count: 2 });
    expect(items[0]).to.deep.include({ hostname: "dp-1", type: "kong-proxy", version: "3.11.0.0" });
    expect(items[1]).to.deep.include({ hostname: "dp-2", type: "ingress-controller", version: "3.4.0" });
    expect(items[0]?.last_ping).to.be.within(nowSeconds - 31, nowSeconds - 25);
    expect(items[1]?.last_ping).to.be.within(nowSeconds - 86_401, nowSeconds - 86_395);
  });

  it("come in pages of ten by default, and each page names the next one", async () => {
    const hostnames = Array.from({ length: 23 }, (_, at) => `dp-${at}`);
    running.emulator.change(id, {
      nodes: hostnames.map((hostname) => ({ hostname, lastPingSecondsAgo: 0 })),
    });
    const seen: unknown[] = [];
    const lengths: number[] = [];
    let next: string | undefined = "";
    while (next !== undefined && lengths.length < 5) {
      const { items, page }: NodeList = await nodes(next && `?page[after]=${next}`);
      expect(page.total_count).to.equal(23);
      seen.push(...items.map(({ hostname }) => hostname));
      lengths.push(items.length);
      next = page.next;
    }
    expect(lengths).to.deep.equal([10, 10, 3]);
    expect(seen).to.deep.equal(hostnames);
    expect((await nodes("?page[size]=23")).page).to.deep.equal({ total_count: 23 });
  });
});

describe("the entities of a control plane in the emulator", () => {
  const running = new RunningEmulator();

  const entities = async (kind: EntityKind, query = ""): Promise<EntityList> =>
    JSON.parse((await running.send({ path: `${one}/core-entities/${kind}${query}` })).text) as EntityList;

  it("are none by default", async () => {
    for (const kind of KINDS) expect(await entities(kind)).to.deep.equal({ data: [], next: null });
  });

  it("are as many of each kind as the seed says", async () => {
    const counts = { services: 1, routes: 2, plugins: 3, consumers: 4, upstreams: 5, certificates: 6 };
    running.emulator.change(id, { entities: counts });
    const lengths = await Promise.all(KINDS.map(async (kind) => (await entities(kind)).data.length));
    expect(lengths).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it("come in pages of a hundred by default, and each page names the next one by offset and by path", async () => {
    running.emulator.change(id, { entities: { routes: 250 } });
    const first = await entities("routes");
    expect(first.next).to.equal(
      `/v2/control-planes/${id}/core-entities/routes?offset=${first.offset}&size=100`,
    );
    const second = await entities("routes", `?offset=${first.offset}`);
    const third = await entities("routes", `?size=100&offset=${second.offset}`);
    expect(third).to.include({ next: null }).and.to.not.have.property("offset");
    const pages = [first, second, third].map(({ data }) => data);
    expect(pages.map(({ length }) => length)).to.deep.equal([100, 100, 50]);
    expect(new Set(pages.flat().map((entity) => entity.id)).size).to.equal(250);
    expect((await entities("routes", "?size=1")).data).to.have.length(1);
  });

  it("stay when only the labels or the nodes change, and the nodes stay when only the entities change", async () => {
    running.emulator.change(id, { entities: { routes: 2 } });
    running.emulator.change(id, { labels: { a: "b" } });
    running.emulator.change(id, { nodes: [{ hostname: "dp-1", lastPingSecondsAgo: 1 }] });
    expect((await entities("routes")).data).to.have.length(2);
    running.emulator.change(id, { entities: {} });
    expect((await entities("routes")).data).to.have.length(0);
    expect(running.emulator.controlPlanes.get(id)?.labels).to.deep.equal({ a: "b" });
    const list = JSON.parse((await running.send({ path: `${one}/nodes` })).text) as NodeList;
    expect(list.items).to.have.length(1);
  });
});

const LISTS = [
  { part: "/nodes", size: "page[size]", cursor: "page[after]", maximum: 100 },
  ...KINDS.map((kind) => ({
    part: `/core-entities/${kind}`,
    size: "size",
    cursor: "offset",
    maximum: 1000,
  })),
];
for (const { part, size, cursor, maximum } of LISTS) {
  describe(`a GET of ${part} of a control plane in the emulator`, () => {
    const running = new RunningEmulator();
    const statusOf = async (path: string): Promise<number> => (await running.send({ path })).status;

    it("is answered 404 for a control plane that does not exist, and 400 for an invalid id", async () => {
      expect(await statusOf(`/control-planes/${other}${part}`)).to.equal(404);
      expect(await statusOf(`/control-planes/nope${part}`)).to.equal(400);
      running.emulator.remove(id);
      expect(await statusOf(`${one}${part}`)).to.equal(404);
    });

    it("is answered 403 for a role that may not read the control plane, and 401 without a token", async () => {
      running.emulator.grant(token, { name: "some", deny: { read: [id] } });
      expect(await statusOf(`${one}${part}`)).to.equal(403);
      expect((await running.send({ path: `${one}${part}`, token: undefined })).status).to.equal(401);
    });

    it("allows the largest page, and refuses a larger one and unknown parameters", async () => {
      expect(await statusOf(`${one}${part}?${size}=${maximum}`)).to.equal(200);
      const path = `${one}${part}?${size}=${maximum + 1}&${cursor}=x&tags=a`;
      const { status, text } = await running.send({ path });
      expect(status).to.equal(400);
      const { invalid_parameters: entries } = JSON.parse(text) as ProblemDocument;
      expect(entries?.map(({ field, rule }) => [field, rule])).to.deep.equal([
        [size, "max"],
        [cursor, "invalid"],
        ["tags", "unknown_property"],
      ]);
    });

    it("meets a fault that is meant for the control plane", async () => {
      running.emulator.script({ method: "GET", id }, { status: 503 });
      expect(await statusOf(`${one}${part}`)).to.equal(503);
      expect(running.emulator.requestsFor(id)).to.have.length(1);
    });
  });
}

describe("the lists of entities that have a form of their own in the emulator", () => {
  const running = new RunningEmulator();

  const list = async (path: string): Promise<Record<string, unknown>> =>
    JSON.parse((await running.send({ path: `${one}${path}` })).text) as Record<string, unknown>;

  it("are those of plugin schemas, in the form of nodes", async () => {
    expect(await list("/core-entities/plugin-schemas")).to.deep.equal({
      items: [],
      page: { total_count: 0 },
    });
    running.emulator.change(id, { entities: { "plugin-schemas": 2 } });
    const first = await list("/core-entities/plugin-schemas?page[size]=1");
    const { next } = first.page as { next: string };
    expect(first.page).to.deep.equal({ total_count: 2, next });
    const second = await list(`/core-entities/plugin-schemas?page[size]=1&page[after]=${next}`);
    expect(second.page).to.deep.equal({ total_count: 2 });
    expect(second.items).to.have.length(1);
  });

  it("are those of config stores, in the form of group memberships and without a total", async () => {
    const last = { page: { size: 10, next: null, previous: null } };
    expect(await list("/config-stores")).to.deep.equal({ data: [], meta: last });
    running.emulator.change(id, { entities: { "config-stores": 2 } });
    const first = await list("/config-stores?page[size]=1");
    const { next } = (first.meta as { page: { next: string } }).page;
    expect(next).to.match(
      new RegExp(`^/control-planes/${id}/config-stores\\?page\\[size\\]=1&page\\[after\\]=`),
    );
    const { data, meta } = await list(next.replace(`/control-planes/${id}`, ""));
    expect(data).to.have.length(1);
    expect(meta).to.deep.equal({ page: { size: 1, next: null, previous: null } });
  });
});

describe("the lenient emulator", () => {
  const running = new RunningEmulator();

  const list = async (path: string): Promise<unknown> =>
    JSON.parse((await running.send({ path: `${one}${path}` })).text) as unknown;

  it("leaves out of an empty list what the public API does not require", async () => {
    await running.restart({ lenient: true, controlPlanes: [{ id, name: "edge" }] });
    expect(await list("/nodes")).to.deep.equal({});
    expect(await list("/core-entities/services")).to.deep.equal({});
    expect(await list("/core-entities/plugin-schemas")).to.deep.equal({ page: {} });
    expect(await list("/config-stores")).to.deep.equal({
      data: [],
      meta: { page: { size: 10, next: null, previous: null } },
    });
  });

  it("leaves out of other lists what the public API does not require", async () => {
    const nodes = [{ hostname: "dp-1", lastPingSecondsAgo: 0, connected: true }];
    const entities = { services: 2, "plugin-schemas": 1 };
    await running.restart({ lenient: true, controlPlanes: [{ id, name: "edge", nodes, entities }] });
    const { items, ...others } = (await list("/nodes")) as { items: object[] };
    expect(others).to.deep.equal({});
    expect(items[0]).to.have.all.keys("id", "hostname", "last_ping", "connection_state");
    expect(await list("/core-entities/services")).to.have.all.keys("data");
    expect(await list("/core-entities/services?size=1")).to.have.all.keys("data", "offset");
    expect(await list("/core-entities/plugin-schemas")).to.have.deep.property("page", {});
  });

  it("leaves the total out of the members of a group", async () => {
    const clusterType = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";
    await running.restart({ lenient: true, controlPlanes: [{ id, name: "all", clusterType }] });
    expect(await list("/group-memberships")).to.deep.equal({
      data: [],
      meta: { page: { size: 10, next: null } },
    });
  });
});

describe("a fault of the emulator for one kind of entities", () => {
  const running = new RunningEmulator();

  it("meets no request for another kind", async () => {
    running.emulator.script({ operation: "list-plugin", id }, { status: 500 });
    const statuses: number[] = [];
    for (const kind of [...KINDS, "plugins"]) {
      statuses.push((await running.send({ path: `${one}/core-entities/${kind}` })).status);
    }
    expect(statuses).to.deep.equal([200, 200, 500, 200, 200, 200, 200]);
  });
});
