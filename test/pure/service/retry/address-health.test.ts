import { expect } from "chai";
import { Address, type Permit } from "../../../../provider/service/retry/attempt-gate.js";
import type { Observation } from "../../../../provider/service/retry/pace.js";
import type { Limits } from "../../../../provider/service/retry/judge.js";

const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };
const failed: Observation = { outcome: "failed", delayMs: 0, pausesMs: [] };
const answered: Observation = { outcome: "answered", delayMs: 0, pausesMs: [] };
const limited: Observation = { outcome: "limited", delayMs: 0, pausesMs: [] };

/** One attempt after the other at one address. */
class Attempts {
  readonly address: Address;

  constructor(readonly own: Limits = limits) {
    this.address = new Address(32, own);
  }

  begin(nowMs: number): Permit {
    this.address.enqueue(nowMs);
    return this.address.start(nowMs);
  }

  finish(permit: Permit, observation: Observation | undefined, nowMs: number): this {
    this.address.end(permit, observation, nowMs, 0);
    return this;
  }

  attempt(fromMs: number, toMs: number, observation: Observation): this {
    return this.finish(this.begin(fromMs), observation, toMs);
  }

  /** How long nothing has succeeded, as an attempt finds it that comes now. It changes what is forgotten. */
  downAt(nowMs: number): number {
    this.address.enqueue(nowMs);
    const downMs = this.own.budgetMs - this.address.hopelessInMs(nowMs);
    this.address.waiting -= 1;
    return downMs;
  }

  waitAt(nowMs: number): number {
    return this.address.timeToWaitMs(nowMs);
  }
}

describe("the health of an address", () => {
  it("is good before anything was tried, and after a success", () => {
    const address = new Attempts();
    expect([address.downAt(1_000), address.waitAt(1_000)]).to.deep.equal([0, 0]);
    address.attempt(1_000, 20_000, failed);
    expect(address.downAt(20_000)).to.equal(19_000);
    address.attempt(20_000, 21_000, answered);
    expect([address.downAt(30_000), address.waitAt(30_000)]).to.deep.equal([0, 0]);
  });

  it("is lost since the first failed attempt started, not since it ended", () => {
    const address = new Attempts().attempt(1_000, 31_000, failed);
    expect(address.downAt(31_000)).to.equal(30_000);
    address.attempt(31_000, 61_000, failed);
    expect(address.downAt(70_000)).to.equal(69_000);
  });

  it("is not lost before the last success when an attempt fails that started earlier", () => {
    const address = new Attempts();
    const slow = address.begin(1_000);
    address.attempt(30_000, 30_500, answered).finish(slow, failed, 31_000);
    expect(address.downAt(31_000)).to.equal(500);
  });

  it("is not changed by an attempt that this run cut off, or that broke off by a defect", () => {
    const address = new Attempts().attempt(0, 1_000, failed);
    address.attempt(1_000, 2_000, { outcome: "cut off", delayMs: 9_000, pausesMs: [9_000] });
    expect([address.waitAt(2_000), address.downAt(2_000)]).to.deep.equal([0, 2_000]);
    address.finish(address.begin(2_000), undefined, 3_000);
    expect([address.waitAt(3_000), address.downAt(3_000)]).to.deep.equal([0, 3_000]);
  });

  it("is judged by one probe at a time once nothing has succeeded for five seconds", () => {
    const address = new Attempts().attempt(0, 200, failed);
    expect(address.begin(4_999).timeLimitMs).to.equal(Infinity);
    expect([address.waitAt(4_999), address.waitAt(5_000)]).to.deep.equal([0, 295_000]);
  });

  it("is judged by probes sooner when the retry budget is short", () => {
    const address = new Attempts({ ...limits, budgetMs: 10_000 }).attempt(0, 200, failed);
    address.begin(900);
    expect([address.waitAt(999), address.waitAt(1_000)]).to.deep.equal([0, 9_000]);
  });

  it("lets one probe out at a time, and holds the next one back for the delay of the last", () => {
    const address = new Attempts().attempt(0, 5_000, failed);
    expect(address.waitAt(5_000)).to.equal(0);
    const probe = address.begin(5_000);
    expect(address.waitAt(5_001)).to.equal(294_999);
    address.finish(probe, { ...failed, delayMs: 2_000 }, 6_000);
    expect([address.waitAt(6_000), address.waitAt(7_999), address.waitAt(8_000)]).to.deep.equal([
      2_000, 1, 0,
    ]);
  });

  it("counts attempts that overlap, so that the end of one does not let a third one out", () => {
    const address = new Attempts().attempt(0, 5_000, failed);
    const probes = [address.begin(5_000), address.begin(5_000)];
    address.finish(probes[0]!, failed, 6_000);
    expect(address.waitAt(6_000)).to.be.greaterThan(0);
    address.finish(probes[1]!, failed, 7_000);
    expect(address.waitAt(7_000)).to.equal(0);
  });

  it("lets everything out when nothing has succeeded for a whole budget, with little time for each", () => {
    const address = new Attempts().attempt(0, 290_000, { ...failed, delayMs: 30_000 });
    expect([address.waitAt(299_999), address.waitAt(300_000)]).to.deep.equal([1, 0]);
    const permits = [address.begin(300_000), address.begin(300_000), address.begin(300_001)];
    expect(permits.map(({ timeLimitMs }) => timeLimitMs)).to.deep.equal([30_000, 1_000, 1_000]);
    expect(address.waitAt(300_001)).to.equal(0);
  });

  it("grants more time to one attempt at a time, and then to none for as long as that one took", () => {
    const address = new Attempts().attempt(0, 300_000, failed);
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
      const address = new Attempts({ ...limits, budgetMs }).attempt(0, budgetMs, failed);
      expect(address.begin(budgetMs).timeLimitMs).to.equal(timeLimitMs);
    }
  });
});

