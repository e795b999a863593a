import { expect } from "chai";
import { Token } from "../../../../provider/service/http/token.js";
import type { Call, CallEvent } from "../../../../provider/service/retry/call.js";
import { runCall } from "../../../../provider/service/caller.js";
import { safe } from "../../../../provider/text/safe-text.js";
import { deleted, gone, noReply, problemReply, ref, reply, unavailable } from "../answers.js";
import { after, callOf, FakeService, limits, SECRET, type Step } from "../fake-service.js";

const run = (service: FakeService, more?: Partial<Call<"deleted">>) =>
  runCall(callOf(service, more), service.effects);
const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);
const other = { ...ref, id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10" };

describe("a call", () => {
  it("makes one attempt when that is answered for good", async () => {
    const service = new FakeService([deleted]);
    const end = await run(service);
    expect(end).to.include({
      attempts: 1,
      startedAtMs: Date.UTC(2026, 0, 1),
      durationMs: 0,
      waitedMs: 0,
      mayHaveWorked: false,
      answer: deleted,
    });
    expect(end.judgment).to.include({ verdict: "done", result: "deleted" });
    expect(end).not.to.have.property("stop");
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.requests[0]).to.include({
      method: "DELETE",
      url: "https://eu.api.konghq.com/v2/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
      body: undefined,
      timeLimitMs: 30_000,
    });
  });

  it("sends the query and the body of its operation", async () => {
    const service = new FakeService([reply(200, "{}")]);
    const operation = {
      name: "list-control-planes",
      method: "POST" as const,
      path: "/control-planes",
      query: { "page[size]": "100", "filter[name][eq]": "a b&c" },
      body: { name: "edge" },
      idempotent: true,
      parse: () => ({ kind: "result", result: "deleted" }) as const,
    };
    await run(service, { operation });
    expect(service.requests[0]).to.deep.include({
      method: "POST",
      url: "https://eu.api.konghq.com/v2/control-planes?page%5Bsize%5D=100&filter%5Bname%5D%5Beq%5D=a+b%26c",
      body: { name: "edge" },
    });
  });

  it("repeats a temporary failure with growing delays, and emits each before it waits", async () => {
    const service = new FakeService([...times(4, unavailable), deleted]);
    const end = await run(service);
    expect(end).to.include({ attempts: 5, answer: deleted, durationMs: 7_500, waitedMs: 7_500 });
    expect(service.clock.sleeps).to.deep.equal([500, 1_000, 2_000, 4_000]);
    expect(
      service.retries.map(({ attempt, delayMs, maxAttempts }) => [attempt, delayMs, maxAttempts]),
    ).to.deep.equal([
      [2, 500, 10],
      [3, 1_000, 10],
      [4, 2_000, 10],
      [5, 4_000, 10],
    ]);
    expect(service.retries[0]).to.deep.include({
      type: "retrying",
      subject: ref,
      answer: unavailable,
      awaits: undefined,
      leftMs: 299_500,
    });
    expect(service.retries[0]?.problem.title).to.equal("Service Unavailable");
    expect(service.retries[3]).to.include({ leftMs: 292_500 });
  });

  it("says once that it waits no more when it has waited, however it ends", async () => {
    const stopped = new FakeService(times(20, unavailable));
    stopped.clock.onSleep = () => stopped.stopping.abort(new Error("stop"));
    const refused = {
      isFresh: () => false,
      check: (last: unknown) =>
        last === undefined ? Promise.resolve() : Promise.reject(new Error("the guard forbids it")),
    };
    let isChecked = false;
    const onceFresh = {
      ...refused,
      isFresh: () => {
        const wasChecked = isChecked;
        isChecked = false;
        return wasChecked;
      },
      check: async (last: unknown) => {
        await refused.check(last);
        isChecked = true;
        return undefined;
      },
    };
    const ends: readonly (readonly [what: string, service: FakeService, more?: Partial<Call<"deleted">>])[] =
      [
        ["done", new FakeService([unavailable, unavailable, deleted])],
        ["refused", new FakeService([unavailable, reply(403)])],
        ["out of attempts", new FakeService(times(20, unavailable))],
        ["stopped", stopped],
        ["failed by a defect", new FakeService([unavailable])],
        ["without its precondition", new FakeService([unavailable]), { precondition: onceFresh }],
      ];
    const ids = new Set<number>();
    for (const [what, service, more] of ends) {
      await run(service, more).catch(() => undefined);
      const waited = new Set(service.retries.map(({ callId }) => callId));
      expect(waited.size, what).to.equal(1);
      expect(service.endedCalls, what).to.deep.equal([...waited]);
      for (const id of waited) ids.add(id);
    }
    expect(ids, "each call has an id of its own").to.have.property("size", ends.length);
  });

  it("says nothing of its end when it has not waited", async () => {
    for (const step of [deleted, reply(403)]) {
      const service = new FakeService([step]);
      await run(service);
      expect(service.endedCalls).to.deep.equal([]);
    }
  });

  for (const maxAttempts of [1, 2, 7]) {
    it(`ends after ${maxAttempts} of ${maxAttempts} attempts`, async () => {
      const service = new FakeService(times(20, unavailable));
      const end = await run(service, { limits: { ...limits, maxAttempts } });
      expect(end).to.include({ attempts: maxAttempts, stop: "attempts used up", answer: unavailable });
      expect(service.requests).to.have.length(maxAttempts);
      expect(service.retries).to.have.length(maxAttempts - 1);
    });
  }

  it("makes one attempt when the answer is final", async () => {
    for (const status of [400, 401, 403, 409, 500, 302, 404, 200]) {
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

  it("reads the date of a Retry-After by the clock of the answer, whatever that of this machine says", async () => {
    const date = "Sun, 06 Nov 1994 08:49:37 GMT";
    const service = new FakeService([
      reply(503, "", { date, retryAfter: "Sun, 06 Nov 1994 08:49:57 GMT" }),
      reply(503, "", { date: "soon", retryAfter: "Thu, 01 Jan 2026 00:00:07 GMT" }),
      deleted,
    ]);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([20_000, 7_000]);
  });

  it("ends at once, and says why, when Retry-After does not fit in its budget", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "300" }), deleted]);
    expect(await run(service)).to.include({ attempts: 1, stop: "Retry-After too long", durationMs: 0 });
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.retries).to.deep.equal([]);
  });

  for (const [where, address, sleeps] of [
    // After the pause, the two start 10 ms apart.
    ["to the same address", ref.address, [7_000, 7_000, 10]],
    ["but not to another one", "https://us.api.konghq.com/v2", [7_000]],
  ] as const) {
    it(`keeps the other calls waiting for its Retry-After, ${where}`, async () => {
      const service = new FakeService([reply(429, "", { retryAfter: "7" }), deleted, deleted]);
      const others: Promise<unknown>[] = [];
      const emit = ({ type }: CallEvent) => {
        if (type === "retrying") others.push(run(service, { subject: { ...other, address } }));
      };
      await run(service, { scope: { ...service.scope, emit } });
      await Promise.all(others);
      expect(service.clock.sleeps).to.deep.equal(sleeps);
    });
  }

  it("keeps no other call waiting for the Retry-After of a 503, which may be the control plane's own", async () => {
    const service = new FakeService([reply(503, "", { retryAfter: "20" }), deleted, deleted]);
    const [first, second] = await Promise.all([run(service), run(service, { subject: other })]);
    expect([first.durationMs, second.durationMs]).to.deep.equal([20_000, 0]);
  });

  it("says how long another call waits in all when that one has a shorter delay of its own", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "7" }), reply(503, ""), deleted, deleted]);
    await Promise.all([run(service), run(service, { subject: other })]);
    expect(service.retries.map(({ delayMs }) => delayMs)).to.deep.equal([7_000, 7_000]);
  });

  it("keeps the other calls waiting for its Retry-After when its own attempts are used up", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "7" }), deleted]);
    const end = await run(service, { limits: { ...limits, maxAttempts: 1 } });
    expect(end).to.include({ attempts: 1, stop: "attempts used up" });
    expect(service.clock.sleeps).to.deep.equal([]);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([7_000]);
  });

  it("keeps no other call waiting for a Retry-After as long as the budget", async () => {
    for (const retryAfter of ["300", "86400000"]) {
      const service = new FakeService([reply(429, "", { retryAfter }), deleted]);
      await run(service, { limits: { ...limits, maxAttempts: 1 } });
      await run(service);
      // The pause after a 429 that does not say for how long.
      expect(service.clock.sleeps).to.deep.equal([100]);
    }
  });

  for (const status of [403, 404, 302, 400, 401, 500]) {
    it(`keeps no other call waiting for the Retry-After of a final answer: ${status}`, async () => {
      const final = reply(status, "<h1>Blocked</h1>", {
        retryAfter: "40",
        rateLimit: { remaining: "0", reset: "40" },
      });
      const service = new FakeService([final, deleted]);
      await run(service);
      await run(service);
      expect(service.clock.sleeps).to.deep.equal([]);
    });
  }
});

