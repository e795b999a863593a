import { expect } from "chai";
import {
  attemptsAtATime,
  firstPace,
  type Pace,
  type PaceSample,
  nextPace,
} from "../../../../provider/service/retry/pace.js";

const CEILING = 32;

/** Returns the limit after attempts that end one after another. */
function after(limit: Pace, samples: readonly PaceSample[], ceiling = CEILING): Pace {
  return samples.reduce((current, sample) => nextPace(current, ceiling, sample), limit);
}

/** An attempt that took 20 ms, at an address that uses its whole level. */
function ended(load: PaceSample["load"], endedMs: number, more: Partial<PaceSample> = {}): PaceSample {
  const tookMs = 20;
  return {
    startedMs: endedMs - tookMs,
    endedMs,
    load,
    kind: "DELETE 204",
    idleMs: tookMs,
    isFull: true,
    ...more,
  };
}

/** Answers that took `tookMs` each, one after another from a time on. */
function answers(
  count: number,
  { fromMs = 0, tookMs = 20, ...more }: Partial<PaceSample> & { fromMs?: number; tookMs?: number } = {},
): readonly PaceSample[] {
  return Array.from({ length: count }, (_, n) =>
    ended("answered", fromMs + (n + 1) * tookMs, {
      startedMs: fromMs + n * tookMs,
      idleMs: tookMs,
      ...more,
    }),
  );
}

const first = firstPace(CEILING);
/** The level is at its ceiling, and an answer usually takes 50 ms. */
const grown = after(first, answers(63 * 16, { tookMs: 50 }));
const LATER_MS = 1_000_000;

describe("the number of attempts that may be under way at an address", () => {
  it("starts with eight, or with the ceiling when that is lower", () => {
    expect(attemptsAtATime(firstPace(32))).to.equal(8);
    expect(attemptsAtATime(firstPace(3))).to.equal(3);
  });

  it("grows by one for each round of answers", () => {
    expect(attemptsAtATime(after(first, answers(8)))).to.equal(8);
    expect(attemptsAtATime(after(first, answers(9)))).to.equal(9);
    expect(attemptsAtATime(after(first, answers(9 + 10)))).to.equal(10);
  });

  it("reaches a ceiling of 32 with the 480th answer, and does not grow beyond it", () => {
    expect(attemptsAtATime(after(first, answers(479)))).to.equal(31);
    expect(attemptsAtATime(after(first, answers(480)))).to.equal(32);
    expect(after(first, answers(2_000)).level).to.equal(32);
  });

  it("does not grow while it is not used", () => {
    expect(after(first, answers(100, { isFull: false })).level).to.equal(8);
  });

  it("is halved when the service refuses, once for all attempts that were under way", () => {
    const halved = after(grown, [
      ended("refused", LATER_MS),
      ended("refused", LATER_MS + 1),
      ended("failed", LATER_MS + 5, { startedMs: LATER_MS - 1 }),
    ]);
    expect(halved.level).to.equal(16);
    expect(after(halved, [ended("refused", LATER_MS + 21)]).level).to.equal(8);
  });

  it("does not grow by answers to attempts that started before it was halved", () => {
    const halved = after(grown, [ended("refused", LATER_MS)]);
    expect(after(halved, [ended("answered", LATER_MS + 20)]).level).to.equal(16);
    expect(after(halved, [ended("answered", LATER_MS + 21)]).level).to.be.above(16);
  });

  it("never shrinks below two, or below a ceiling of one", () => {
    const refusals = Array.from({ length: 20 }, (_, n) => ended("refused", (n + 1) * 20));
    expect(after(first, refusals).level).to.equal(2);
    expect(after(firstPace(1), refusals, 1).level).to.equal(1);
  });

  it("loses the growth of five answers with each failure, but stays at eight, because an outage says nothing of the level", () => {
    expect(after(grown, [ended("failed", LATER_MS)]).level).to.equal(32 - 5 / 32);
    const failures = Array.from({ length: 200 }, (_, n) => ended("failed", LATER_MS + n * 21));
    expect(after(grown, failures).level).to.equal(8);
    const refused = after(first, [ended("refused", 20)]);
    expect(after(refused, [ended("failed", 41)]).level).to.equal(4);
  });

  it("grows where one attempt in ten fails, and not where one in five does", () => {
    const mixed = (failingOf: number) =>
      Array.from({ length: 3_000 }, (_, n) => ended(n % failingOf === 0 ? "failed" : "answered", n * 21));
    expect(after(first, mixed(10)).level).to.be.above(30);
    expect(after(first, mixed(5)).level).to.be.below(10);
  });
});

