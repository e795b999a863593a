import { setMaxListeners } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import type { Answer } from "../../../../provider/service/http/answer.js";
import type { HttpRequest } from "../../../../provider/service/http/transport.js";
import { AttemptGate } from "../../../../provider/service/retry/attempt-gate.js";
import type { CallEnd } from "../../../../provider/service/retry/call.js";
import type { Limits } from "../../../../provider/service/retry/judge.js";
import { runCall } from "../../../../provider/service/caller.js";
import { deleted, noReply, ref, reply, unavailable } from "../answers.js";
import { drawn } from "../drawn-numbers.js";
import { callOf, FakeService, limits as usualLimits, VirtualClock } from "../fake-service.js";

const PARALLEL = 8;
const LATENCY_MS = 200;
/** Longer than the short attempt of a call when nothing has succeeded for a whole budget. */
const SLOW_MS = 3_000;

/** What an address does to a request while it is out of order. */
type Outage = (request: HttpRequest, clock: VirtualClock) => Promise<Answer>;

const never = new AbortController().signal;
const answerAfter = async (clock: VirtualClock, ms: number, answer: Answer) => {
  await clock.sleep(ms, never);
  return answer;
};
const OUTAGES: Readonly<Record<string, Outage>> = {
  "503": (_request, clock) => answerAfter(clock, LATENCY_MS, unavailable),
  "connection refused": () => Promise.resolve(noReply("connection refused")),
  "no answer": (request, clock) => answerAfter(clock, request.timeLimitMs, noReply("timed out")),
};

/** How a destroy of many ended, in virtual time. */
interface Teardown {
  readonly ends: readonly CallEnd<unknown>[];
  readonly tookMs: number;
  /** When each request was sent, in milliseconds from the start. */
  readonly sentMs: readonly number[];
  readonly mostInFlight: (fromMs: number, toMs: number) => number;
}

