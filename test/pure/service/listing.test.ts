import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Reply } from "../../../provider/service/http/answer.js";
import { gone, problemReply, ref, reply, unavailable } from "./answers.js";
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

  it("asks for one more page where a total may count control planes or pages", async () => {
    const pages = [page(planes(1, 2), 2, 2), page(planes(3, 4), 2, 2), page([], 2, 2)];
    expect(await listed(...pages), "pages").to.deep.equal([4, ["1", "2", "3"]]);
    const claimed = [page(planes(1, 2), 2), page(planes(3, 4), 2)];
    expect(await listed(...claimed), "pages that are shorter than their size").to.deep.equal([4, ["1", "2"]]);
    expect(await listed(page(planes(1, 2), 2), page([], 2)), "control planes").to.deep.equal([2, ["1", "2"]]);
    expect(await listed(page(planes(1, 1), 1)), "one of each").to.deep.equal([1, ["1"]]);
  });

  it("reads ten capped pages of ten when the total counts pages", async () => {
    const pages = Array.from({ length: 10 }, (_, n) => page(planes(10 * n + 1, 10 * n + 10), 10));
    const [count, numbers] = await listed(...pages);
    expect([count, numbers.length]).to.deep.equal([100, 10]);
  });

  it("takes the only page of a service that ignores page numbers, when it is whole by its total", async () => {
    const only = page(planes(1, 5), 5);
    expect(await listed(only, only)).to.deep.equal([5, ["1", "2"]]);
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
  });

  it("takes smaller pages than it asked for when the service allows no larger ones", async () => {
    const pages = [page(planes(1, 10), 12, 10), page(planes(11, 12), 12, 10)];
    expect(await listed(...pages)).to.deep.equal([12, ["1", "2"]]);
  });

  const whole = [page(planes(1, 100), 130), page(planes(101, 130), 130)];
  for (const [what, ...shifted] of [
    ["the total changes", page(planes(1, 100), 131), page(planes(102, 131), 130)],
    ["a page is gone before it is read", page(planes(1, 100), 101), page([], 100)],
    ["an entry comes twice", page(planes(1, 100), 130), page(planes(100, 129), 130)],
    ["a page only repeats what is known", page(planes(1, 100), 101), page(planes(100, 100), 101)],
    ["a page that the total counts is gone", page(planes(1, 100), 3), page(planes(101, 200), 3), page([], 2)],
    ["the total is too large", page(planes(1, 3), 9), page([], 9)],
    ["the total is too small", page(planes(1, 50), 20), page(planes(51, 60), 20), page([], 20)],
  ] as const) {
    it(`is read again because it may lack entries when ${what}`, async () => {
      const [count, numbers] = await listed(...shifted, ...whole);
      expect([count, numbers]).to.deep.equal([130, [...shifted.map((_, n) => String(n + 1)), "1", "2"]]);
    });
  }

  it("fails when it changes each time that it is read, with growing pauses", async () => {
    const steps = Array.from({ length: 5 }, () => [page(planes(1, 100), 131), page(planes(102, 131), 130)]);
    const service = new FakeService(steps.flat());
    const error = await failureOf(list(service));
    expect(error).to.include({ kind: "unavailable" });
    expect(error.message.split("\n").slice(0, 2)).to.deep.equal([
      "200 OK: the control planes at https://eu.api.konghq.com/v2 could not be listed",
      "  The list changed each time while its pages were read, so some control planes may be missing.",
    ]);
    expect(service.clock.sleeps).to.deep.equal([1_000, 2_000, 4_000, 8_000]);
    expect(service.left).to.equal(0);
  });

  it("fails when its pages never hold as many control planes as its total says", async () => {
    const steps = Array.from({ length: 5 }, () => [page(planes(1, 3), 9), page([], 9)]);
    const error = await failureOf(list(new FakeService(steps.flat())));
    expect(error).to.include({ kind: "foreign" });
    expect(error.message.split("\n")[1]).to.equal(
      "  The pages hold another number of control planes than the total says, so some may be missing.",
    );
  });

  describe("reliably", () => {
    const listReliably = async (...steps: readonly Step[]) => {
      const service = new FakeService(steps);
      const work = service.client().listReliably(ref.address, { nameContains: "cp" }, service.scope);
      const end = await work.catch((error: unknown) => error as ControlPlaneError);
      const ids =
        "controlPlanes" in end ? end.controlPlanes.map(({ id }) => Number(id.slice(-12))) : end.message;
      return { ids, left: service.left, sleeps: service.clock.sleeps };
    };
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
    const first = page(planes(1, 100), 130);

    it("reads a list of one page once", async () => {
      const { ids, left } = await listReliably(page(planes(1, 30), 30), page([], 30));
      expect([ids, left]).to.deep.equal([numbers(1, 30), 0]);
    });

    it("reads a list of several pages twice, because one reading may lack an entry whose place has moved", async () => {
      // The first one is deleted and another one is created after the first page was read: 101 is on neither page.
      const moved = [first, page(planes(102, 131), 130)];
      const without = [page(planes(2, 101), 130), page(planes(102, 131), 130)];
      const { ids, sleeps } = await listReliably(...moved, ...without, ...without);
      expect(ids).to.deep.equal(numbers(2, 131));
      expect(sleeps).to.deep.equal([1_000]);
    });

    it("counts the second reading when it lacks nothing of the first", async () => {
      const grown = [page(planes(1, 100), 131), page(planes(101, 131), 131)];
      const { ids, sleeps } = await listReliably(...whole, ...grown);
      expect([ids, sleeps]).to.deep.equal([numbers(1, 131), []]);
    });

    it("fails when each reading lacks something of the one before", async () => {
      const other = [page(planes(2, 101), 130), page(planes(102, 131), 130)];
      const steps = [...whole, ...other, ...whole, ...other, ...whole, ...other];
      const { ids, left, sleeps } = await listReliably(...steps);
      expect(ids).to.contain("The list changed each time while its pages were read");
      expect([left, sleeps]).to.deep.equal([0, [1_000, 2_000, 4_000, 8_000]]);
    });
  });

  it("is not read again once the run is being stopped", async () => {
    const service = new FakeService([page(planes(1, 3), 9), page([], 9)]);
    service.clock.onSleep = () => service.stopping.abort();
    expect(await failureOf(list(service))).to.include({ kind: "foreign" });
    expect(service.left).to.equal(0);
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
    it(`never takes an answer that ${what} for an empty list`, async () => {
      const service = new FakeService([answer]);
      expect(await failureOf(list(service))).to.include({ kind: "foreign" });
      expect(service.requests).to.have.length(1);
    });
  }

  it("fails with the next step of a wrong address after the service's own 404", async () => {
    const error = await failureOf(list(new FakeService([gone])));
    expect(error).to.include({ kind: "missing" });
    expect(error.message).to.contain("\n  next      correct the address");
  });

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
  it("uses what it gets from a service that ignores both the ids and the page numbers", async () => {
    const same = reply(200, { data: planes(1, 3) });
    const found = await listIds(new FakeService([same, same]), [idOf(2), idOf(9)]);
    expect(found.map(({ controlPlane }) => controlPlane.id)).to.deep.equal([idOf(2)]);
  });

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

  it("takes what is listed although others are gone, because those are read one by one", async () => {
    const ids = planes(1, 5).map(({ id }) => id);
    const twice = page([plane(1), plane(1)], 2);
    const service = new FakeService([page(planes(1, 3), 3), page(planes(1, 3), 9), page([], 9), twice]);
    expect(await listIds(service, ids)).to.have.length(3);
    expect(service.requests).to.have.length(1);
    expect(await listIds(service, ids)).to.have.length(3);
    expect(await listIds(service, ids)).to.have.length(1);
    expect(service.left).to.equal(0);
  });

  it("leaves out what the service lists although nobody asked for it", async () => {
    const service = new FakeService([page(planes(1, 3), 3)]);
    const found = await listIds(service, [idOf(2), idOf(9)]);
    expect(found.map(({ controlPlane }) => controlPlane.id)).to.deep.equal([idOf(2)]);
  });
});
