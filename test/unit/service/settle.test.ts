import { expect } from "chai";
import type { Call } from "../../../provider/service/call.js";
import { settle } from "../../../provider/service/settle.js";
import { Token } from "../../../provider/service/token.js";
import { deleted, gone, noReply, problemReply, reply, target, unavailable } from "./answers.js";
import { after, callOf, FakeService, limits, SECRET, type Step } from "./fake-effects.js";

const run = (service: FakeService, more?: Partial<Call>) => settle(callOf(service, more), service.effects);
const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

describe("a call", () => {
  it("needs one attempt when that is answered for good", async () => {
    const service = new FakeService([deleted]);
    const settled = await run(service);
    expect(settled).to.include({ attempts: 1, elapsedMs: 0, fateUnknown: false, answer: deleted });
    expect(settled).not.to.have.property("stop");
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.requests[0]).to.include({ method: "DELETE", target, timeoutMs: 30_000 });
  });

  it("repeats a temporary failure with growing delays, and says each before it waits", async () => {
    const service = new FakeService([...times(4, unavailable), deleted]);
    const settled = await run(service);
    expect(settled).to.include({ attempts: 5, answer: deleted, elapsedMs: 7_500 });
    expect(service.clock.sleeps).to.deep.equal([500, 1_000, 2_000, 4_000]);
    expect(
      service.retries.map(({ attempt, delayMs, maxAttempts }) => [attempt, delayMs, maxAttempts]),
    ).to.deep.equal([
      [2, 500, 10],
      [3, 1_000, 10],
      [4, 2_000, 10],
      [5, 4_000, 10],
    ]);
    expect(service.retries[0]).to.include({ target, answer: unavailable, leftMs: 299_500 });
    expect(service.retries[3]).to.include({ leftMs: 292_500 });
  });

  for (const maxAttempts of [1, 2, 7]) {
    it(`ends after ${maxAttempts} of ${maxAttempts} attempts`, async () => {
      const service = new FakeService(times(20, unavailable));
      const settled = await run(service, { limits: { ...limits, maxAttempts } });
      expect(settled).to.include({ attempts: maxAttempts, stop: "attempts used up", answer: unavailable });
      expect(service.requests).to.have.length(maxAttempts);
      expect(service.retries).to.have.length(maxAttempts - 1);
    });
  }

  it("makes one attempt only where the answer is final", async () => {
    for (const status of [400, 401, 403, 409, 500, 302, 404]) {
      const service = new FakeService([reply(status), deleted]);
      expect(await run(service)).to.include({ attempts: 1 });
      expect(service.left, `requests after ${status}`).to.equal(1);
    }
  });

  it("waits as long as Retry-After says, in seconds or until a date", async () => {
    const service = new FakeService([
      reply(429, "", { retryAfter: "7" }),
      reply(503, "", { retryAfter: "Thu, 01 Jan 2026 00:00:20 GMT" }),
      reply(503, "", { retryAfter: "soon" }),
      deleted,
    ]);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([7_000, 20_000, 2_000]);
  });

  it("ends at once, and says why, when Retry-After does not fit in its budget", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "300" }), deleted]);
    expect(await run(service)).to.include({ attempts: 1, stop: "Retry-After too long", elapsedMs: 0 });
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.retries).to.deep.equal([]);
  });

  for (const [where, address, sleeps] of [
    ["to the same address", target.address, [7_000, 7_000]],
    ["but not to another one", "https://us.api.konghq.com/v2", [7_000]],
  ] as const) {
    it(`keeps the other calls waiting for its Retry-After, ${where}`, async () => {
      const service = new FakeService([reply(429, "", { retryAfter: "7" }), deleted, deleted]);
      const others: Promise<unknown>[] = [];
      const other = { ...target, address, id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10" };
      await run(service, { onRetry: () => others.push(run(service, { target: other })) });
      await Promise.all(others);
      expect(service.clock.sleeps).to.deep.equal(sleeps);
    });
  }

  it("keeps the other calls waiting for its Retry-After where its own attempts are used up", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "7" }), deleted]);
    const settled = await run(service, { limits: { ...limits, maxAttempts: 1 } });
    expect(settled).to.include({ attempts: 1, stop: "attempts used up" });
    expect(service.clock.sleeps).to.deep.equal([]);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([7_000]);
  });

  it("keeps no other call waiting for a wish as long as the budget when its attempts are used up", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "300" }), deleted]);
    await run(service, { limits: { ...limits, maxAttempts: 1 } });
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([]);
  });

  it("keeps no other call waiting for a Retry-After that is too long for itself", async () => {
    const service = new FakeService([reply(503, "", { retryAfter: "86400000" }), deleted]);
    await run(service);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([]);
  });
});

describe("a renewed token", () => {
  const unauthenticated = problemReply(401, "Unauthenticated");
  const fresh = new Token("spat_fresh", "KONNECT_TOKEN_FILE");
  const renewed = () => fresh;
  const one = { ...limits, maxAttempts: 1 };

  it("is tried at once, even where one attempt is allowed; every request counts", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    const settled = await run(service, { renewed, limits: one });
    expect(settled).to.include({ attempts: 2, answer: deleted, token: fresh, elapsedMs: 0 });
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.retries).to.deep.equal([]);
  });

  it("is tried once, and its refusal ends the call", async () => {
    const service = new FakeService([unauthenticated, unauthenticated, deleted]);
    const settled = await run(service, { renewed });
    expect(settled).to.include({ attempts: 2, answer: unauthenticated, token: fresh });
    expect(service.left).to.equal(1);
  });

  it("leaves the attempts that are allowed as they are", async () => {
    const service = new FakeService([unavailable, unauthenticated, unavailable, deleted]);
    const two = { ...limits, maxAttempts: 2 };
    expect(await run(service, { renewed, limits: two })).to.include({
      attempts: 3,
      stop: "attempts used up",
    });
    expect(service.retries.map(({ attempt }) => attempt)).to.deep.equal([2]);
    expect(service.requests.map(({ token }) => token.authorization)).to.deep.equal([
      `Bearer ${SECRET}`,
      `Bearer ${SECRET}`,
      "Bearer spat_fresh",
    ]);
  });

  it("is not tried when the run is being stopped", async () => {
    const service = new FakeService([
      () => {
        service.stopping.abort();
        return unauthenticated;
      },
      deleted,
    ]);
    expect(await run(service, { renewed })).to.include({ attempts: 1, stop: "interrupted" });
    expect(service.left).to.equal(1);
  });
});

