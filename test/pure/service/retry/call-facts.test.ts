import { expect } from "chai";
import {
  type CallFacts,
  factsOf,
  joinFacts,
  joinTimes,
  timeOf,
  traceIdsOf,
} from "../../../../provider/service/retry/call.js";
import { runCall } from "../../../../provider/service/caller.js";
import { safe } from "../../../../provider/text/safe-text.js";
import { deleted, noReply, problemReply, reply, unavailable } from "../answers.js";
import { after, callOf, FakeService, limits, type Step } from "../fake-service.js";

async function factsAfter(...steps: readonly Step[]): Promise<CallFacts> {
  const service = new FakeService(steps);
  return factsOf(await runCall(callOf(service, { limits: { ...limits, maxAttempts: 2 } }), service.effects));
}

describe("factsOf", () => {
  it("counts attempts and time from the first attempt to the last answer", async () => {
    expect(await factsAfter(after(200, unavailable), after(300, deleted))).to.deep.equal({
      attempts: 2,
      startedAtMs: Date.UTC(2026, 0, 1),
      durationMs: 1_000,
      waitedMs: 500,
      status: 204,
      earlierTraceIds: ["konnect:trace:503"],
      timeline: [
        { atMs: 0, durationMs: 200, status: 503 },
        { atMs: 700, durationMs: 300, status: 204 },
      ],
      tokenSource: "system account token from KONNECT_SPAT",
    });
  });

  it("holds the status and the trace of the last answer", async () => {
    expect(await factsAfter(unavailable, problemReply(403, "Permission denied"))).to.include({
      status: 403,
      traceId: "konnect:trace:403",
    });
  });

  it("holds the traces of all answers, oldest first", async () => {
    const facts = await factsAfter(unavailable, problemReply(403, "Permission denied"));
    expect(traceIdsOf(facts)).to.deep.equal(["konnect:trace:503", "konnect:trace:403"]);
    expect(traceIdsOf(await factsAfter(unavailable, deleted))).to.deep.equal(["konnect:trace:503"]);
    expect(traceIdsOf(await factsAfter(deleted))).to.deep.equal([]);
  });

  it("has neither status nor trace when no answer arrived", async () => {
    expect(await factsAfter(noReply("timed out"), noReply("timed out"))).not.to.have.any.keys(
      "status",
      "traceId",
    );
  });

  it("makes a trace safe and cuts it at 120 characters", async () => {
    const instance = `::error::${"x".repeat(200)}`;
    const { traceId } = await factsAfter(problemReply(403, "No", { instance }));
    expect(traceId).to.equal(`: :error::${"x".repeat(110)}… (90 more characters)`);
  });
});

describe("joinFacts", () => {
  it("adds up two calls, and keeps the status, the trace and the token of the second", () => {
    const first = {
      attempts: 2,
      startedAtMs: 1_000,
      durationMs: 700,
      waitedMs: 500,
      status: 200,
      traceId: safe`konnect:trace:1`,
      timeline: [
        { atMs: 0, durationMs: 100, status: 503 },
        { atMs: 600, durationMs: 100, status: 200 },
      ],
      tokenSource: safe`the old token`,
    };
    const second = {
      attempts: 2,
      startedAtMs: 1_750,
      durationMs: 900,
      waitedMs: 600,
      status: 404,
      traceId: safe`konnect:trace:2`,
      timeline: [
        { atMs: 0, durationMs: 50 },
        { atMs: 400, durationMs: 100, status: 404 },
      ],
      tokenSource: safe`the new token`,
    };
    expect(joinFacts(first, second)).to.deep.equal({
      attempts: 4,
      startedAtMs: 1_000,
      durationMs: 1_600,
      waitedMs: 1_100,
      status: 404,
      traceId: "konnect:trace:2",
      earlierTraceIds: ["konnect:trace:1"],
      timeline: [
        { atMs: 0, durationMs: 100, status: 503 },
        { atMs: 600, durationMs: 100, status: 200 },
        { atMs: 750, durationMs: 50 },
        { atMs: 1_150, durationMs: 100, status: 404 },
      ],
      tokenSource: "the new token",
    });
  });

  it("has the attempts of both calls one after the other, also when the machine's clock is set back", () => {
    const call = { attempts: 1, startedAtMs: 5_000, durationMs: 30, waitedMs: 0, tokenSource: safe`a token` };
    const { timeline } = joinFacts({ ...call, status: 202 }, { ...call, startedAtMs: 1_000, durationMs: 40 });
    expect(timeline).to.deep.equal([
      { atMs: 0, durationMs: 30, status: 202 },
      { atMs: 30, durationMs: 40 },
    ]);
  });

  it("keeps those of the first call when the second made no attempt", () => {
    const first = { attempts: 1, startedAtMs: 2, durationMs: 3, waitedMs: 4, tokenSource: safe`a token` };
    const answered = { ...first, status: 200, traceId: safe`konnect:trace:1` };
    expect(joinFacts(answered, { ...first, attempts: 0, durationMs: 0, waitedMs: 0 })).to.deep.equal(
      answered,
    );
  });

  it("has neither status nor trace when the second call has none", () => {
    const lost = { attempts: 1, startedAtMs: 2, durationMs: 3, waitedMs: 4, tokenSource: safe`a token` };
    const joined = joinFacts({ ...lost, status: 200, traceId: safe`konnect:trace:1` }, lost);
    expect(joined).not.to.have.any.keys("status", "traceId");
  });
});

const NOW_MS = Date.UTC(2026, 0, 1);

/** The time of an answer that takes two seconds to arrive, by the clock of the machine on 1 January 2026. */
async function timeWith(date?: string) {
  const answer = after(2_000, reply(204, "", date === undefined ? {} : { date }));
  const service = new FakeService([answer]);
  return timeOf(await runCall(callOf(service), service.effects));
}

describe("the time of an answer", () => {
  for (const [what, date, earliestMs, latestMs] of [
    ["has no Date", undefined, NOW_MS + 2_000, NOW_MS + 2_000],
    ["has a Date that is malformed", "yesterday", NOW_MS + 2_000, NOW_MS + 2_000],
    ["has an earlier Date", "Wed, 31 Dec 2025 23:54:00 GMT", NOW_MS - 360_000, NOW_MS + 2_000],
    ["has a later Date", "Thu, 01 Jan 2026 00:06:00 GMT", NOW_MS + 2_000, NOW_MS + 360_000],
  ] as const) {
    it(`lies between the clock of the machine and the answer's own when the answer ${what}`, async () => {
      expect(await timeWith(date)).to.deep.equal({ earliestMs, latestMs });
    });
  }

  it("is that of the machine when there was no answer", async () => {
    const service = new FakeService([noReply("timed out"), deleted]);
    const once = { limits: { ...limits, maxAttempts: 1 } };
    const end = await runCall(callOf(service, once), service.effects);
    expect(timeOf(end)).to.deep.equal({ earliestMs: NOW_MS, latestMs: NOW_MS });
  });

  it("spans all answers that are joined", () => {
    expect(joinTimes({ earliestMs: 3, latestMs: 5 }, { earliestMs: 2, latestMs: 4 })).to.deep.equal({
      earliestMs: 2,
      latestMs: 5,
    });
  });
});
