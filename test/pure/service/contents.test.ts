import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import { found, gone, noReply, problemReply, ref, reply } from "./answers.js";
import { after, FakeService, type Step } from "./fake-service.js";

async function nodesOf(service: FakeService) {
  const reading = await service.client().readNodes(ref, service.scope);
  if (reading.outcome === "gone") throw new Error("the control plane is gone");
  return reading.nodes;
}

const askedFor = (service: FakeService, parameter: string) =>
  service.requests.map(({ url }) => new URL(url).searchParams.get(parameter));

async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
  const end = await work.catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}

describe("reading the nodes of a control plane", () => {
  const nodes = (items: readonly object[], next?: string) =>
    reply(200, { items, page: { total_count: items.length, ...(next !== undefined && { next }) } });

  it("follows the cursor to the last page", async () => {
    const service = new FakeService([nodes([{ hostname: "a" }], "c2"), nodes([{ hostname: "b" }])]);
    expect(await nodesOf(service)).to.deep.equal([{ hostname: "a" }, { hostname: "b" }]);
    expect(askedFor(service, "page[after]")).to.deep.equal([null, "c2"]);
  });

  it("measures how long a node is silent by the earlier of two clocks: the machine's and that of the answer", async () => {
    const items = [{ hostname: "a", last_ping: Date.UTC(2025, 11, 31, 23, 54) / 1_000 }, { hostname: "b" }];
    const silence = async (more: { readonly date?: string }) => {
      const answer = reply(200, { items, page: { total_count: 2 } }, more);
      return nodesOf(new FakeService([answer]));
    };
    const silentFor = (ms: number) => [{ hostname: "a", silentForMs: ms }, { hostname: "b" }];
    expect(await silence({})).to.deep.equal(silentFor(360_000));
    const behind = { date: "Wed, 31 Dec 2025 23:54:10 GMT" };
    expect(await silence(behind), "the machine's clock is ahead").to.deep.equal(silentFor(10_000));
    const ahead = { date: "Thu, 01 Jan 2026 01:00:00 GMT" };
    expect(await silence(ahead), "the machine's clock is behind").to.deep.equal(silentFor(360_000));
  });

  it("fails when the pages end before the largest total that one of them names", async () => {
    const page = (items: readonly object[], total_count: number, next?: string) =>
      reply(200, { items, page: { total_count, ...(next !== undefined && { next }) } });
    const [a, b] = [{ id: "a" }, { id: "b" }];
    const tooFew = [
      [page([], 7)],
      [reply(200, { page: { total_count: 1 } })],
      [page([a, b], 3)],
      [page([a, a], 2)],
      [page([a], 3, "c2"), page([b], 2)],
    ];
    for (const pages of tooFew) {
      const error = await failureOf(nodesOf(new FakeService(pages)));
      expect(error).to.include({ kind: "foreign" });
      expect(error.message).to.contain(
        "  The pages hold fewer nodes than the total says, so it is unknown whether one is connected.\n",
      );
    }
  });

  it("is an empty list when the service leaves out what is empty", async () => {
    for (const body of [{}, { items: [] }, { page: {} }]) {
      expect(await nodesOf(new FakeService([reply(200, body)]))).to.deep.equal([]);
    }
  });

  it("fails when a later page shows only nodes that were listed before", async () => {
    for (const items of [[{ id: "a" }], [{ hostname: "host" }], [{}]]) {
      const service = new FakeService([reply(200, { items, page: { next: "c2" } }), reply(200, { items })]);
      const { message } = await failureOf(nodesOf(service));
      expect(message).to.contain("  The same page came again, so the list has no end.");
    }
  });

  it("counts a node once, and as connected when one of its descriptions says so", async () => {
    const old = { id: "a", last_ping: Date.UTC(2025, 0, 1) / 1_000 };
    const fresh = { id: "a", last_ping: Date.UTC(2025, 11, 31, 23, 59) / 1_000 };
    for (const items of [
      [old, fresh],
      [fresh, old],
    ]) {
      const answer = reply(200, { items, page: { total_count: 1 } });
      expect(await nodesOf(new FakeService([answer]))).to.deep.equal([{ silentForMs: 60_000 }]);
    }
  });

  it("fails when the service repeats a cursor", async () => {
    const service = new FakeService([nodes([], "c2"), nodes([], "c2")]);
    const { message } = await failureOf(nodesOf(service));
    expect(message).to.contain("  The same page came again, so the list has no end.");
    expect(message).to.contain("was not deleted");
  });

  it("is gone only when a GET of the control plane meets the service's own 404, too", async () => {
    const missing = problemReply(404, "Not Found", { instance: "konnect:trace:nodes" });
    const service = new FakeService([missing, gone]);
    const reading = await service.client().readNodes(ref, service.scope);
    expect(reading.outcome).to.equal("gone");
    expect("facts" in reading && reading.facts).to.include({
      attempts: 2,
      status: 404,
      traceId: "konnect:trace:404",
    });
    expect(service.requests.map(({ method, url }) => [method, url])).to.deep.equal([
      ["GET", `${ref.address}/control-planes/${ref.id}/nodes?page%5Bsize%5D=100`],
      ["GET", `${ref.address}/control-planes/${ref.id}`],
    ]);
  });

  it("fails after the service's own 404 when a GET finds the control plane", async () => {
    const { message, kind } = await failureOf(nodesOf(new FakeService([gone, found])));
    expect(kind).to.equal("service");
    expect(message.split("\n").slice(0, 4)).to.deep.equal([
      `404 Not Found: control plane ${ref.id} was not deleted`,
      "  Its nodes could not be read, so it is unknown whether one is connected. A GET still finds the control plane, so this 404 proves nothing.",
      "  The control plane does not exist.",
      "",
    ]);
  });

  it("fails after the service's own 404 when a GET does not show whether the control plane exists", async () => {
    for (const [answer, kind] of [
      [problemReply(403, "Permission denied"), "forbidden"],
      [reply(404, "<html>"), "foreign"],
    ] as const) {
      const error = await failureOf(nodesOf(new FakeService([gone, answer])));
      expect(error).to.include({ kind });
      expect(error.message).to.contain(
        "  Its nodes could not be read, so it is unknown whether one is connected.",
      );
    }
  });

  for (const body of ["<html>", { message: "not found" }, { code: 5, message: "not found" }]) {
    it(`settles a 404 in another form with a GET of the control plane, too (${JSON.stringify(body)})`, async () => {
      const proven = new FakeService([reply(404, body), gone]);
      expect((await proven.client().readNodes(ref, proven.scope)).outcome).to.equal("gone");
      const disproven = new FakeService([reply(404, body), found]);
      const error = await failureOf(nodesOf(disproven));
      expect(error).to.include({ kind: "foreign" });
      expect(error.message).to.contain("A GET still finds the control plane, so this 404 proves nothing.");
    });
  }

  it("says when the first page was answered, because the others may take long", async () => {
    const slow = new FakeService([
      after(1_000, nodes([{ id: "a" }], "c2")),
      after(60_000, nodes([{ id: "b" }])),
    ]);
    const startedMs = slow.clock.nowMs;
    const reading = await slow.client().readNodes(ref, slow.scope);
    expect(reading).to.have.property("answeredMs", startedMs + 1_000);
  });

  it("fails when they may not be read, and says what that means for the deletion", async () => {
    const { message } = await failureOf(nodesOf(new FakeService([problemReply(403, "Permission denied")])));
    expect(message.split("\n")).to.deep.equal([
      `403 Permission denied: control plane ${ref.id} was not deleted`,
      "  Its nodes could not be read, so it is unknown whether one is connected.",
      "",
      `  request   GET https://eu.api.konghq.com/v2/control-planes/${ref.id}/nodes?page%5Bsize%5D=100`,
      "  trace     konnect:trace:403",
      "  attempts  1 in 0.0 s",
      "  token     system account token from KONNECT_SPAT",
      "  state     not deleted by this run; Pulumi keeps the resource",
      "  next      give the system account a role that may read this control plane, then run again",
    ]);
  });

  it("does not speak of a deletion that may have worked, because nothing was deleted", async () => {
    const service = new FakeService([noReply("timed out"), problemReply(500, "Error")]);
    const [headline] = (await failureOf(nodesOf(service))).message.split("\n");
    expect(headline).to.equal(`500 Error after 2 attempts: control plane ${ref.id} was not deleted`);
  });
});

