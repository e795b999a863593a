import { expect } from "chai";
import type { Call } from "../../../provider/service/call.js";
import { settle } from "../../../provider/service/settle.js";
import { deleted, noReply, target, unavailable } from "./answers.js";
import { after, callOf, FakeService, limits } from "./fake-effects.js";

const run = (service: FakeService, more?: Partial<Call>) => settle(callOf(service, more), service.effects);
const turns = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the budget of a call", () => {
  it("is used by its attempts and its delays, and ends it", async () => {
    const slow = after(9_000, unavailable);
    const settled = await run(new FakeService([slow, slow, slow, deleted]), {
      limits: { ...limits, budgetMs: 20_000 },
    });
    expect(settled).to.include({ attempts: 2, stop: "time used up", elapsedMs: 18_500 });
  });

  it("cuts the time of the last attempt to what remains", async () => {
    const lost = noReply("timed out");
    const service = new FakeService([after(10_000, lost), after(3_000, lost), deleted]);
    const settled = await run(service, { limits: { ...limits, budgetMs: 13_500, requestTimeoutMs: 10_000 } });
    expect(service.requests.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([10_000, 3_000]);
    expect(settled).to.include({ attempts: 2, stop: "time used up", fateUnknown: true });
  });

  it("cuts even the first attempt where it is the shorter one", async () => {
    const service = new FakeService([deleted]);
    await run(service, { limits: { ...limits, budgetMs: 2_000 } });
    expect(service.requests[0]?.timeoutMs).to.equal(2_000);
  });

  it("is not used by a pause that others caused before its first attempt", async () => {
    const service = new FakeService([unavailable, deleted]);
    service.effects.pacer.pause(target.address, 3_600_000);
    expect(await run(service)).to.include({ attempts: 2, answer: deleted, elapsedMs: 500 });
    expect(service.clock.sleeps).to.deep.equal([3_600_000, 500]);
    expect(service.requests[0]?.timeoutMs).to.equal(30_000);
  });

  it("is not used by a pause that others caused between its attempts", async () => {
    const service = new FakeService([
      () => {
        service.effects.pacer.pause(target.address, 3_600_000);
        return unavailable;
      },
      unavailable,
      deleted,
    ]);
    expect(await run(service)).to.include({ attempts: 3, answer: deleted });
    expect(service.clock.sleeps).to.deep.equal([500, 3_599_500, 1_000]);
    expect(service.requests.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([30_000, 30_000, 30_000]);
  });

  it("is not used by the queue for a slot", async () => {
    const service = new FakeService([unavailable, deleted], 1);
    let free: () => void = () => undefined;
    const other = service.effects.pacer.run(
      { address: target.address, patienceMs: limits.budgetMs, signal: service.stopping.signal },
      () => new Promise<void>((resolve) => (free = resolve)),
    );
    await turns();
    const waiting = run(service);
    await turns();
    service.clock.nowMs += 3_600_000;
    free();
    await other;
    expect(await waiting).to.include({ attempts: 2, answer: deleted, elapsedMs: 500 });
  });
});

