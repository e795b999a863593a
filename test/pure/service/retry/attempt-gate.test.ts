import { setMaxListeners } from "node:events";
import { expect } from "chai";
import type { Observation } from "../../../../provider/service/retry/pace.js";
import { AttemptGate, type Clock } from "../../../../provider/service/retry/attempt-gate.js";
import type { Limits } from "../../../../provider/service/retry/judge.js";

const here = "https://eu.api.konghq.com/v2";
const there = "https://us.api.konghq.com/v2";
const never = new AbortController().signal;
setMaxListeners(0, never);
const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };
const answered: Observation = { outcome: "answered", delayMs: 0, pausesMs: [] };
const failed: Observation = { outcome: "failed", delayMs: 0, pausesMs: [] };
const refused: Observation = { ...failed, outcome: "refused" };
const cutOff: Observation = { ...answered, outcome: "cut off" };

/** A clock whose sleepers wake when the test moves it. */
class ManualClock implements Clock {
  #nowMs = 0;
  #busyMs = 0;
  #sleepers: { untilMs: number; wake: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  idleMs(): number {
    return this.#nowMs - this.#busyMs;
  }

  sleep(ms: number, stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { untilMs: this.#nowMs + ms, wake: resolve };
      stop.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(stop.reason as Error);
      });
      this.#sleepers.push(sleeper);
    });
  }

  /** How many sleep, and keep the process alive. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  async advance(ms: number, { busyMs = 0 } = {}): Promise<void> {
    this.#nowMs += ms;
    this.#busyMs += busyMs;
    for (const { untilMs, wake } of this.#sleepers) if (untilMs <= this.#nowMs) wake();
    this.#sleepers = this.#sleepers.filter(({ untilMs }) => untilMs > this.#nowMs);
    await turns();
  }
}

/** Lets everything run that waits for nothing but its turn. */
const turns = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A gate whose attempts note when they start, and end when they are told to. */
function setUp(slots: number) {
  const clock = new ManualClock();
  const gate = new AttemptGate(slots, limits, clock);
  const started: string[] = [];
  const ends: ((observation: Observation) => void)[] = [];
  const run = (name: string, address = here, signal = never, isUrgent = false) => {
    const attempt = async () => {
      started.push(name);
      const observation = await new Promise<Observation>((resolve) => ends.push(resolve));
      return { value: name, observation };
    };
    return gate.run(address, signal, attempt, isUrgent);
  };
  const finishOne = async (observation = answered) => {
    ends.shift()?.(observation);
    await turns();
  };
  /** Makes one attempt that takes no time. */
  const observe = (observation: Observation, address = here) =>
    gate.run(address, never, () => Promise.resolve({ value: "", observation }));
  return { clock, gate, started, run, finishOne, observe };
}