describe("counting the entities of a control plane", () => {
  const empty = reply(200, { data: [], next: null });
  const missing = problemReply(404, "Not Found", { instance: "konnect:trace:part" });

  /** A service that answers each kind by its name, all other kinds with nothing, and the GET of the control plane. */
  function serving(answers: Readonly<Record<string, Answer>>, controlPlane: Answer = found): FakeService {
    const answer = ({ url }: { readonly url: string }) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith(ref.id)) return controlPlane;
      return answers[pathname.split("/").at(-1) ?? ""] ?? answers.all ?? empty;
    };
    return new FakeService(Array.from({ length: 26 }, () => answer));
  }
  const countOf = (service: FakeService) => service.client().countEntities(ref, service.scope);

  it("counts every kind, with one request for each", async () => {
    const service = serving({
      routes: reply(200, { data: [{}, {}], next: null }),
      plugins: reply(200, { data: [{}], offset: "o2" }),
    });
    const counting = await countOf(service);
    if (counting.outcome === "gone") throw new Error("the control plane is gone");
    const { routes, plugins, ...others } = counting.counts;
    expect({ routes, plugins }).to.deep.equal({
      routes: { count: 2, hasMore: false },
      plugins: { count: 1, hasMore: true },
    });
    expect(Object.values(others)).to.deep.equal(Array(23).fill({ count: 0, hasMore: false }));
    expect(service.requests).to.have.length(25);
  });

  for (const [what, answers] of [
    ["all kinds are", { all: missing }],
    ["one kind is", { plugins: missing }],
  ] as const) {
    it(`is gone only when a GET meets the service's own 404, too (${what} answered with 404)`, async () => {
      const service = serving(answers, gone);
      const counting = await countOf(service);
      expect(counting.outcome).to.equal("gone");
      expect("facts" in counting && counting.facts).to.include({ traceId: "konnect:trace:404", attempts: 2 });
      expect(service.requests).to.have.length(26);
    });

    it(`fails when a GET finds the control plane (${what} answered with 404)`, async () => {
      const { message, kind } = await failureOf(countOf(serving(answers)));
      expect(kind).to.equal("service");
      expect(message).to.contain(
        "\n  Its entities could not be counted, so it is unknown whether it is empty. A GET still finds the control plane, so this 404 proves nothing.\n",
      );
      expect(message).to.match(/\n {2}Not counted: .*\bplugins\b.*\.\n/);
    });
  }

  it("settles a 404 in another form with a GET of the control plane, too", async () => {
    const other = reply(404, { code: 5, message: "not found" });
    expect((await countOf(serving({ services: other }, gone))).outcome).to.equal("gone");
    const error = await failureOf(countOf(serving({ services: other })));
    expect(error).to.include({ kind: "foreign" });
    expect(error.message).to.contain("  Not counted: services.\n");
  });

  it("fails when one kind may not be read, and says what that means for the deletion", async () => {
    const service = serving({ plugins: problemReply(403, "Permission denied") });
    const { message, kind } = await failureOf(countOf(service));
    expect(kind).to.equal("forbidden");
    expect(message).to.contain(
      "  Its entities could not be counted, so it is unknown whether it is empty.\n  Not counted: plugins.\n",
    );
  });

  it("names every kind that could not be counted", async () => {
    const denied = problemReply(403, "Permission denied");
    const service = serving({ vaults: denied, "config-stores": reply(500, "<html>"), keys: denied });
    const { message, findings, kind } = await failureOf(countOf(service));
    expect(kind).to.equal("forbidden");
    expect(findings).to.deep.equal(["Not counted: vaults, keys, config stores."]);
    expect(message).to.contain("  Not counted: vaults, keys, config stores.\n");
  });

  it("is interrupted when the run is stopped, whatever else could not be counted", async () => {
    const service = serving({ services: problemReply(403, "Permission denied") });
    const stopping = new AbortController();
    const answers = { scope: { ...service.scope, signal: stopping.signal } };
    const counting = service.client().countEntities(ref, answers.scope);
    stopping.abort();
    expect(await failureOf(counting)).to.include({ kind: "interrupted" });
  });

  it("takes what the service leaves out for empty", async () => {
    const service = serving({ all: reply(200, {}), services: reply(200, { next: null }) });
    const counting = await countOf(service);
    if (counting.outcome === "gone") throw new Error("the control plane is gone");
    expect(Object.values(counting.counts)).to.deep.equal(Array(25).fill({ count: 0, hasMore: false }));
  });

  it("never takes a body that was cut for an empty list", async () => {
    const cut = reply(200, { data: [] }, { bodyEnd: "too large" });
    expect(await failureOf(countOf(serving({ services: cut })))).to.include({ kind: "foreign" });
  });

  it("says when the first kind was answered, because the others may take long", async () => {
    const steps = [1_000, 60_000, ...Array<number>(23).fill(0)].map((ms): Step => async (_request, clock) => {
      await setImmediate();
      clock.nowMs += ms;
      return empty;
    });
    const service = new FakeService(steps, 1);
    const startedMs = service.clock.nowMs;
    expect(await countOf(service)).to.have.property("answeredMs", startedMs + 1_000);
  });
});
