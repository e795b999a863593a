import { expect } from "chai";
import {
  type AddressHealth,
  dequeue,
  endAttempt,
  enqueue,
  hopelessInMs,
  type Observation,
  type Permit,
  startAttempt,
  timeToWaitMs,
  UNKNOWN_HEALTH,
} from "../../../../provider/service/retry/address-health.js";
import type { Limits } from "../../../../provider/service/retry/judge.js";

const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };
const failed: Observation = { outcome: "failed", delayMs: 0, pausesMs: [], isRefusal: false };
const answered: Observation = { outcome: "answered", delayMs: 0, pausesMs: [], isRefusal: false };

/** One attempt after the other at one address. */
class Address {
  health: AddressHealth = UNKNOWN_HEALTH;

  constructor(readonly own: Limits = limits) {}

  begin(nowMs: number): Permit {
    this.health = enqueue(this.health, nowMs);
    const [health, permit] = startAttempt(this.health, this.own, nowMs);
    this.health = health;
    return permit;
  }

  finish(permit: Permit, observation: Observation | undefined, nowMs: number): this {
    this.health = dequeue(endAttempt(this.health, this.own, permit, observation, nowMs), nowMs);
    return this;
  }

  attempt(fromMs: number, toMs: number, observation: Observation): this {
    return this.finish(this.begin(fromMs), observation, toMs);
  }

  /** How long nothing has succeeded. */
  downAt(nowMs: number): number {
    return this.own.budgetMs - hopelessInMs(enqueue(this.health, nowMs), this.own, nowMs);
  }

  waitAt(nowMs: number): number {
    return timeToWaitMs(enqueue(this.health, nowMs), this.own, nowMs);
  }
}

describe("the health of an address", () => {
  it("is good before anything was tried, and after a success", () => {
    const address = new Address();
    expect([address.downAt(1_000), address.waitAt(1_000)]).to.deep.equal([0, 0]);
    address.attempt(1_000, 20_000, failed);
    expect(address.downAt(20_000)).to.equal(19_000);
    address.attempt(20_000, 21_000, answered);
    expect([address.downAt(30_000), address.waitAt(30_000)]).to.deep.equal([0, 0]);
  });

  it("is lost since the first failed attempt started, not since it ended", () => {
    const address = new Address().attempt(1_000, 31_000, failed);
    expect(address.downAt(31_000)).to.equal(30_000);
    address.attempt(31_000, 61_000, failed);
    expect(address.downAt(70_000)).to.equal(69_000);
  });

  it("is not lost before the last success when an attempt fails that started earlier", () => {
    const address = new Address();
    const slow = address.begin(1_000);
    address.attempt(30_000, 30_500, answered).finish(slow, failed, 31_000);
    expect(address.downAt(31_000)).to.equal(500);
  });

  it("is not changed by an attempt that this run cut off, or that broke off by a defect", () => {
    const address = new Address().attempt(0, 1_000, failed);
    const before = address.health;
    address.attempt(1_000, 2_000, {
      outcome: "cut off",
      delayMs: 9_000,
      pausesMs: [9_000],
      isRefusal: false,
    });
    expect(address.health).to.deep.equal({ ...before, idleSinceMs: 2_000 });
    address.finish(address.begin(2_000), undefined, 3_000);
    expect(address.health).to.deep.equal({ ...before, idleSinceMs: 3_000 });
  });

  it("is judged by probes once nothing has succeeded for five seconds", () => {
    const address = new Address().attempt(0, 200, failed);
    const [before, after] = [address.begin(4_999), address.begin(5_000)];
    expect([before.isProbe, after.isProbe]).to.deep.equal([false, true]);
    expect([before.timeLimitMs, after.timeLimitMs]).to.deep.equal([Infinity, Infinity]);
  });

  it("is judged by probes sooner when the retry budget is short", () => {
    const address = new Address({ ...limits, budgetMs: 10_000 }).attempt(0, 200, failed);
    expect([address.begin(999).isProbe, address.begin(1_000).isProbe]).to.deep.equal([false, true]);
  });

  it("lets one probe out at a time, and holds the next one back for the delay of the last", () => {
    const address = new Address().attempt(0, 5_000, failed);
    expect(address.waitAt(5_000)).to.equal(0);
    const probe = address.begin(5_000);
    expect(address.waitAt(5_001)).to.equal(294_999);
    address.finish(probe, { ...failed, delayMs: 2_000 }, 6_000);
    expect([address.waitAt(6_000), address.waitAt(7_999), address.waitAt(8_000)]).to.deep.equal([
      2_000, 1, 0,
    ]);
  });

  it("counts probes that overlap, so that the end of one does not let a third one out", () => {
    const address = new Address().attempt(0, 5_000, failed);
    const probes = [address.begin(5_000), address.begin(5_000)];
    address.finish(probes[0]!, failed, 6_000);
    expect(address.waitAt(6_000)).to.be.greaterThan(0);
    address.finish(probes[1]!, failed, 7_000);
    expect(address.waitAt(7_000)).to.equal(0);
  });

  it("lets everything out when nothing has succeeded for a whole budget, with little time for each", () => {
    const address = new Address().attempt(0, 290_000, { ...failed, delayMs: 30_000 });
    expect([address.waitAt(299_999), address.waitAt(300_000)]).to.deep.equal([1, 0]);
    const permits = [address.begin(300_000), address.begin(300_000), address.begin(300_001)];
    expect(permits.map(({ timeLimitMs }) => timeLimitMs)).to.deep.equal([30_000, 1_000, 1_000]);
    expect(address.waitAt(300_001)).to.equal(0);
  });

  it("grants more time to one attempt at a time, and then to none for as long as that one took", () => {
    const address = new Address().attempt(0, 300_000, failed);
    const long = address.begin(300_000);
    address.finish(long, failed, 310_000);
    expect(address.begin(319_999).timeLimitMs).to.equal(1_000);
    expect(address.begin(320_000).timeLimitMs).to.equal(30_000);
  });

  it("grants a tenth of the budget as more time, and at least half a minute", () => {
    for (const [budgetMs, timeLimitMs] of [
      [600_000, 60_000],
      [60_000, 30_000],
      [5_000, 30_000],
    ] as const) {
      const address = new Address({ ...limits, budgetMs }).attempt(0, budgetMs, failed);
      expect(address.begin(budgetMs).timeLimitMs).to.equal(timeLimitMs);
    }
  });
});