describe("a pause that the service asks for", () => {
  it("keeps every attempt away, also while the address works", () => {
    const address = new Attempts().attempt(0, 100, { ...answered, pausesMs: [48_000] });
    expect([address.waitAt(100), address.waitAt(48_099), address.waitAt(48_100)]).to.deep.equal([
      48_000, 1, 0,
    ]);
  });

  it("lasts as long as the longest one that was asked for", () => {
    for (const [first, second] of [
      [1_000, 3_000],
      [3_000, 1_000],
    ] as const) {
      const address = new Attempts()
        .attempt(0, 0, { ...failed, pausesMs: [first] })
        .attempt(0, 0, { ...failed, pausesMs: [second] });
      expect(address.waitAt(0)).to.equal(3_000);
    }
  });

  it("is obeyed to its end when it was set before nothing had succeeded for a whole budget", () => {
    const address = new Attempts().attempt(0, 200_000, { ...failed, pausesMs: [200_000] });
    expect(address.waitAt(300_000)).to.equal(100_000);
  });

  it("is not obeyed when it is set after that", () => {
    const address = new Attempts()
      .attempt(0, 300_000, failed)
      .attempt(300_000, 300_001, { ...failed, pausesMs: [60_000] });
    expect(address.waitAt(300_002)).to.equal(0);
  });

  it("does not let the outage before it be forgotten, whatever fails right after it was asked for", () => {
    const address = new Attempts();
    const other = address.begin(0);
    address.attempt(0, 10_000, { ...failed, pausesMs: [200_000] }).finish(other, failed, 10_001);
    expect(address.downAt(210_000)).to.equal(210_000);
    expect(address.downAt(270_000), "a minute after the pause").to.equal(270_000);
    expect(address.downAt(270_001)).to.equal(0);
  });
});