describe("a renewed token", () => {
  const unauthenticated = problemReply(401, "Unauthenticated");
  const fresh = new Token("spat_fresh", safe`KONNECT_TOKEN_FILE`);
  const renewedToken = () => fresh;
  const one = { ...limits, maxAttempts: 1 };

  it("is tried at once, even where one attempt is allowed, and every request counts", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    const end = await run(service, { renewedToken, limits: one });
    expect(end).to.include({ attempts: 2, answer: deleted, token: fresh, durationMs: 0 });
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.retries).to.deep.equal([]);
  });

  it("is tried once, and its refusal ends the call", async () => {
    const service = new FakeService([unauthenticated, unauthenticated, deleted]);
    expect(await run(service, { renewedToken })).to.include({
      attempts: 2,
      answer: unauthenticated,
      token: fresh,
    });
    expect(service.left).to.equal(1);
  });

  it("takes none of the attempts that are allowed", async () => {
    const service = new FakeService([unavailable, unauthenticated, unavailable, deleted]);
    const two = { ...limits, maxAttempts: 2 };
    expect(await run(service, { renewedToken, limits: two })).to.include({
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
    expect(await run(service, { renewedToken })).to.include({ attempts: 1, stop: "interrupted" });
    expect(service.left).to.equal(1);
  });
});