describe("a pause that the service asks for", () => {
  it("keeps every attempt away, also while the address works", () => {
    const address = new Address().attempt(0, 100, { ...answered, pausesMs: [48_000] });
    expect([address.waitAt(100), address.waitAt(48_099), address.waitAt(48_100)]).to.deep.equal([
      48_000, 1, 0,
    ]);
  });

  it("lasts as long as the longest one that was asked for", () => {
    for (const [first, second] of [
      [1_000, 3_000],
      [3_000, 1_000],
    ] as const) {
      const address = new Address()
        .attempt(0, 0, { ...failed, pausesMs: [first] })
        .attempt(0, 0, { ...failed, pausesMs: [second] });
      expect(address.waitAt(0)).to.equal(3_000);
    }
  });

  it("is obeyed to its end when it was set before nothing had succeeded for a whole budget", () => {
    const address = new Address().attempt(0, 200_000, { ...failed, pausesMs: [200_000] });
    expect(address.waitAt(300_000)).to.equal(100_000);
  });

  it("is not obeyed when it is set after that", () => {
    const address = new Address()
      .attempt(0, 300_000, failed)
      .attempt(300_000, 300_001, { ...failed, pausesMs: [60_000] });
    expect(address.waitAt(300_002)).to.equal(0);
  });

  it("does not let the outage before it be forgotten, whatever fails right after it was asked for", () => {
    const address = new Address();
    const other = address.begin(0);
    address.attempt(0, 10_000, { ...failed, pausesMs: [200_000] }).finish(other, failed, 10_001);
    expect(address.downAt(210_000)).to.equal(210_000);
    expect(address.downAt(270_000), "a minute after the pause").to.equal(270_000);
    expect(address.downAt(270_001)).to.equal(0);
  });
});

describe("an outage", () => {
  it("is forgotten when nobody has asked for a minute, so that later calls start afresh", () => {
    const address = new Address().attempt(0, 10_000, failed);
    expect(address.downAt(70_000)).to.equal(70_000);
    expect(address.downAt(70_001)).to.equal(0);
    address.attempt(140_000, 141_000, failed);
    expect(address.downAt(141_000)).to.equal(1_000);
  });

  it("is not forgotten while an attempt is under way, however long that takes", () => {
    const address = new Address().attempt(0, 10_000, failed);
    const slow = address.begin(10_000);
    expect(address.downAt(3_000_000)).to.equal(3_000_000);
    address.finish(slow, failed, 3_000_000);
    expect(address.downAt(3_060_000)).to.equal(3_060_000);
  });

  it("is not forgotten while an attempt waits for its turn", () => {
    const address = new Address().attempt(0, 10_000, failed);
    address.health = enqueue(address.health, 10_000);
    expect(address.downAt(200_000)).to.equal(200_000);
    address.health = dequeue(address.health, 200_000);
    expect(address.downAt(260_000)).to.equal(260_000);
    expect(address.downAt(260_001)).to.equal(0);
  });
});