describe("a failure that may be the control plane's own", () => {
  const again = (failedBeforeMs: number): Observation => ({ ...failed, delayMs: 20_000, failedBeforeMs });

  it("holds back no other attempt while the address answers, however long its delay is", () => {
    const address = new Attempts().attempt(0, 100, { ...failed, delayMs: 20_000 });
    expect(address.waitAt(100)).to.equal(0);
    address.attempt(100, 200, answered).attempt(200, 300, { ...failed, delayMs: 20_000 });
    expect(address.waitAt(300)).to.equal(0);
  });

  it("shows nothing of the address when the call had failed before another one was answered", () => {
    const address = new Attempts().attempt(0, 100, failed).attempt(100, 200, answered);
    address.attempt(20_000, 20_100, again(100)).attempt(40_000, 40_100, again(100));
    expect([address.downAt(50_000), address.waitAt(50_000)]).to.deep.equal([0, 0]);
  });

  it("shows an outage when nothing has been answered since the call failed first", () => {
    const address = new Attempts().attempt(0, 100, answered).attempt(150, 200, failed);
    address.attempt(20_000, 20_100, again(200));
    expect([address.downAt(20_100), address.waitAt(20_100)]).to.deep.equal([19_950, 20_000]);
  });

  it("holds back the others in an outage that others show", () => {
    const address = new Attempts().attempt(0, 100, failed).attempt(100, 200, answered);
    address.attempt(1_000, 1_100, failed).attempt(7_000, 7_100, again(100));
    expect([address.downAt(7_100), address.waitAt(7_100)]).to.deep.equal([6_100, 20_000]);
  });

  it("is no reason for fewer attempts at a time when it comes again", () => {
    const address = new Attempts();
    for (let ms = 0; ms < 40_000; ms += 20) {
      const permits = Array.from({ length: address.address.attemptsAtATime }, () => address.begin(ms));
      for (const permit of permits) address.finish(permit, answered, ms + 10);
    }
    expect(address.address.attemptsAtATime).to.equal(32);
    for (let ms = 50_000; ms < 60_000; ms += 20) address.attempt(ms, ms + 10, again(100));
    expect(address.address.attemptsAtATime).to.equal(32);
  });
});

describe("a limit of requests without a usable header", () => {
  const refuse = (address: Attempts, fromMs: number) =>
    address.attempt(fromMs, fromMs + 10, { ...limited, delayMs: 30_000 }).waitAt(fromMs + 10);

  it("pauses all attempts, each time for longer while nothing is answered, and at most as its random delay says", () => {
    const address = new Attempts();
    expect(refuse(address, 0)).to.equal(100);
    expect(refuse(address, 1_000)).to.equal(200);
    expect(refuse(address, 2_000)).to.equal(400);
    expect(address.attempt(5_000, 5_010, { ...limited, delayMs: 250 }).waitAt(5_010)).to.equal(250);
  });

  it("lets attempts start some time after each other from then on, and shortens that with each answer", () => {
    const address = new Attempts();
    for (let ms = 0; ms < 6_000; ms += 2_000) refuse(address, ms);
    const gapAt = (ms: number) => {
      const permit = address.begin(ms);
      const waitMs = address.waitAt(ms);
      address.finish(permit, answered, ms + 1);
      return waitMs;
    };
    expect(gapAt(10_000)).to.equal(40);
    expect(gapAt(11_000)).to.be.closeTo(37.2, 0.01);
    for (let ms = 12_000; ms < 112_000; ms += 1_000) gapAt(ms);
    expect(gapAt(120_000)).to.equal(0);
  });

  it("is paused for as long as a header says where there is one", () => {
    const asked = { ...limited, delayMs: 7_000, pausesMs: [7_000] };
    expect(new Attempts().attempt(0, 10, asked).waitAt(10)).to.equal(7_000);
  });
});

describe("an outage", () => {
  it("is forgotten when nobody has asked for a minute, so that later calls start afresh", () => {
    const address = new Attempts().attempt(0, 10_000, failed);
    expect(address.downAt(70_000)).to.equal(70_000);
    expect(address.downAt(70_001)).to.equal(0);
    address.attempt(140_000, 141_000, failed);
    expect(address.downAt(141_000)).to.equal(1_000);
  });

  it("is not forgotten during the delay after a failure", () => {
    const address = new Attempts().attempt(0, 10_000, { ...failed, delayMs: 100_000 });
    expect(address.downAt(170_000)).to.equal(170_000);
    expect(address.downAt(170_001)).to.equal(0);
  });

  it("is not forgotten while an attempt is under way, however long that takes", () => {
    const address = new Attempts().attempt(0, 10_000, failed);
    const slow = address.begin(10_000);
    expect(address.downAt(3_000_000)).to.equal(3_000_000);
    address.finish(slow, failed, 3_000_000);
    expect(address.downAt(3_060_000)).to.equal(3_060_000);
  });

  it("is not forgotten while an attempt waits for its turn", () => {
    const address = new Attempts().attempt(0, 10_000, failed);
    address.address.enqueue(10_000);
    expect(address.downAt(200_000)).to.equal(200_000);
    address.address.giveUp(200_000);
    expect(address.downAt(260_000)).to.equal(260_000);
    expect(address.downAt(260_001)).to.equal(0);
  });
});