describe("the time between two attempts at an address", () => {
  const limitedAt = (...endedMs: readonly number[]) =>
    after(
      first,
      endedMs.map((ms) => ended("limited", ms)),
    ).spacingMs;

  it("is none until the service limits the rate of requests", () => {
    expect([
      first.spacingMs,
      after(first, [ended("refused", 20), ended("failed", 60)]).spacingMs,
    ]).to.deep.equal([0, 0]);
  });

  it("doubles with each refusal, once for attempts that were under way together, up to half a minute", () => {
    expect([limitedAt(20), limitedAt(20, 25), limitedAt(20, 41), limitedAt(20, 41, 62)]).to.deep.equal([
      10, 10, 20, 40,
    ]);
    expect(limitedAt(...Array.from({ length: 20 }, (_, n) => 20 + n * 21))).to.equal(30_000);
  });

  it("is a second at most after an answer, and then shrinks to none", () => {
    const slow = after(
      first,
      Array.from({ length: 20 }, (_, n) => ended("limited", 20 + n * 21)),
    );
    expect(after(slow, answers(1, { fromMs: 1_000 })).spacingMs).to.equal(1_000);
    expect(after(slow, answers(2, { fromMs: 1_000 })).spacingMs).to.equal(930);
    expect(after(slow, answers(100, { fromMs: 1_000 })).spacingMs).to.equal(0);
  });
});

describe("the number of attempts that may be under way at an address, after a refusal", () => {
  /** The service refused the ninth attempt. */
  const nine = after(first, answers(9));
  const refused = after(nine, [ended("refused", 200)]);
  const then = (count: number) => attemptsAtATime(after(refused, answers(count, { fromMs: 201 })));

  it("comes back to the level below within some rounds, and stays there for about twenty", () => {
    expect(attemptsAtATime(refused)).to.equal(4);
    expect(then(21)).to.equal(7);
    expect(then(22)).to.equal(8);
    expect(then(180)).to.equal(8);
    expect(then(200)).to.equal(9);
  });

  it("grows as before once the service has taken more than the level that it refused", () => {
    const ten = after(refused, answers(375, { fromMs: 201 }));
    expect(attemptsAtATime(ten)).to.equal(10);
    expect(attemptsAtATime(after(ten, answers(12, { fromMs: 10_000 })))).to.equal(11);
  });

  it("keeps the level that was refused when more attempts of that moment are refused", () => {
    const again = after(refused, [ended("refused", 201), ended("refused", 219)]);
    expect(again).to.deep.equal(refused);
  });

  it("recovers within a hundred answers from a time in which everything was refused", () => {
    const refusals = Array.from({ length: 50 }, (_, n) => ended("refused", (n + 1) * 20));
    const down = after(first, refusals);
    expect(attemptsAtATime(after(down, answers(100, { fromMs: 1_000 })))).to.be.at.least(8);
  });
});

describe("the number of attempts that may be under way at an address, when answers become slow", () => {
  const slower = (count: number, tookMs: number, more = {}) =>
    answers(count, { fromMs: LATER_MS, tookMs, ...more });

  it("is halved when sixteen answers took more than twice as long on average, and 20 ms more", () => {
    expect(after(grown, slower(16, 120)).level).to.equal(32);
    expect(after(grown, slower(15, 121)).level).to.equal(32);
    expect(after(grown, slower(16, 121)).level).to.equal(16);
  });

  it("is halved again while that lasts, but not below eight", () => {
    expect(after(grown, slower(34, 200)).level).to.be.within(8, 10);
    expect(after(grown, slower(1_000, 200)).level).to.be.within(8, 10);
  });

  it("stays as it is when few answers are slow", () => {
    const [slow] = slower(1, 500);
    const mixed = Array.from({ length: 20 }, () => [slow!, ...slower(15, 50)]).flat();
    expect(after(grown, mixed).level).to.equal(32);
  });

  it("stays as it is when the time passed because this process was busy", () => {
    expect(after(grown, slower(100, 500, { idleMs: 60 })).level).to.equal(32);
  });

  it("stays as it is when answers are no slower than those that came while this process was busy", () => {
    const busy = after(first, answers(63 * 16, { tookMs: 500, idleMs: 5 }));
    expect(after(busy, slower(160, 400)).level).to.equal(32);
  });

  it("stays as it is when answers of another kind take longer", () => {
    expect(after(grown, slower(100, 500, { kind: "GET 200" })).level).to.equal(32);
    expect(after(grown, slower(100, 500, { kind: undefined })).level).to.equal(32);
  });

  it("grows again when answers are as quick as before", () => {
    const slow = after(grown, slower(1_000, 200));
    const quick = answers(500, { fromMs: 2 * LATER_MS, tookMs: 50 });
    expect(after(slow, quick).level).to.equal(32);
  });
});
