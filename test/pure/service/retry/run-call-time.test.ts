import { expect } from "chai";
import type { Answer } from "../../../../provider/service/http/answer.js";
import type { HttpRequest } from "../../../../provider/service/http/transport.js";
import { deleteControlPlane } from "../../../../provider/service/operations/control-planes.js";
import type { Attempted } from "../../../../provider/service/retry/attempt-gate.js";
import { observe } from "../../../../provider/service/retry/pace.js";
import type { Call } from "../../../../provider/service/retry/call.js";
import { judge } from "../../../../provider/service/retry/judge.js";
import { runCall } from "../../../../provider/service/caller.js";
import { deleted, noReply, ref, reply, unavailable } from "../answers.js";
import { after, callOf, FakeService, limits } from "../fake-service.js";

const run = (service: FakeService, more?: Partial<Call<"deleted">>) =>
  runCall(callOf(service, more), service.effects);
const turns = () => new Promise<void>((resolve) => setImmediate(resolve));
const pauseOf = (seconds: number) => ({ ...deleted, rateLimit: { remaining: "0", reset: String(seconds) } });

describe("the budget of a call", () => {
  it("is used by its attempts and its delays, and ends it", async () => {
    const slow = after(9_000, unavailable);
    const end = await run(new FakeService([slow, slow, slow, deleted]), {
      limits: { ...limits, budgetMs: 20_000 },
    });
    expect(end).to.include({ attempts: 2, stop: "time used up", durationMs: 18_500, waitedMs: 500 });
  });

  it("limits the time of the last attempt to what is left", async () => {
    const lost = noReply("timed out");
    const service = new FakeService([after(10_000, lost), after(3_000, lost), deleted]);
    const end = await run(service, { limits: { ...limits, budgetMs: 13_500, requestTimeoutMs: 10_000 } });
    expect(service.requests.map(({ timeLimitMs }) => timeLimitMs)).to.deep.equal([10_000, 3_000]);
    expect(end).to.include({ attempts: 2, stop: "time used up", mayHaveWorked: true });
  });

  it("limits even the first attempt when it is shorter", async () => {
    const service = new FakeService([deleted]);
    await run(service, { limits: { ...limits, budgetMs: 2_000 } });
    expect(service.requests[0]?.timeLimitMs).to.equal(2_000);
  });

  it("is not used by a pause that another call caused before its first attempt", async () => {
    const service = new FakeService([pauseOf(299), unavailable, deleted]);
    await run(service);
    expect(await run(service)).to.include({ attempts: 2, answer: deleted, durationMs: 500 });
    expect(service.clock.sleeps).to.deep.equal([299_000, 500]);
    expect(service.requests[1]?.timeLimitMs).to.equal(30_000);
  });

  it("is not used by a pause that another call caused between its attempts", async () => {
    const service = new FakeService([unavailable, pauseOf(299), unavailable, deleted]);
    const others: Promise<unknown>[] = [];
    const emit = () => {
      if (others.length === 0) others.push(run(service));
    };
    const end = await run(service, { scope: { ...service.scope, emit } });
    expect(end).to.include({ attempts: 3, answer: deleted });
    await Promise.all(others);
    expect(service.requests.map(({ timeLimitMs }) => timeLimitMs)).to.deep.equal([
      30_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("is not used by the wait for a slot", async () => {
    const service = new FakeService([unavailable, deleted], 1);
    let free: () => void = () => undefined;
    const observation = { outcome: "answered", delayMs: 0, pausesMs: [] } as const;
    const other = service.effects.gate.run(
      ref.address,
      service.stopping.signal,
      () =>
        new Promise<Attempted<void>>((resolve) => (free = () => resolve({ value: undefined, observation }))),
    );
    await turns();
    const waiting = run(service);
    await turns();
    service.clock.nowMs += 3_600_000;
    free();
    await other;
    expect(await waiting).to.include({ attempts: 2, answer: deleted, durationMs: 500 });
  });
});

describe("the deadline of a call", () => {
  const until = (service: FakeService, ms: number) => ({
    scope: { ...service.scope, deadlineMs: service.clock.nowMs + ms },
  });

  it("limits the time of an attempt to what is left", async () => {
    const service = new FakeService([deleted]);
    await run(service, until(service, 2_000));
    expect(service.requests[0]?.timeLimitMs).to.equal(2_000);
  });

  it("ends the call when another attempt would not fit", async () => {
    const service = new FakeService([after(9_000, unavailable), deleted]);
    expect(await run(service, until(service, 10_000))).to.include({ attempts: 1, stop: "time used up" });
  });
});

describe("a call whose run is stopped", () => {
  const reason = new Error("the run is being stopped");
  /** A service that is stopped while it gives its first answer. */
  const stoppedBy = (answer: Answer): FakeService => {
    const service: FakeService = new FakeService([
      () => {
        service.stopping.abort(reason);
        return answer;
      },
      deleted,
    ]);
    return service;
  };

  it("sends nothing when that happens before the first attempt", async () => {
    const service = new FakeService([deleted]);
    service.stopping.abort(reason);
    const end = await run(service);
    expect(end).to.deep.include({ attempts: 0, durationMs: 0, stop: "interrupted", mayHaveWorked: false });
    expect(end.judgment.row.failure).to.equal("interrupted");
    expect(service.requests).to.deep.equal([]);
  });

  it("sends nothing when that happens during a pause", async () => {
    const service = new FakeService([pauseOf(60), deleted]);
    await run(service);
    service.clock.onSleep = () => service.stopping.abort(reason);
    expect(await run(service)).to.deep.include({ attempts: 0, stop: "interrupted" });
    expect(service.left).to.equal(1);
  });

  it("gives up the wait for a retry, and keeps what it knows", async () => {
    const service = new FakeService([noReply("timed out"), deleted]);
    service.clock.onSleep = () => service.stopping.abort(reason);
    const end = await run(service);
    expect(end).to.include({ attempts: 1, stop: "interrupted", mayHaveWorked: true });
    expect(end.answer).to.include({ cause: "timed out" });
    expect(service.left).to.equal(1);
  });

  it("emits no retry that it will not make", async () => {
    const service = stoppedBy(unavailable);
    expect(await run(service)).to.include({ attempts: 1, stop: "interrupted", answer: unavailable });
    expect(service.retries).to.deep.equal([]);
    expect(service.left).to.equal(1);
  });

  it("takes the answer of a request that ends by itself", async () => {
    const service = stoppedBy(deleted);
    const end = await run(service);
    expect(end).to.include({ attempts: 1, answer: deleted });
    expect(end.judgment.verdict).to.equal("done");
    expect(end).not.to.have.property("stop");
  });

  for (const [delivery, mayHaveWorked] of [
    ["unknown", true],
    ["not sent", false],
  ] as const) {
    it(`${mayHaveWorked ? "may have" : "has not"} deleted with a request that was cut off and ${delivery === "unknown" ? "sent" : "not sent"}`, async () => {
      const cutOff = noReply("interrupted", "the request was cut off", delivery);
      const service = stoppedBy(cutOff);
      const end = await run(service);
      expect(end).to.include({ attempts: 1, mayHaveWorked });
      expect(end.judgment.row.failure).to.equal("interrupted");
      expect(service.left).to.equal(1);
    });
  }

  it("passes the signal on to the request, so that it can be cut off", async () => {
    const service = new FakeService([]);
    let passed: AbortSignal | undefined;
    const send = (_request: unknown, signal: AbortSignal) => {
      passed = signal;
      return Promise.resolve(deleted);
    };
    await runCall(callOf(service), { ...service.effects, send });
    expect(passed).to.equal(service.stopping.signal);
  });

  for (const [what, error] of [
    ["a defect", new TypeError("a defect")],
    ["a rejection with something that is no Error", "a text"],
  ] as const) {
    it(`does not hide ${what} at the same time`, async () => {
      const service = new FakeService([]);
      const send = () => {
        service.stopping.abort(reason);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a defect can do that
        return Promise.reject(error);
      };
      const caught = await runCall(callOf(service), { ...service.effects, send }).catch((e: unknown) => e);
      if (error instanceof Error) expect(caught).to.equal(error);
      else expect(caught).to.be.instanceOf(TypeError);
    });
  }

  it("does not treat an AbortError as a stop when the run was not stopped", async () => {
    const service = new FakeService([]);
    const aborted = Object.assign(new Error("aborted"), { name: "AbortError" });
    const send = () => Promise.reject(aborted);
    const caught = await runCall(callOf(service), { ...service.effects, send }).catch((e: unknown) => e);
    expect(caught).to.equal(aborted);
  });
});

describe("calls to an address where nothing has succeeded for some seconds", () => {
  /** A service at whose address an attempt has just failed that took some time. */
  const downFor = async (ms: number, ...steps: Answer[]) => {
    const service = new FakeService([after(ms, unavailable), ...steps]);
    await run(service, { limits: { ...limits, maxAttempts: 1 } });
    service.clock.sleeps.length = 0;
    return service;
  };

  it("take turns, and the delay of one holds the other back", async () => {
    const service = await downFor(10_000);
    const { clock } = service;
    const startedMs = clock.nowMs;
    // The delay of the attempt before.
    clock.nowMs += 500;
    const sent: (readonly [id: string, atMs: number])[] = [];
    const send = ({ url }: HttpRequest) => {
      sent.push([url.slice(-1), clock.nowMs - startedMs - 500]);
      return Promise.resolve(sent.length < 5 ? unavailable : deleted);
    };
    const call = (id: string) =>
      runCall(callOf(service, { subject: { ...ref, id }, operation: operationOn(service, id) }), {
        ...service.effects,
        send,
      });
    await Promise.all([call("a"), call("b")]);
    expect(sent).to.deep.equal([
      ["a", 0],
      ["b", 500],
      ["a", 1_000],
      ["b", 2_000],
      ["a", 3_000],
      ["b", 3_000],
    ]);
  });

  it("are tried until that has lasted a whole budget, and the events say so", async () => {
    const service = await downFor(100_000, unavailable, unavailable, deleted);
    await run(service);
    expect(service.retries.map(({ leftMs }) => leftMs)).to.deep.equal([199_000, 198_000]);
  });

  it("learn nothing from a request that was cut off", async () => {
    const service = await downFor(10_000, unavailable, noReply("interrupted"), unavailable, deleted);
    await run(service);
    await run(service);
    // 300 s less 10 s before and the delays of 0.5 s each.
    expect(service.retries.at(-1)?.leftMs).to.be.within(288_000, 289_000);
  });
});

function operationOn(service: FakeService, id: string) {
  return { ...callOf(service).operation, path: `/control-planes/${id}` };
}

describe("a deletion that the service accepted and has not carried out", () => {
  it("waits without marking the address as unhealthy", async () => {
    const service = new FakeService([reply(200, "pending"), reply(200, "pending"), deleted]);
    const { operation } = callOf(service);
    const parse: typeof operation.parse = (answer) =>
      answer.status === 204 ? { kind: "result", result: "deleted" } : { kind: "not yet", awaits: "deletion" };
    const end = await run(service, { operation: { ...operation, parse } });
    expect(end).to.include({ attempts: 3, waitedMs: 1_500 });
    expect(service.retries.map(({ awaits }) => awaits)).to.deep.equal(["deletion", "deletion"]);
  });
});

const operation = deleteControlPlane(ref.id);

function observed(answer: Answer, isAsked = false) {
  return observe(operation.name, answer, judge(operation, answer), 1_000, isAsked);
}

describe("what an attempt shows of its address", () => {
  const nothingLeft = { rateLimit: { remaining: "0", reset: "30" } };
  const shown: readonly (readonly [
    what: string,
    answer: Answer,
    outcome: string,
    pausesMs: readonly number[],
    isAsked?: boolean,
  ])[] = [
    ["a 204", deleted, "answered", []],
    ["a 204 after which no requests are left", reply(204, "", nothingLeft), "answered", [30_000]],
    ["a 403 that asks for a pause", reply(403), "answered", [], true],
    ["a 403 after which no requests are left", reply(403, "", nothingLeft), "answered", []],
    ["a 429 that asks for a pause", reply(429), "limited", [1_000], true],
    ["a 429 that asks for no pause", reply(429), "limited", []],
    ["a 429 after which no requests are left", reply(429, "", nothingLeft), "limited", [30_000]],
    ["a 429 that says both", reply(429, "", nothingLeft), "limited", [1_000, 30_000], true],
    ["a 503", unavailable, "failed", []],
    ["a 503 that asks for a pause", unavailable, "failed", [], true],
    ["a connection that is refused", noReply("connection refused"), "refused", []],
    ["a connection that is reset", noReply("connection reset"), "failed", []],
    ["an attempt without an answer in time", noReply("timed out"), "failed", []],
    ["an attempt that was cut off", noReply("interrupted"), "cut off", []],
    ["a certificate that is not accepted", noReply("certificate expired"), "answered", []],
  ];
  for (const [what, answer, outcome, pausesMs, isAsked] of shown) {
    it(`is "${outcome}" with ${pausesMs.length} pauses for ${what}`, () => {
      expect(observed(answer, isAsked)).to.deep.include({ outcome, pausesMs, delayMs: 1_000 });
    });
  }

  it("is of a kind for each operation and status, because these take different times", () => {
    expect(observed(deleted).kind).to.equal("delete-control-plane 204");
    expect(observed(reply(404)).kind).to.equal("delete-control-plane 404");
    expect(observed(noReply("timed out"))).not.to.have.property("kind");
  });
});