describe("a stopped run", () => {
  const reason = new Error("the run is being stopped");

  it("sends nothing when it is stopped before the first attempt", async () => {
    const service = new FakeService([deleted]);
    service.stopping.abort(reason);
    const settled = await run(service);
    expect(settled).to.deep.include({ attempts: 0, elapsedMs: 0, stop: "interrupted", fateUnknown: false });
    expect(settled.row.failure).to.equal("interrupted");
    expect(service.requests).to.deep.equal([]);
  });

  it("sends nothing when it is stopped during another call's pause", async () => {
    const service = new FakeService([deleted]);
    service.effects.pacer.pause(target.address, 60_000);
    service.clock.onSleep = () => service.stopping.abort(reason);
    expect(await run(service)).to.deep.include({ attempts: 0, stop: "interrupted" });
    expect(service.requests).to.deep.equal([]);
  });

  it("gives up the wait for a retry, and keeps what it knows", async () => {
    const service = new FakeService([noReply("timed out"), deleted]);
    service.clock.onSleep = () => service.stopping.abort(reason);
    const settled = await run(service);
    expect(settled).to.include({ attempts: 1, stop: "interrupted", fateUnknown: true });
    expect(settled.answer).to.include({ cause: "timed out" });
    expect(service.left).to.equal(1);
  });

  it("does not announce a retry that it will not make", async () => {
    const service = new FakeService([
      () => {
        service.stopping.abort(reason);
        return unavailable;
      },
      deleted,
    ]);
    expect(await run(service)).to.include({ attempts: 1, stop: "interrupted", answer: unavailable });
    expect(service.retries).to.deep.equal([]);
    expect(service.left).to.equal(1);
  });

  it("takes the answer of a request that ends by itself", async () => {
    const service = new FakeService([
      () => {
        service.stopping.abort(reason);
        return deleted;
      },
    ]);
    const settled = await run(service);
    expect(settled).to.include({ attempts: 1, answer: deleted });
    expect(settled.row.verdict).to.equal("done");
    expect(settled).not.to.have.property("stop");
  });

  it("does not know the fate of a request that was cut off", async () => {
    const service = new FakeService([
      () => {
        service.stopping.abort(reason);
        service.stopped.abort(reason);
        return noReply("interrupted", "the request was cut off");
      },
      deleted,
    ]);
    const settled = await run(service);
    expect(settled).to.include({ attempts: 1, fateUnknown: true });
    expect(settled.row.failure).to.equal("interrupted");
    expect(service.left).to.equal(1);
  });

  it("hands the second signal to the request, so that it can be cut off", async () => {
    const service = new FakeService([]);
    let handed: AbortSignal | undefined;
    const send = (_request: unknown, signal: AbortSignal) => {
      handed = signal;
      return Promise.resolve(deleted);
    };
    await settle(callOf(service), { ...service.effects, send });
    expect(handed).to.equal(service.stopped.signal);
  });

  for (const [what, error] of [
    ["a defect", new TypeError("a defect")],
    ["a rejection with no Error", "a text"],
  ] as const) {
    it(`does not hide ${what} that comes at the same time`, async () => {
      const service = new FakeService([]);
      const send = () => {
        service.stopping.abort(reason);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a defect can do that
        return Promise.reject(error);
      };
      const failed = await settle(callOf(service), { ...service.effects, send }).catch((e: unknown) => e);
      if (error instanceof Error) expect(failed).to.equal(error);
      else expect(failed).to.be.instanceOf(TypeError);
    });
  }

  it("is no more than an error of its own to a call that was not stopped", async () => {
    const service = new FakeService([]);
    const aborted = Object.assign(new Error("aborted"), { name: "AbortError" });
    const send = () => Promise.reject(aborted);
    const failed = await settle(callOf(service), { ...service.effects, send }).catch((e: unknown) => e);
    expect(failed).to.equal(aborted);
  });

  it("says nothing of the address when a request is cut off", async () => {
    const service = new FakeService([unavailable, noReply("interrupted")]);
    service.effects.pacer.noteFailure(target.address, service.clock.nowMs - 10_000);
    expect(await run(service)).to.include({ attempts: 2 });
    expect(service.effects.pacer.downMs(target.address)).to.equal(10_500);
  });
});

describe("calls to an address where nothing has succeeded for some seconds", () => {
  it("take turns, and the delay of one keeps the other away", async () => {
    const service = new FakeService([]);
    const { clock } = service;
    service.effects.pacer.noteFailure(target.address, clock.nowMs - 10_000);
    const sent: (readonly [id: string, atMs: number])[] = [];
    const send = (request: { readonly target: { readonly id: string } }) => {
      sent.push([request.target.id, clock.nowMs - 1_000_000]);
      return Promise.resolve(sent.length < 5 ? unavailable : deleted);
    };
    const call = (id: string) =>
      settle(callOf(service, { target: { ...target, id } }), { ...service.effects, send });
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

  it("are tried until that has lasted a whole budget, and are said to be", async () => {
    const service = new FakeService([unavailable, unavailable, deleted]);
    service.effects.pacer.noteFailure(target.address, service.clock.nowMs - 100_000);
    await run(service);
    expect(service.retries.map(({ leftMs }) => leftMs)).to.deep.equal([199_500, 198_500]);
  });
});