describe("a call whose attempt", () => {
  for (const answer of [
    reply(502),
    reply(504),
    noReply("connection reset", "", "unknown"),
    noReply("timed out", "", "unknown"),
    noReply("connection failed", "", "unknown"),
  ]) {
    const what = answer.kind === "reply" ? `met a ${answer.status}` : `was sent (${answer.cause})`;
    it(`${what} may have worked, whatever follows`, async () => {
      for (const last of [gone, problemReply(403, "Permission denied")]) {
        const service = new FakeService([answer, unavailable, last]);
        expect(await run(service)).to.include({ attempts: 3, mayHaveWorked: true, answer: last });
      }
    });
  }

  for (const answer of [
    unavailable,
    reply(429),
    reply(408),
    noReply("connection refused", "", "not sent"),
    noReply("host unreachable", "", "not sent"),
    noReply("TLS handshake failed", "", "not sent"),
    noReply("timed out", "", "not sent"),
    noReply("connection reset", "", "not sent"),
  ]) {
    const what = answer.kind === "reply" ? `met a ${answer.status}` : `was not sent (${answer.cause})`;
    it(`${what} has not worked`, async () => {
      expect(await run(new FakeService([answer, gone]))).to.include({ mayHaveWorked: false, answer: gone });
    });
  }
});

describe("a defect", () => {
  const caughtBy = (service: FakeService, more?: Partial<Call<"deleted">>) =>
    run(service, more).catch((error: unknown) => error);

  it("is rejected as it is and causes no second request", async () => {
    for (const defect of [
      new TypeError("undefined is not a function"),
      new RangeError("x"),
      new Error("y"),
    ]) {
      const service = new FakeService([() => Promise.reject(defect), deleted]);
      expect(await caughtBy(service)).to.equal(defect);
      expect(service.left).to.equal(1);
    }
  });

  it("after a temporary failure is rejected, too", async () => {
    const defect = new RangeError("x");
    const service = new FakeService([unavailable, () => Promise.reject(defect), deleted]);
    expect(await caughtBy(service)).to.equal(defect);
    expect(service.left).to.equal(1);
  });

  it("of a sink of events is rejected, too", async () => {
    const defect = new RangeError("a bad line");
    const service = new FakeService([unavailable, deleted]);
    const emit = () => {
      throw defect;
    };
    expect(await caughtBy(service, { scope: { ...service.scope, emit } })).to.equal(defect);
    expect(service.left).to.equal(1);
  });

  it("of an operation's parser is rejected, too", async () => {
    const defect = new RangeError("a bad parser");
    const service = new FakeService([deleted, deleted]);
    const { operation } = callOf(service);
    const parse = () => {
      throw defect;
    };
    expect(await caughtBy(service, { operation: { ...operation, parse } })).to.equal(defect);
    expect(service.left).to.equal(1);
  });
});

