import { expect } from "chai";
import { joinTimes, timeOf } from "../../../provider/service/answer-time.js";
import { runCall } from "../../../provider/service/retry/run-call.js";
import { deleted, noReply, reply } from "./answers.js";
import { after, callOf, FakeService, limits } from "./fake-service.js";

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