describe("the attempt gate", () => {
  it("lets no more attempts start than it has slots, the first come first", async () => {
    const { started, run, finishOne } = setUp(2);
    const results = ["a", "b", "c", "d"].map((name) => run(name));
    await turns();
    expect(started).to.deep.equal(["a", "b"]);
    await finishOne();
    expect(started).to.deep.equal(["a", "b", "c"]);
    for (let count = 0; count < 3; count += 1) await finishOne();
    expect((await Promise.all(results)).map(({ value }) => value)).to.deep.equal(["a", "b", "c", "d"]);
  });

  it("lets urgent attempts start before all others that wait, in their own order", async () => {
    const { started, run, finishOne } = setUp(1);
    const usual = ["a", "b", "c"].map((name) => run(name));
    const urgent = ["d", "e"].map((name) => run(name, here, never, true));
    await turns();
    for (let count = 0; count < 5; count += 1) await finishOne();
    await Promise.all([...usual, ...urgent]);
    expect(started).to.deep.equal(["a", "d", "e", "b", "c"]);
  });

  it("lets another attempt start when one has no answer after three seconds, within its slots", async () => {
    const { clock, started, run, finishOne } = setUp(12);
    const names = Array.from({ length: 14 }, (_, n) => `${n}`);
    const results = names.map((name) => run(name));
    await clock.advance(2_999);
    expect(started, "the first level").to.have.length(8);
    await clock.advance(1);
    expect(started, "all slots").to.have.length(12);
    await finishOne();
    expect(started).to.have.length(13);
    for (let count = 0; count < 13; count += 1) await finishOne();
    await Promise.all(results);
  });

  it("shares its slots among all addresses", async () => {
    const { started, run, finishOne } = setUp(1);
    const both = [run("here", here), run("there", there)];
    await turns();
    expect(started).to.deep.equal(["here"]);
    await finishOne();
    expect(started).to.deep.equal(["here", "there"]);
    await finishOne();
    await Promise.all(both);
  });

  it("frees the slot of an attempt that broke off by a defect, and passes the defect on", async () => {
    const { gate, observe } = setUp(1);
    const defect = new Error("a defect");
    const caught = await gate.run(here, never, () => Promise.reject(defect)).catch((error: unknown) => error);
    expect(caught).to.equal(defect);
    expect(await observe(answered)).to.deep.equal({ value: "", hopelessInMs: 300_000, pauseMs: 0 });
  });

  it("keeps attempts away from a paused address, and from no other", async () => {
    const { clock, started, run, finishOne, observe } = setUp(1);
    await observe({ ...answered, pausesMs: [5_000] });
    const both = [run("here", here), run("there", there)];
    await turns();
    expect(started).to.deep.equal(["there"]);
    await finishOne();
    await clock.advance(4_999);
    expect(started).to.deep.equal(["there"]);
    await clock.advance(1);
    expect(started).to.deep.equal(["there", "here"]);
    await finishOne();
    await Promise.all(both);
  });

  it("holds back an attempt that was waiting for a slot when the pause started", async () => {
    const { clock, started, run, finishOne } = setUp(1);
    const both = [run("first"), run("second")];
    await turns();
    await finishOne({ ...failed, pausesMs: [1_000] });
    expect(started).to.deep.equal(["first"]);
    await clock.advance(1_000);
    expect(started).to.deep.equal(["first", "second"]);
    await finishOne();
    await Promise.all(both);
  });

  it("goes on waiting when the pause becomes longer meanwhile", async () => {
    const { clock, started, run, finishOne } = setUp(2);
    const slow = run("slow");
    const other = run("other");
    await turns();
    await finishOne({ ...answered, pausesMs: [1_000] });
    const waiting = run("waiting");
    await finishOne({ ...answered, pausesMs: [3_000] });
    await clock.advance(1_000);
    expect(started).to.deep.equal(["slow", "other"]);
    await clock.advance(2_000);
    expect(started).to.deep.equal(["slow", "other", "waiting"]);
    await finishOne();
    await Promise.all([slow, other, waiting]);
  });

  it("ends the wait for a paused address as soon as the signal aborts", async () => {
    const { started, run, observe } = setUp(1);
    const stopping = new AbortController();
    await observe({ ...answered, pausesMs: [5_000] });
    const failure = run("a", here, stopping.signal).catch((error: unknown) => error);
    await turns();
    const reason = new Error("the run is being stopped");
    stopping.abort(reason);
    expect(await failure).to.equal(reason);
    expect(started).to.deep.equal([]);
  });

  it("starts nothing that still waits when the signal aborts, and lets go on what has started", async () => {
    const { started, run, finishOne } = setUp(1);
    const stopping = new AbortController();
    const first = run("first", here, stopping.signal);
    const second = run("second", here, stopping.signal).catch((error: unknown) => error);
    await turns();
    const reason = new Error("the run is being stopped");
    stopping.abort(reason);
    await finishOne();
    expect((await first).value).to.equal("first");
    expect(await second).to.equal(reason);
    expect(started).to.deep.equal(["first"]);
  });

  it("sleeps no longer when the last attempt that waits for the end of a pause gives up", async () => {
    const { clock, run, observe } = setUp(1);
    await observe({ ...answered, pausesMs: [45_000] });
    const stopping = new AbortController();
    const waiting = ["a", "b"].map((name) => run(name, here, stopping.signal).catch(() => "gave up"));
    expect(clock.sleeping).to.equal(1);
    stopping.abort();
    expect(await Promise.all(waiting)).to.deep.equal(["gave up", "gave up"]);
    expect(clock.sleeping).to.equal(0);
  });

  it("starts nothing when the signal has aborted before", async () => {
    const { started, run } = setUp(1);
    const reason = new Error("the run is being stopped");
    expect(await run("a", here, AbortSignal.abort(reason)).catch((error: unknown) => error)).to.equal(reason);
    expect(started).to.deep.equal([]);
  });
});

