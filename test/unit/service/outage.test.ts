import { setMaxListeners } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import type { Answer } from "../../../provider/service/answer.js";
import type { Settled } from "../../../provider/service/call.js";
import { settle } from "../../../provider/service/settle.js";
import { createPacer } from "../../../provider/service/pacer.js";
import type { Request } from "../../../provider/service/transport.js";
import { deleted, noReply, reply, target, unavailable } from "./answers.js";
import { callOf, FakeService, VirtualClock } from "./fake-effects.js";

const PARALLEL = 8;
const LATENCY_MS = 200;
/** Longer than the short looks that a call gets once nothing has succeeded for a whole budget. */
const SLOW_MS = 3_000;

/** What an address does to a request while it is out of order. */
type Outage = (request: Request, clock: VirtualClock) => Promise<Answer>;

const never = new AbortController().signal;
const answerAfter = async (clock: VirtualClock, ms: number, answer: Answer) => {
  await clock.sleep(ms, never);
  return answer;
};
const OUTAGES: Readonly<Record<string, Outage>> = {
  "503": (_request, clock) => answerAfter(clock, LATENCY_MS, unavailable),
  "connection refused": () => Promise.resolve(noReply("connection refused")),
  "no answer": (request, clock) => answerAfter(clock, request.timeoutMs, noReply("timed out")),
};

/** What a destroy of many came to, in virtual time. */
interface Teardown {
  readonly ends: readonly Settled[];
  readonly tookMs: number;
  /** When each request was sent, from the start on. */
  readonly sentMs: readonly number[];
  readonly mostInFlight: (fromMs: number, toMs: number) => number;
}

/** Deletes many, eight hooks at a time as the engine does, while the service is out of order for a time. */
async function tearDown(
  planes: number,
  outage: Outage,
  outOfOrder: { fromMs: number; toMs: number },
  random: () => number,
  latencyMs = LATENCY_MS,
): Promise<Teardown> {
  const service = new FakeService([]);
  setMaxListeners(0, service.stopping.signal, never);
  const { clock } = service;
  const startedMs = clock.now();
  const nowMs = () => clock.now() - startedMs;
  const requests: { readonly fromMs: number; toMs: number }[] = [];
  const effects = {
    ...service.effects,
    pacer: createPacer(PARALLEL, clock),
    random,
    send: async (request: Request) => {
      const entry = { fromMs: nowMs(), toMs: Infinity };
      requests.push(entry);
      const isOut = entry.fromMs >= outOfOrder.fromMs && entry.fromMs < outOfOrder.toMs;
      const answer = await (isOut ? outage(request, clock) : answerAfter(clock, latencyMs, deleted));
      entry.toMs = nowMs();
      return answer;
    },
  };
  let left = planes;
  const ends: Settled[] = [];
  const hooks = Array.from({ length: PARALLEL }, async () => {
    while (left > 0) {
      left -= 1;
      ends.push(await settle(callOf(service), effects));
    }
  });
  await Promise.all(hooks);
  return {
    ends,
    tookMs: nowMs(),
    sentMs: requests.map(({ fromMs }) => fromMs),
    mostInFlight: (from, to) =>
      Math.max(
        0,
        ...requests
          .filter(({ fromMs }) => fromMs >= from && fromMs < to)
          .map(({ fromMs: at }) => requests.filter(({ fromMs, toMs }) => fromMs <= at && at < toMs).length),
      ),
  };
}

