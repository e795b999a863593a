import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Reply } from "../../../provider/service/http/answer.js";
import { gone, noReply, problemReply, ref, reply, unavailable } from "./answers.js";
import { FakeService, type Step } from "./fake-service.js";

/** The nth id. */
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const plane = (n: number) => ({ id: idOf(n), name: `cp-${n}`, labels: {} });
const planes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => plane(from + i));

/** A page of the list. */
const page = (data: readonly object[], total: number, size = 100) =>
  reply(200, { data, meta: { page: { size, total } } });

const list = (service: FakeService) =>
  service.client().listControlPlanes(ref.address, { nameContains: "cp" }, service.scope);
const listIds = (service: FakeService, ids: readonly string[]) =>
  service.client().listByIds(ref.address, ids, service.scope);
const nodesOf = (service: FakeService) => service.client().readNodes(ref, service.scope);
const countOf = (service: FakeService) => service.client().countEntities(ref, "plugins", service.scope);

const askedFor = (service: FakeService, parameter: string) =>
  service.requests.map(({ url }) => new URL(url).searchParams.get(parameter));

async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
  const end = await work.catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}

describe("listing control planes", () => {
  /** What is listed from pages, and how many requests that took. */
  async function listed(...steps: readonly Step[]) {
    const service = new FakeService(steps);
    const { controlPlanes } = await list(service);
    return [controlPlanes.length, askedFor(service, "page[number]")] as const;
  }

  it("ends with a page that is not full", async () => {
    expect(await listed(page(planes(1, 100), 130), page(planes(101, 130), 130))).to.deep.equal([
      130,
      ["1", "2"],
    ]);
  });

  it("asks for another page after a full one, even when the total says that it was the last", async () => {
    expect(await listed(page(planes(1, 100), 100), page([], 100))).to.deep.equal([100, ["1", "2"]]);
  });

  it("understands a total that counts pages", async () => {
    expect(await listed(page(planes(1, 100), 2), page(planes(101, 130), 2))).to.deep.equal([130, ["1", "2"]]);
  });

  it("goes on after a page that is not full while the total speaks of more", async () => {
    const pages = [page(planes(1, 90), 95), page(planes(91, 95), 95)];
    expect(await listed(...pages)).to.deep.equal([95, ["1", "2"]]);
  });

  it("ends with an empty page when the total is too large", async () => {
    expect(await listed(page(planes(1, 3), 9), page([], 9))).to.deep.equal([3, ["1", "2"]]);
  });

  it("reads every page of a service that caps its pages below the size that it names", async () => {
    const capped = (total: number) => [
      page(planes(1, 50), total),
      page(planes(51, 100), total),
      page(planes(101, 130), total),
    ];
    expect(await listed(...capped(3)), "a total that counts pages").to.deep.equal([130, ["1", "2", "3"]]);
    expect(await listed(...capped(130)), "a total that counts control planes").to.deep.equal([
      130,
      ["1", "2", "3"],
    ]);
  });

  it("asks for one more page when a page is not full and no total proves that it is the last", async () => {
    const without = (data: readonly object[]) => reply(200, { data });
    const pages = [without(planes(1, 50)), without(planes(51, 60)), without([])];
    expect(await listed(...pages)).to.deep.equal([60, ["1", "2", "3"]]);
    const wrong = [page(planes(1, 50), 20), page(planes(51, 60), 20), page([], 20)];
    expect(await listed(...wrong), "a total that is too small").to.deep.equal([60, ["1", "2", "3"]]);
  });

  it("takes smaller pages than it asked for when the service allows no larger ones", async () => {
    const pages = [page(planes(1, 10), 12, 10), page(planes(11, 12), 12, 10)];
    expect(await listed(...pages)).to.deep.equal([12, ["1", "2"]]);
  });

  it("lists a control plane once when it moves from one page to the next", async () => {
    const pages = [page(planes(1, 100), 101), page(planes(100, 101), 101)];
    expect(await listed(...pages)).to.deep.equal([101, ["1", "2"]]);
  });

  it("has the facts of the last request", async () => {
    const { facts } = await list(
      new FakeService([page(planes(1, 100), 130), unavailable, page(planes(101, 130), 130)]),
    );
    expect(facts).to.include({ attempts: 2, status: 200 });
  });

  it("has the earliest and the latest time that its answers and the machine's clock show", async () => {
    const dated = (answer: Reply, date: string) => ({ ...answer, date });
    const { time } = await list(
      new FakeService([
        dated(page(planes(1, 100), 130), "Wed, 31 Dec 2025 23:00:00 GMT"),
        dated(page(planes(101, 130), 130), "Thu, 01 Jan 2026 01:00:00 GMT"),
      ]),
    );
    expect(time).to.deep.equal({
      earliestMs: Date.UTC(2025, 11, 31, 23),
      latestMs: Date.UTC(2026, 0, 1, 1),
    });
  });

  it("fails when the service repeats a page, because it ignores page numbers", async () => {
    const service = new FakeService([page(planes(1, 100), 100), page(planes(1, 100), 100)]);
    const error = await failureOf(list(service));
    expect(error).to.include({ kind: "foreign" });
    expect(error.message.split("\n").slice(0, 2)).to.deep.equal([
      "200 OK, not from the service: the control planes at https://eu.api.konghq.com/v2 could not be listed",
      "  The same page came again, so the list has no end.",
    ]);
    expect(service.requests).to.have.length(2);
  });

  for (const [what, answer] of [
    ["is too large", reply(200, { data: [] }, { bodyEnd: "too large" })],
    ["repeats the token", reply(200, "", { bodyEnd: "withheld" })],
    ["is a page of a portal", reply(200, "<html>")],
    ["is that of another status", reply(202, { data: [] })],
  ] as const) {
    it(`never takes an answer for an empty list that ${what}`, async () => {
      const service = new FakeService([answer]);
      expect(await failureOf(list(service))).to.include({ kind: "foreign" });
      expect(service.requests).to.have.length(1);
    });
  }

  it("asks again when the body of a list breaks off", async () => {
    const broken = reply(200, '{"data":[', { bodyEnd: "broken off" });
    expect(await listed(broken, page([], 0))).to.deep.equal([0, ["1", "1"]]);
  });

  it("fails when the token may not list, and asks for a role that may", async () => {
    const detail = "The role-set of [sa-ci] does not allow this action.";
    const denied = problemReply(403, "Permission denied", { detail });
    expect((await failureOf(list(new FakeService([denied])))).message.split("\n")).to.deep.equal([
      "403 Permission denied: the control planes at https://eu.api.konghq.com/v2 could not be listed",
      `  ${detail}`,
      "",
      "  request   GET https://eu.api.konghq.com/v2/control-planes?page%5Bsize%5D=100&page%5Bnumber%5D=1&sort=created_at&filter%5Bname%5D%5Bcontains%5D=cp",
      "  trace     konnect:trace:403",
      "  attempts  1 in 0.0 s",
      "  token     system account token from KONNECT_SPAT",
      "  next      give the system account a role that may read control planes, then run again",
    ]);
  });

  it("fails with a 404, which proves nothing about a list", async () => {
    expect(await failureOf(list(new FakeService([gone])))).to.be.instanceOf(ControlPlaneError);
  });
});

