import { expect } from "chai";
import { type Clock, createPacer } from "../../../provider/service/pacer.js";

const here = "https://eu.api.konghq.com/v2";
const there = "https://us.api.konghq.com/v2";
const never = new AbortController().signal;
const turn = (address: string, signal = never) => ({ address, patienceMs: 300_000, signal });

/** A clock whose sleepers wake when the test moves it. */
class ManualClock implements Clock {
  #nowMs = 0;
  #sleepers: { untilMs: number; wake: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      stop.addEventListener("abort", () => reject(stop.reason as Error));
      this.#sleepers.push({ untilMs: this.#nowMs + ms, wake: resolve });
    });
  }

  async advance(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const { untilMs, wake } of this.#sleepers) if (untilMs <= this.#nowMs) wake();
    this.#sleepers = this.#sleepers.filter(({ untilMs }) => untilMs > this.#nowMs);
    await turns();
  }
}

/** Lets everything run that waits for nothing but its turn. */
const turns = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that says when it began, and ends when it is told to. */
function gatedWork() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const finishOne = async () => {
    ends.shift()?.();
    await turns();
  };
  return { began, work, finishOne };
}

describe("the pacer", () => {
  it("lets no more calls through than it has slots, the first come first", async () => {
    const pacer = createPacer(2, new ManualClock());
    const { began, work, finishOne } = gatedWork();
    const results = ["a", "b", "c", "d"].map((name) => pacer.run(turn(here), work(name)));
    await turns();
    expect(began).to.deep.equal(["a", "b"]);
    await finishOne();
    expect(began).to.deep.equal(["a", "b", "c"]);
    await finishOne();
    expect(began).to.deep.equal(["a", "b", "c", "d"]);
    await finishOne();
    await finishOne();
    expect(await Promise.all(results)).to.deep.equal(["a", "b", "c", "d"]);
  });

  it("shares its slots among all addresses", async () => {
    const pacer = createPacer(1, new ManualClock());
    const { began, work, finishOne } = gatedWork();
    const both = [pacer.run(turn(here), work("here")), pacer.run(turn(there), work("there"))];
    await turns();
    expect(began).to.deep.equal(["here"]);
    await finishOne();
    expect(began).to.deep.equal(["here", "there"]);
    await finishOne();
    await Promise.all(both);
  });

  it("frees the slot of work that failed", async () => {
    const pacer = createPacer(1, new ManualClock());
    const failure = new Error("the work failed");
    const failed = await pacer
      .run(turn(here), () => Promise.reject(failure))
      .catch((error: unknown) => error);
    expect(failed).to.equal(failure);
    expect(await pacer.run(turn(here), () => Promise.resolve("next"))).to.equal("next");
  });

  it("keeps calls away from a paused address, and from no other", async () => {
    const clock = new ManualClock();
    const pacer = createPacer(1, clock);
    const { began, work, finishOne } = gatedWork();
    pacer.pause(here, 5_000);
    const both = [pacer.run(turn(here), work("here")), pacer.run(turn(there), work("there"))];
    await turns();
    expect(began).to.deep.equal(["there"]);
    await finishOne();
    await clock.advance(4_999);
    expect(began).to.deep.equal(["there"]);
    await clock.advance(1);
    expect(began).to.deep.equal(["there", "here"]);
    await finishOne();
    await Promise.all(both);
  });

  it("holds a call that had queued for its slot when the pause began", async () => {
    const clock = new ManualClock();
    const pacer = createPacer(1, clock);
    const { began, work, finishOne } = gatedWork();
    const both = [pacer.run(turn(here), work("first")), pacer.run(turn(here), work("second"))];
    await turns();
    pacer.pause(here, 1_000);
    await finishOne();
    expect(began).to.deep.equal(["first"]);
    await clock.advance(1_000);
    expect(began).to.deep.equal(["first", "second"]);
    await finishOne();
    await Promise.all(both);
  });

  for (const [first, second] of [
    [1_000, 3_000],
    [3_000, 1_000],
  ] as const) {
    it(`counts the longest pause of ${first} ms and ${second} ms`, async () => {
      const clock = new ManualClock();
      const pacer = createPacer(1, clock);
      const { began, work, finishOne } = gatedWork();
      pacer.pause(here, first);
      pacer.pause(here, second);
      const waiting = pacer.run(turn(here), work("a"));
      await clock.advance(2_999);
      expect(began).to.deep.equal([]);
      await clock.advance(1);
      expect(began).to.deep.equal(["a"]);
      await finishOne();
      await waiting;
    });
  }

  it("goes on waiting when the pause has become longer meanwhile", async () => {
    const clock = new ManualClock();
    const pacer = createPacer(1, clock);
    const { began, work, finishOne } = gatedWork();
    pacer.pause(here, 1_000);
    const waiting = pacer.run(turn(here), work("a"));
    pacer.pause(here, 3_000);
    await clock.advance(1_000);
    expect(began).to.deep.equal([]);
    await clock.advance(2_000);
    expect(began).to.deep.equal(["a"]);
    await finishOne();
    await waiting;
  });

  it("ends the wait for a paused address as soon as the run is stopped", async () => {
    const pacer = createPacer(1, new ManualClock());
    const { began, work } = gatedWork();
    const stopping = new AbortController();
    pacer.pause(here, 5_000);
    const failed = pacer.run(turn(here, stopping.signal), work("a")).catch((error: unknown) => error);
    await turns();
    const reason = new Error("the run is being stopped");
    stopping.abort(reason);
    expect(await failed).to.equal(reason);
    expect(began).to.deep.equal([]);
  });

  it("begins no work that was still queued when the run was stopped", async () => {
    const pacer = createPacer(1, new ManualClock());
    const { began, work, finishOne } = gatedWork();
    const stopping = new AbortController();
    const first = pacer.run(turn(here, stopping.signal), work("first"));
    const second = pacer.run(turn(here, stopping.signal), work("second")).catch((error: unknown) => error);
    await turns();
    const reason = new Error("the run is being stopped");
    stopping.abort(reason);
    await finishOne();
    expect(await first, "work that had begun goes on to its end").to.equal("first");
    expect(await second).to.equal(reason);
    expect(began).to.deep.equal(["first"]);
  });
});