describe("what a call does not know", () => {
  const lost = [
    reply(502),
    reply(504),
    noReply("connection reset"),
    noReply("timed out"),
    noReply("request failed"),
  ];
  for (const answer of lost) {
    const what = answer.kind === "reply" ? `a ${answer.status}` : answer.cause;
    it(`is its fate after ${what}, whatever comes then`, async () => {
      for (const last of [gone, problemReply(403, "Permission denied")]) {
        const service = new FakeService([answer, unavailable, last]);
        expect(await run(service)).to.include({ attempts: 3, fateUnknown: true, answer: last });
      }
    });
  }

  for (const answer of [
    unavailable,
    reply(429),
    reply(408),
    noReply("connection refused"),
    noReply("name not found"),
  ]) {
    const what = answer.kind === "reply" ? `a ${answer.status}` : answer.cause;
    it(`is not its fate after ${what}`, async () => {
      expect(await run(new FakeService([answer, gone]))).to.include({ fateUnknown: false, answer: gone });
    });
  }
});

describe("a defect", () => {
  it("is rejected as it is and makes no second request", async () => {
    for (const defect of [
      new TypeError("undefined is not a function"),
      new RangeError("x"),
      new Error("y"),
    ]) {
      const service = new FakeService([() => Promise.reject(defect), deleted]);
      const caught: unknown = await run(service).catch((error: unknown) => error);
      expect(caught).to.equal(defect);
      expect(service.left).to.equal(1);
    }
  });

  it("after a temporary failure is rejected too", async () => {
    const defect = new RangeError("x");
    const service = new FakeService([unavailable, () => Promise.reject(defect), deleted]);
    expect(await run(service).catch((error: unknown) => error)).to.equal(defect);
    expect(service.left).to.equal(1);
  });

  it("in the retry line is rejected too", async () => {
    const defect = new RangeError("a bad line");
    const service = new FakeService([unavailable, deleted]);
    const onRetry = () => {
      throw defect;
    };
    expect(await run(service, { onRetry }).catch((error: unknown) => error)).to.equal(defect);
    expect(service.left).to.equal(1);
  });
});

describe("the limits that a service tells", () => {
  const limited = (reset: string, answer = deleted): Step => ({
    ...answer,
    rateLimit: { remaining: "0", reset },
  });
  const both = async (first: Step) => {
    const service = new FakeService([first, deleted]);
    const other = { ...target, id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10" };
    await run(service);
    await run(service, { target: other });
    return service.clock.sleeps;
  };

  it("keep the next call waiting when no request is left, even after a success", async () => {
    expect(await both(limited("48"))).to.deep.equal([48_000]);
  });

  it("keep nobody waiting for longer than a whole budget", async () => {
    expect(await both(limited("300"))).to.deep.equal([]);
    expect(await both(limited("299"))).to.deep.equal([299_000]);
  });

  it("are obeyed whichever is longer, they or Retry-After", async () => {
    const refused = { ...reply(429), retryAfter: "77", rateLimit: { remaining: "0", reset: "48" } };
    const service = new FakeService([refused, deleted]);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([77_000]);
    const later = { ...reply(429), retryAfter: "20", rateLimit: { remaining: "0", reset: "48" } };
    const other = new FakeService([later, deleted]);
    await run(other);
    expect(other.clock.nowMs - 1_000_000).to.equal(48_000);
  });
});

describe("a call to an address where nothing has succeeded for a whole budget", () => {
  const afterOutage = (...steps: Step[]) => {
    const service = new FakeService(steps);
    service.clock.nowMs += 300_000;
    service.effects.pacer.noteFailure(target.address, 1_000_000);
    return service;
  };

  it("makes one attempt, and says why there is no other", async () => {
    const service = afterOutage(unavailable);
    expect(await run(service)).to.include({ attempts: 1, stop: "nothing succeeds" });
    expect(service.retries).to.deep.equal([]);
  });

  it("makes a short attempt where another one has just had its full time, for as long as that took", async () => {
    const service = afterOutage(after(5_000, unavailable), unavailable, unavailable, unavailable);
    await run(service);
    await run(service);
    service.clock.nowMs += 4_999;
    await run(service);
    service.clock.nowMs += 1;
    await run(service);
    expect(service.requests.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([30_000, 1_000, 1_000, 30_000]);
  });

  it("keeps nobody waiting for a Retry-After that nobody will obey", async () => {
    const limited = reply(429, "", { retryAfter: "60", rateLimit: { remaining: "0", reset: "48" } });
    const service = afterOutage(limited, limited);
    await run(service);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([]);
  });

  it("goes on as ever when that attempt succeeds, and the next call has its full time", async () => {
    const service = afterOutage(deleted, deleted);
    expect((await run(service)).row.verdict).to.equal("done");
    expect(service.effects.pacer.downMs(target.address)).to.equal(0);
    await run(service);
    expect(service.requests[1]?.timeoutMs).to.equal(30_000);
  });
});