/** Evenly spread numbers from 0 to 1, another row of them for each seed. Source: mulberry32. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
const seed = () => fc.integer();
const RUNS = { numRuns: 10 };

describe("an outage of an address", function () {
  this.timeout(60_000);

  for (const [what, outage] of Object.entries(OUTAGES)) {
    it(`of one minute (${what}) in the middle of 300 deletions costs a pause and no failure`, async () => {
      const window = { fromMs: 4_000, toMs: 64_000 };
      await fc.assert(
        fc.asyncProperty(seed(), async (row) => {
          const { ends, tookMs, sentMs, mostInFlight } = await tearDown(300, outage, window, drawn(row));
          expect(ends.filter(({ row: { verdict } }) => verdict !== "done")).to.deep.equal([]);
          expect(tookMs).to.be.below(64_000 + 60_000);
          const probes = sentMs.filter((ms) => ms >= 10_000 && ms < 64_000).length;
          expect(probes, "requests during the outage, once it is known").to.be.below(100);
          expect(probes).to.be.at.least(1);
          // The first eight may wait for half a minute, until it is known.
          expect(mostInFlight(35_000, 64_000), "probes at a time").to.be.at.most(1);
        }),
        RUNS,
      );
    });

    it(`that does not end (${what}) fails 200 deletions within six minutes, and says why`, async () => {
      await fc.assert(
        fc.asyncProperty(seed(), async (row) => {
          const { ends, tookMs, sentMs } = await tearDown(
            200,
            outage,
            { fromMs: 0, toMs: Infinity },
            drawn(row),
          );
          expect(ends).to.have.length(200);
          expect(new Set(ends.map(({ row: { verdict } }) => verdict))).to.deep.equal(new Set(["retry"]));
          expect(tookMs).to.be.within(300_000, 360_000);
          const given = ends.filter(({ stop }) => stop === "nothing succeeds");
          expect(given.length).to.be.at.least(150);
          expect(Math.max(...given.slice(PARALLEL).map(({ attempts }) => attempts))).to.be.at.most(10);
          expect(sentMs.length).to.be.below(600);
        }),
        RUNS,
      );
    });
  }

  it("that ends is over for all at once, with the first success", async () => {
    const window = { fromMs: 0, toMs: 30_000 };
    const { ends, sentMs } = await tearDown(8, OUTAGES["503"]!, window, () => 0.5);
    const after = sentMs.filter((ms) => ms >= 30_000);
    expect(ends.map(({ row: { verdict } }) => verdict)).to.deep.equal(Array(8).fill("done"));
    // One probe that succeeds, then the others together.
    expect(after).to.have.length(8);
    expect(Math.max(...after) - (after[0] ?? 0)).to.be.below(8_500);
  });

  for (const wish of [30, 60, 100, 150, 250]) {
    it(`that does not end, with Retry-After: ${wish}, still fails 200 deletions within nine minutes`, async () => {
      const limited = reply(503, "", { retryAfter: String(wish) });
      const outage: Outage = (_request, clock) => answerAfter(clock, LATENCY_MS, limited);
      const { ends, tookMs } = await tearDown(200, outage, { fromMs: 0, toMs: Infinity }, drawn(wish));
      expect(ends.filter(({ stop }) => stop === undefined)).to.deep.equal([]);
      expect(tookMs).to.be.below(540_000);
    });
  }

  it("that lasts longer than a budget fails few, also when the service is slow after it", async () => {
    const window = { fromMs: 0, toMs: 301_000 };
    const { ends } = await tearDown(300, OUTAGES["503"]!, window, drawn(1), SLOW_MS);
    const failed = ends.filter(({ row: { verdict } }) => verdict !== "done");
    expect(failed.length).to.be.below(100);
  });

  it("of one control plane that never answers is not one of the others, however small the budget", async () => {
    const service = new FakeService([]);
    setMaxListeners(0, service.stopping.signal, never);
    const { clock } = service;
    const hanging = "9524ec7d-36d9-465d-a8c5-000000000000";
    const send = async (request: Request) => {
      const hangs = request.target.id === hanging;
      const answer = hangs ? noReply("timed out") : deleted;
      const tookMs = hangs ? request.timeoutMs : SLOW_MS;
      return tookMs > request.timeoutMs
        ? answerAfter(clock, request.timeoutMs, noReply("timed out"))
        : answerAfter(clock, tookMs, answer);
    };
    const effects = { ...service.effects, pacer: createPacer(1, clock), send };
    const limits = { maxAttempts: 10, budgetMs: 10_000, requestTimeoutMs: 30_000 };
    const outcomes: string[] = [];
    for (const id of [hanging, ...Array.from({ length: 9 }, () => callOf(service).target.id)]) {
      const { row } = await settle(callOf(service, { target: { ...target, id }, limits }), effects);
      outcomes.push(row.verdict);
    }
    expect(outcomes).to.deep.equal(["retry", ...Array<string>(9).fill("done")]);
  });

  it("leaves a call that is alone as it is: its own delays and attempts", async () => {
    const service = new FakeService(Array<Answer>(10).fill(unavailable));
    const settled = await settle(callOf(service), service.effects);
    expect(settled).to.include({ attempts: 10, stop: "attempts used up", elapsedMs: 75_500 });
  });
});