describe("listing control planes by their ids", () => {
  it("sends no request for no ids", async () => {
    expect(await listIds(new FakeService([]), [])).to.deep.equal([]);
  });

  it("sends one request for a full hundred, and ends when all are there", async () => {
    const service = new FakeService([page(planes(1, 100), 100)]);
    const found = await listIds(
      service,
      planes(1, 100).map(({ id }) => id),
    );
    expect(found).to.have.length(100);
    expect(service.requests).to.have.length(1);
  });

  it("asks for a hundred ids with each request", async () => {
    const byIds: Step = ({ url }) => {
      const ids = new URL(url).searchParams.get("filter[id][oeq]")?.split(",") ?? [];
      return page(
        ids.map((id) => ({ id, name: "x" })),
        ids.length,
      );
    };
    const service = new FakeService([byIds, byIds, byIds]);
    const ids = planes(1, 201).map(({ id }) => id);
    expect((await listIds(service, ids)).map(({ controlPlane }) => controlPlane.id)).to.have.members(ids);
    const sizes = askedFor(service, "filter[id][oeq]").map((value) => value?.split(",").length);
    expect(sizes).to.deep.equal([100, 100, 1]);
  });

  it("leaves out what the service lists although nobody asked for it", async () => {
    const service = new FakeService([page(planes(1, 3), 3)]);
    const found = await listIds(service, [idOf(2), idOf(9)]);
    expect(found.map(({ controlPlane }) => controlPlane.id)).to.deep.equal([idOf(2)]);
  });
});

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
    const silence = async (more: Partial<Reply>) => {
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
    for (const pages of [[page([], 7)], [page([{}, {}], 3)], [page([{}], 3, "c2"), page([{}], 2)]]) {
      const error = await failureOf(nodesOf(new FakeService(pages)));
      expect(error).to.include({ kind: "foreign" });
      expect(error.message).to.contain(
        "  The pages hold fewer nodes than the total says, so nobody knows whether one is connected.\n",
      );
    }
  });

  it("fails when the service repeats a cursor", async () => {
    const service = new FakeService([nodes([], "c2"), nodes([], "c2")]);
    const { message } = await failureOf(nodesOf(service));
    expect(message).to.contain("  The same page came again, so the list has no end.");
    expect(message).to.contain("was not deleted");
  });

  it("is undefined after the service's own 404, and fails after any other", async () => {
    expect(await nodesOf(new FakeService([gone]))).to.equal(undefined);
    const other = new FakeService([reply(404, "<html>")]);
    expect(await failureOf(nodesOf(other))).to.include({ kind: "foreign" });
  });

  it("fails when they may not be read, and says what that means for the deletion", async () => {
    const { message } = await failureOf(nodesOf(new FakeService([problemReply(403, "Permission denied")])));
    expect(message.split("\n")).to.deep.equal([
      `403 Permission denied: control plane ${ref.id} was not deleted`,
      "  Its nodes could not be read, so nobody knows whether one is connected.",
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
  it("is undefined after the service's own 404, and fails after any other", async () => {
    expect(await countOf(new FakeService([gone]))).to.equal(undefined);
    const other = new FakeService([reply(404, "<html>")]);
    expect(await failureOf(countOf(other))).to.include({ kind: "foreign" });
  });

  it("fails when they may not be read, and says what that means for the deletion", async () => {
    const { message } = await failureOf(countOf(new FakeService([problemReply(403, "Permission denied")])));
    expect(message).to.contain("  Its plugins could not be counted, so nobody knows whether it is empty.\n");
  });

  it("never takes a body that was cut for an empty list", async () => {
    const cut = reply(200, { data: [] }, { bodyEnd: "too large" });
    expect(await failureOf(countOf(new FakeService([cut])))).to.include({ kind: "foreign" });
  });
});