/** Deletes many, eight hooks at a time as the engine does, while the service is out of order for a time. */
async function tearDown(
  planes: number,
  outage: Outage,
  outOfOrder: { fromMs: number; toMs: number },
  random: () => number,
  { latencyMs = LATENCY_MS, limits = usualLimits }: { latencyMs?: number; limits?: Limits } = {},
): Promise<Teardown> {
  const service = new FakeService([]);
  setMaxListeners(0, service.stopping.signal, never);
  const { clock } = service;
  const startedMs = clock.now();
  const nowMs = () => clock.now() - startedMs;
  const requests: { readonly fromMs: number; toMs: number }[] = [];
  const effects = {
    ...service.effects,
    gate: new AttemptGate(PARALLEL, limits, clock),
    random,
    send: async (request: HttpRequest) => {
      const entry = { fromMs: nowMs(), toMs: Infinity };
      requests.push(entry);
      const isOut = entry.fromMs >= outOfOrder.fromMs && entry.fromMs < outOfOrder.toMs;
      const answer = await (isOut ? outage(request, clock) : answerAfter(clock, latencyMs, deleted));
      entry.toMs = nowMs();
      return answer;
    },
  };
  let left = planes;
  const ends: CallEnd<unknown>[] = [];
  const hooks = Array.from({ length: PARALLEL }, async () => {
    while (left > 0) {
      left -= 1;
      ends.push(await runCall(callOf(service, { limits }), effects));
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

const seed = () => fc.integer();
const RUNS = { numRuns: 4 };

describe("an outage of an address", function () {
  this.timeout(60_000);

  for (const [what, outage] of Object.entries(OUTAGES)) {
    it(`of one minute (${what}) in the middle of 300 deletions costs a pause and no failure`, async () => {
      const window = { fromMs: 4_000, toMs: 64_000 };
      await fc.assert(
        fc.asyncProperty(seed(), async (row) => {
          const { ends, tookMs, sentMs, mostInFlight } = await tearDown(300, outage, window, drawn(row));
          expect(ends.filter(({ judgment }) => judgment.verdict !== "done")).to.deep.equal([]);
          expect(tookMs).to.be.below(64_000 + 60_000);
          const probes = sentMs.filter((ms) => ms >= 10_000 && ms < 64_000).length;
          expect(probes, "requests during the outage, once it is known").to.be.below(100);
          expect(probes).to.be.at.least(1);
          // The first eight can take half a minute to show it.
          expect(mostInFlight(35_000, 64_000), "probes at a time").to.be.at.most(1);
        }),
        RUNS,
      );
    });

    it(`without an end (${what}) fails 200 deletions within six minutes, and says why`, async () => {
      await fc.assert(
        fc.asyncProperty(seed(), async (row) => {
          const { ends, tookMs, sentMs } = await tearDown(
            200,
            outage,
            { fromMs: 0, toMs: Infinity },
            drawn(row),
          );
          expect(ends).to.have.length(200);
          expect(new Set(ends.map(({ judgment }) => judgment.verdict))).to.deep.equal(new Set(["retry"]));
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

  it("is over for all calls with the first success", async () => {
    const window = { fromMs: 0, toMs: 30_000 };
    const { ends, sentMs } = await tearDown(8, OUTAGES["503"]!, window, () => 0.5);
    const after = sentMs.filter((ms) => ms >= 30_000);
    expect(ends.map(({ judgment }) => judgment.verdict)).to.deep.equal(Array(8).fill("done"));
    // One probe succeeds, then the others start together.
    expect(after).to.have.length(8);
    expect(Math.max(...after) - (after[0] ?? 0)).to.be.below(8_500);
  });

  for (const wish of [30, 60, 100, 150, 250]) {
    it(`without an end and with Retry-After: ${wish} fails 200 deletions within nine minutes`, async () => {
      const limited = reply(503, "", { retryAfter: String(wish) });
      const outage: Outage = (_request, clock) => answerAfter(clock, LATENCY_MS, limited);
      const { ends, tookMs } = await tearDown(200, outage, { fromMs: 0, toMs: Infinity }, drawn(wish));
      expect(ends.filter(({ stop }) => stop === undefined)).to.deep.equal([]);
      expect(tookMs).to.be.below(540_000);
    });
  }

  it("without answers fails 200 deletions within six minutes, also when an attempt may take 150 seconds", async () => {
    const limits = { ...usualLimits, requestTimeoutMs: 150_000 };
    const always = { fromMs: 0, toMs: Infinity };
    const { ends, tookMs } = await tearDown(200, OUTAGES["no answer"]!, always, drawn(1), { limits });
    expect(ends.filter(({ stop }) => stop === undefined)).to.deep.equal([]);
    expect(tookMs).to.be.below(370_000);
  });

  it("without answers fails 200 deletions within the budget and a fifth, also when an attempt may take an hour", async () => {
    const limits = { ...usualLimits, requestTimeoutMs: 3_600_000, budgetMs: 7_200_000 };
    const always = { fromMs: 0, toMs: Infinity };
    const { ends, tookMs } = await tearDown(200, OUTAGES["no answer"]!, always, drawn(1), { limits });
    expect(ends.filter(({ stop }) => stop === undefined)).to.deep.equal([]);
    expect(tookMs).to.be.below(7_200_000 * 1.2);
  });

  it("that lasts longer than a budget fails few deletions, also when the service is slow after it", async () => {
    const window = { fromMs: 0, toMs: 301_000 };
    const { ends } = await tearDown(300, OUTAGES["503"]!, window, drawn(1), { latencyMs: SLOW_MS });
    const failed = ends.filter(({ judgment }) => judgment.verdict !== "done");
    expect(failed.length).to.be.below(100);
  });

  it("of one control plane that never answers does not fail the others, however small the budget", async () => {
    const service = new FakeService([]);
    setMaxListeners(0, service.stopping.signal, never);
    const { clock } = service;
    const hanging = "9524ec7d-36d9-465d-a8c5-000000000000";
    const send = async (request: HttpRequest) => {
      const hangs = request.url.endsWith(hanging);
      const answer = hangs ? noReply("timed out") : deleted;
      const tookMs = hangs ? request.timeLimitMs : SLOW_MS;
      return tookMs > request.timeLimitMs
        ? answerAfter(clock, request.timeLimitMs, noReply("timed out"))
        : answerAfter(clock, tookMs, answer);
    };
    const limits = { maxAttempts: 10, budgetMs: 10_000, requestTimeoutMs: 30_000 };
    const effects = { ...service.effects, gate: new AttemptGate(1, limits, clock), send };
    const outcomes: string[] = [];
    for (const id of [hanging, ...Array.from({ length: 9 }, () => ref.id)]) {
      const operation = { ...callOf(service).operation, path: `/control-planes/${id}` };
      const { judgment } = await runCall(callOf(service, { operation, limits }), effects);
      outcomes.push(judgment.verdict);
    }
    expect(outcomes).to.deep.equal(["retry", ...Array<string>(9).fill("done")]);
  });

  it("does not change the delays and attempts of a call that is alone", async () => {
    const service = new FakeService(Array<Answer>(10).fill(unavailable));
    const end = await runCall(callOf(service), service.effects);
    expect(end).to.include({ attempts: 10, stop: "attempts used up", durationMs: 75_500 });
  });
});