describe("the limits that a service reports", () => {
  const limited = (reset: string, answer = deleted): Step => ({
    ...answer,
    rateLimit: { remaining: "0", reset },
  });
  const sleepsAfter = async (first: Step) => {
    const service = new FakeService([first, deleted]);
    await run(service);
    await run(service, { subject: other });
    return service.clock.sleeps;
  };

  it("keep the next call waiting when no request is left, even after a success", async () => {
    expect(await sleepsAfter(limited("48"))).to.deep.equal([48_000]);
  });

  it("keep nobody waiting for a whole budget or longer", async () => {
    expect(await sleepsAfter(limited("300"))).to.deep.equal([]);
    expect(await sleepsAfter(limited("299"))).to.deep.equal([299_000]);
  });

  it("are obeyed, or Retry-After is, whichever is longer", async () => {
    const refused = { ...reply(429), retryAfter: "77", rateLimit: { remaining: "0", reset: "48" } };
    const service = new FakeService([refused, deleted]);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([77_000]);
    const later = { ...reply(429), retryAfter: "20", rateLimit: { remaining: "0", reset: "48" } };
    const second = new FakeService([later, deleted]);
    await run(second);
    expect(second.clock.nowMs - 1_000_000).to.equal(48_000);
  });

  it("are obeyed when the other one is too long to be obeyed", async () => {
    const refused = { ...reply(429), retryAfter: "900", rateLimit: { remaining: "0", reset: "48" } };
    const service = new FakeService([refused, deleted]);
    await run(service);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([48_000]);
  });
});

describe("a call to an address where nothing has succeeded for a whole budget", () => {
  /** A service at whose address an attempt has just failed that took a whole budget. */
  const afterOutage = async (...steps: Step[]) => {
    const service = new FakeService([after(300_000, unavailable), ...steps]);
    await run(service, { limits: { ...limits, maxAttempts: 1 } });
    service.requests.length = 0;
    return service;
  };

  it("makes one attempt, and says why there is no other", async () => {
    const service = await afterOutage(unavailable);
    expect(await run(service)).to.include({ attempts: 1, stop: "nothing succeeds" });
    expect(service.retries).to.deep.equal([]);
  });

  it("makes a short attempt when another one has just had more time, for as long as that took", async () => {
    const service = await afterOutage(after(5_000, unavailable), unavailable, unavailable, unavailable);
    await run(service);
    await run(service);
    service.clock.nowMs += 4_999;
    await run(service);
    service.clock.nowMs += 1;
    await run(service);
    expect(service.requests.map(({ timeLimitMs }) => timeLimitMs)).to.deep.equal([
      30_000, 1_000, 1_000, 30_000,
    ]);
  });

  it("keeps nobody waiting for a Retry-After that nobody will obey", async () => {
    const limited = reply(429, "", { retryAfter: "60", rateLimit: { remaining: "0", reset: "48" } });
    const service = await afterOutage(limited, limited);
    await run(service);
    await run(service);
    expect(service.clock.sleeps).to.deep.equal([]);
  });

  it("ends the outage when that attempt succeeds, so that the next call has all its time", async () => {
    const service = await afterOutage(deleted, unavailable, deleted);
    expect((await run(service)).judgment.verdict).to.equal("done");
    expect((await run(service)).attempts).to.equal(2);
    expect(service.requests.map(({ timeLimitMs }) => timeLimitMs)).to.deep.equal([30_000, 30_000, 30_000]);
  });
});
