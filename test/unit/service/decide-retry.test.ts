import { expect } from "chai";
import { decideRetry, type Limits, type RetryFacts } from "../../../provider/service/decide-retry.js";

const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };

const decide = (facts: Partial<RetryFacts>, changed: Partial<Limits> = {}) =>
  decideRetry(
    { ...limits, ...changed },
    { attempt: 1, spentMs: 0, downMs: 0, retryAfterMs: undefined, random: 0.5, ...facts },
  );
const go = (delayMs: number) => ({ retry: true, delayMs });
const end = (because: string) => ({ retry: false, because });

describe("the delay before the next attempt", () => {
  const spans: readonly (readonly [attempt: number, longestMs: number])[] = [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [5, 16_000],
    [6, 30_000],
    [7, 30_000],
    [60, 30_000],
    [99, 30_000],
  ];
  for (const [attempt, longestMs] of spans) {
    it(`is between 100 ms and ${longestMs} ms after attempt ${attempt}`, () => {
      const after = (random: number) => decide({ attempt, random }, { maxAttempts: 100 });
      expect(after(0)).to.deep.equal(go(100));
      expect(after(0.5)).to.deep.equal(go(longestMs / 2));
      expect(after(0.999_999_9)).to.deep.equal(go(longestMs));
    });
  }

  it("is never below 100 ms", () => {
    expect(decide({ random: 0.05 })).to.deep.equal(go(100));
    expect(decide({ random: 0.101 })).to.deep.equal(go(101));
  });

  it("is what Retry-After says, whatever the jitter would be", () => {
    expect(decide({ retryAfterMs: 45_000, random: 0 })).to.deep.equal(go(45_000));
    expect(decide({ retryAfterMs: 2_000, attempt: 8, random: 1 })).to.deep.equal(go(2_000));
  });

  it("is the usual one for a Retry-After of nothing, which would use up every attempt within a second", () => {
    expect(decide({ retryAfterMs: 0, random: 1 })).to.deep.equal(go(1_000));
    expect(decide({ retryAfterMs: 0, random: 0 })).to.deep.equal(go(100));
  });

  it("is at least 100 ms for a Retry-After of less", () => {
    expect(decide({ retryAfterMs: 1, random: 1 })).to.deep.equal(go(100));
  });
});

describe("the end of retrying", () => {
  it("comes with the last attempt", () => {
    expect(decide({ attempt: 9 })).to.have.property("retry", true);
    expect(decide({ attempt: 10 })).to.deep.equal(end("attempts used up"));
    expect(decide({ attempt: 11 })).to.deep.equal(end("attempts used up"));
    expect(decide({ attempt: 1 }, { maxAttempts: 1 })).to.deep.equal(end("attempts used up"));
  });

  it("is told as used-up attempts, even when Retry-After would not fit either", () => {
    expect(decide({ attempt: 10, retryAfterMs: 1e9 })).to.deep.equal(end("attempts used up"));
  });

  // The delay is 500 ms, and an attempt of less than a second tells nothing.
  const edges: readonly (readonly [spentMs: number, expected: object])[] = [
    [298_499, go(500)],
    [298_500, go(500)],
    [298_501, end("time used up")],
    [300_000, end("time used up")],
    [400_000, end("time used up")],
  ];
  for (const [spentMs, expected] of edges) {
    it(`with ${spentMs} of 300000 ms spent is ${JSON.stringify(expected)}`, () => {
      expect(decide({ spentMs })).to.deep.equal(expected);
    });
  }

  it("leaves room for a whole attempt where an attempt is shorter than a second", () => {
    const short = { requestTimeoutMs: 200 };
    expect(decide({ spentMs: 299_300 }, short)).to.deep.equal(go(500));
    expect(decide({ spentMs: 299_301 }, short)).to.deep.equal(end("time used up"));
  });

  const wishes: readonly (readonly [retryAfterMs: number, spentMs: number, expected: object])[] = [
    [299_000, 0, go(299_000)],
    [299_001, 0, end("Retry-After too long")],
    [100_000, 199_000, go(100_000)],
    [100_000, 199_001, end("Retry-After too long")],
    [Infinity, 0, end("Retry-After too long")],
    [0, 299_000, end("time used up")],
    [1, 298_901, end("Retry-After too long")],
  ];
  for (const [retryAfterMs, spentMs, expected] of wishes) {
    it(`with Retry-After ${retryAfterMs} ms and ${spentMs} ms spent is ${JSON.stringify(expected)}`, () => {
      expect(decide({ retryAfterMs, spentMs })).to.deep.equal(expected);
    });
  }
});

describe("an address where nothing succeeds", () => {
  it("is asked again until that has lasted a whole budget", () => {
    expect(decide({ downMs: 299_999 })).to.deep.equal(go(500));
    expect(decide({ downMs: 300_000 })).to.deep.equal(end("nothing succeeds"));
  });

  it("is not the reason given where the call has used up its own attempts or time", () => {
    expect(decide({ downMs: 300_000, attempt: 10 })).to.deep.equal(end("attempts used up"));
    expect(decide({ downMs: 300_000, spentMs: 299_900 })).to.deep.equal(end("time used up"));
  });
});