describe("the pacer, at an address where nothing succeeds", () => {
  /** An address where an attempt has failed that took `downMs`, with nothing before it. */
  async function downFor(downMs: number, concurrency = 8) {
    const clock = new ManualClock();
    const pacer = createPacer(concurrency, clock);
    const works = gatedWork();
    await clock.advance(downMs);
    pacer.noteFailure(here, 0);
    return { clock, pacer, ...works };
  }
  const turns8 = ["a", "b", "c", "d"];

  it("lets all through while that has not lasted five seconds", async () => {
    const { pacer, began, work } = await downFor(4_999);
    for (const name of turns8) void pacer.run(turn(here), work(name));
    await turns();
    expect(began).to.deep.equal(turns8);
  });

  it("lets one through at a time from then on, the one that has waited longest", async () => {
    const { pacer, began, work, finishOne } = await downFor(5_000);
    for (const name of turns8) void pacer.run(turn(here), work(name));
    await turns();
    expect(began).to.deep.equal(["a"]);
    await finishOne();
    expect(began).to.deep.equal(["a", "b"]);
    void pacer.run(turn(here), work("a again"));
    await finishOne();
    await finishOne();
    await finishOne();
    expect(began).to.deep.equal([...turns8, "a again"]);
  });

  it("keeps the next one away for as long as the last one waits", async () => {
    const { clock, pacer, began, work } = await downFor(5_000);
    pacer.delayProbe(here, 2_000);
    void pacer.run(turn(here), work("a"));
    await clock.advance(1_999);
    expect(began).to.deep.equal([]);
    await clock.advance(1);
    expect(began).to.deep.equal(["a"]);
  });

  it("lets all through as soon as one has succeeded", async () => {
    const { pacer, began, work, finishOne } = await downFor(5_000);
    for (const name of turns8) void pacer.run(turn(here), work(name));
    await turns();
    pacer.delayProbe(here, 20_000);
    pacer.noteSuccess(here);
    await finishOne();
    expect(began).to.deep.equal(turns8);
    expect(pacer.downMs(here)).to.equal(0);
  });

  it("leaves other addresses alone", async () => {
    const { pacer, began, work } = await downFor(5_000);
    for (const name of turns8) void pacer.run(turn(there), work(name));
    await turns();
    expect(began).to.deep.equal(turns8);
    expect(pacer.downMs(there)).to.equal(0);
  });

  it("lets a call go at once when that has lasted as long as the call's patience", async () => {
    const { clock, pacer, began, work } = await downFor(5_000);
    void pacer.run(turn(here), work("probe"));
    await turns();
    for (const name of turns8) void pacer.run({ ...turn(here), patienceMs: 60_000 }, work(name));
    void pacer.run({ ...turn(here), patienceMs: 90_000 }, work("more patient"));
    await clock.advance(54_999);
    expect(began).to.deep.equal(["probe"]);
    await clock.advance(1);
    expect(began).to.deep.equal(["probe", ...turns8]);
  });

  it("still keeps to its slots then", async () => {
    const { clock, pacer, began, work, finishOne } = await downFor(5_000, 2);
    pacer.delayProbe(here, 300_000);
    for (const name of turns8) void pacer.run({ ...turn(here), patienceMs: 60_000 }, work(name));
    await clock.advance(55_000);
    expect(began).to.deep.equal(["a", "b"]);
    await finishOne();
    expect(began).to.deep.equal(["a", "b", "c"]);
  });

  it("obeys a pause that the service asked for even then", async () => {
    const { clock, pacer, began, work } = await downFor(5_000);
    pacer.pause(here, 100_000);
    void pacer.run({ ...turn(here), patienceMs: 60_000 }, work("a"));
    await clock.advance(99_999);
    expect(began).to.deep.equal([]);
    await clock.advance(1);
    expect(began).to.deep.equal(["a"]);
  });

  it("forgets all about it when nobody has asked for two minutes", async () => {
    const { clock, pacer, began, work } = await downFor(5_000);
    await clock.advance(120_001);
    expect(pacer.downMs(here)).to.equal(0);
    for (const name of turns8) void pacer.run(turn(here), work(name));
    await turns();
    expect(began).to.deep.equal(turns8);
  });

  it("allows one long look at a time, and then none for as long as it took", async () => {
    const { clock, pacer } = await downFor(300_000);
    const beganMs = clock.now();
    expect(pacer.beginLongLook(here)).to.equal(true);
    expect(pacer.beginLongLook(there)).to.equal(true);
    await clock.advance(30_000);
    expect(pacer.beginLongLook(here)).to.equal(false);
    pacer.endLongLook(here, beganMs);
    await clock.advance(29_999);
    expect(pacer.beginLongLook(here)).to.equal(false);
    await clock.advance(1);
    expect(pacer.beginLongLook(here)).to.equal(true);
  });
});