describe("the attempt gate, at an address where nothing succeeds", () => {
  const NAMES = ["a", "b", "c", "d"];

  /** An address where one attempt has failed that took `downMs`. */
  async function downFor(downMs: number, slots = 8) {
    const parts = setUp(slots);
    const first = parts.run("first");
    await parts.clock.advance(downMs);
    await parts.finishOne(failed);
    expect(await first).to.deep.equal({ value: "first", hopelessInMs: 300_000 - downMs, pauseMs: 0 });
    parts.started.length = 0;
    return parts;
  }

  it("lets everything start while that has not lasted five seconds", async () => {
    const { started, run } = await downFor(4_999);
    for (const name of NAMES) void run(name);
    await turns();
    expect(started).to.deep.equal(NAMES);
  });

  it("lets one attempt start at a time from then on, the one that has waited longest", async () => {
    const { started, run, finishOne } = await downFor(5_000);
    for (const name of NAMES) void run(name);
    await turns();
    expect(started).to.deep.equal(["a"]);
    await finishOne(failed);
    expect(started).to.deep.equal(["a", "b"]);
    void run("a again");
    for (let count = 0; count < 3; count += 1) await finishOne(failed);
    expect(started).to.deep.equal([...NAMES, "a again"]);
  });

  it("holds the next one back for the delay of the last one", async () => {
    const { clock, started, run, finishOne } = await downFor(5_000);
    void run("a");
    void run("b");
    await turns();
    await finishOne({ ...failed, delayMs: 2_000 });
    await clock.advance(1_999);
    expect(started).to.deep.equal(["a"]);
    await clock.advance(1);
    expect(started).to.deep.equal(["a", "b"]);
  });

  it("lets everything start as soon as one has succeeded", async () => {
    const { started, run, finishOne } = await downFor(5_000);
    for (const name of NAMES) void run(name);
    await turns();
    await finishOne(answered);
    expect(started).to.deep.equal(NAMES);
  });

  it("leaves other addresses alone", async () => {
    const { started, run } = await downFor(5_000);
    for (const name of NAMES) void run(name, there);
    await turns();
    expect(started).to.deep.equal(NAMES);
  });

  it("lets everything start when that has lasted a whole budget, in no more than its slots", async () => {
    const { clock, started, run, finishOne } = await downFor(5_000, 3);
    void run("probe");
    await turns();
    for (const name of NAMES) void run(name);
    await clock.advance(294_999);
    expect(started).to.deep.equal(["probe"]);
    await clock.advance(1);
    expect(started).to.deep.equal(["probe", "a", "b"]);
    await finishOne(failed);
    expect(started).to.deep.equal(["probe", "a", "b", "c"]);
  });

  it("says when the address becomes hopeless, after what the attempt itself showed", async () => {
    const { clock, observe } = await downFor(5_000);
    await clock.advance(1_000);
    expect((await observe(failed)).hopelessInMs).to.equal(294_000);
    expect((await observe(answered)).hopelessInMs).to.equal(300_000);
    expect((await observe(failed)).hopelessInMs).to.equal(300_000);
  });
});

describe("the attempt gate, with more slots than an address takes at first", () => {
  /** An address with more calls than may start, and answers of one kind that take some time. */
  function setUpMany({ slots = 32, calls = 700 } = {}) {
    const parts = setUp(slots);
    const { clock, gate, run, finishOne, started } = parts;
    for (let n = 0; n < calls; n += 1) void run(`${n}`);
    let ended = 0;
    /** Ends everything that is under way, so that others start. */
    const finishRound = async (observation = answered, tookMs = 50, more = {}) => {
      await clock.advance(tookMs, more);
      for (const many = started.length; ended < many; ended += 1) {
        await finishOne({ ...observation, kind: "DELETE 204" });
      }
    };
    const finishRounds = async (count: number, ...more: Parameters<typeof finishRound>) => {
      for (let round = 0; round < count; round += 1) await finishRound(...more);
    };
    return { ...parts, finishRound, finishRounds, level: () => gate.attemptsAtATime(here) };
  }

  it("starts one more for each round of answers, up to its slots", async () => {
    const { started, level, finishRound, finishRounds } = setUpMany({ slots: 10 });
    await turns();
    expect(started).to.have.length(8);
    await finishRounds(2);
    expect(level()).to.equal(9);
    await finishRounds(20);
    expect(level()).to.equal(10);
    const before = started.length;
    await finishRound();
    expect(started).to.have.length(before + 10);
  });

  it("starts half as many after a refusal, and nothing before enough of the others have ended", async () => {
    const { started, level, finishOne } = setUpMany();
    await turns();
    await finishOne(refused);
    expect(level()).to.equal(4);
    for (let count = 0; count < 3; count += 1) await finishOne();
    expect(started).to.have.length(8);
    await finishOne();
    expect(started).to.have.length(9);
  });

  it("knows each address by itself", async () => {
    const { gate, started, run, finishOne } = setUpMany();
    await turns();
    await finishOne(refused);
    started.length = 0;
    for (let n = 0; n < 20; n += 1) void run("there", there);
    await turns();
    expect(started).to.have.length(8);
    expect([gate.attemptsAtATime(here), gate.attemptsAtATime(there)]).to.deep.equal([4, 8]);
  });

  it("never lets more start than it has slots, whatever each address takes", async () => {
    const { started, run } = setUpMany({ slots: 12 });
    await turns();
    for (let n = 0; n < 20; n += 1) void run("there", there);
    await turns();
    expect(started).to.have.length(12);
  });

  it("learns nothing from attempts that this run cut off, or that broke off by a defect", async () => {
    const { gate, clock, level, finishRounds } = setUpMany();
    await finishRounds(10);
    const before = level();
    await finishRounds(3, cutOff);
    await clock.advance(2_000);
    await gate.run(there, never, () => Promise.reject(new Error("a defect"))).catch(() => undefined);
    expect([level(), gate.attemptsAtATime(there)]).to.deep.equal([before, 8]);
  });

  it("does not take a pause that the service asked for as the time of an answer", async () => {
    const { clock, level, finishRound, finishRounds } = setUpMany();
    await finishRounds(20);
    await finishRound({ ...answered, pausesMs: [60_000] });
    const halved = level();
    await clock.advance(60_000);
    await finishRounds(10);
    expect(level()).to.be.above(halved);
  });

  it("halves the level when answers become slow, but not when this process is busy meanwhile", async () => {
    const { level, finishRounds } = setUpMany();
    await finishRounds(20);
    const before = level();
    await finishRounds(5, answered, 500, { busyMs: 450 });
    expect(level()).to.be.above(before);
    await finishRounds(5, answered, 500);
    expect(level()).to.be.within(8, before - 5);
  });
});
