import { expect } from "chai";
import {
  decideRetry,
  retryDelayMs,
  type RetryFacts,
} from "../../../../provider/service/retry/decide-retry.js";
import type { Limits } from "../../../../provider/service/retry/limits.js";

const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };

const decide = (facts: Partial<RetryFacts>, changed: Partial<Limits> = {}) =>
  decideRetry(
    { ...limits, ...changed },
    { attempt: 1, delayMs: 500, isAsked: false, leftMs: 300_000, hopelessInMs: 300_000, ...facts },
  );
const again = (delayMs = 500) => ({ retry: true, delayMs });
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
      expect(retryDelayMs(attempt, undefined, 0)).to.equal(100);
      expect(retryDelayMs(attempt, undefined, 0.5)).to.equal(longestMs / 2);
      expect(retryDelayMs(attempt, undefined, 0.999_999_9)).to.equal(longestMs);
    });
  }

  it("is never below 100 ms", () => {
    expect(retryDelayMs(1, undefined, 0.05)).to.equal(100);
    expect(retryDelayMs(1, undefined, 0.101)).to.equal(101);
    expect(retryDelayMs(1, 1, 1)).to.equal(100);
  });

  it("is what Retry-After asks for, whatever the jitter would be", () => {
    expect(retryDelayMs(1, 45_000, 0)).to.equal(45_000);
    expect(retryDelayMs(8, 2_000, 1)).to.equal(2_000);
  });

  it("is the usual one for a Retry-After of 0, which would use up every attempt within a second", () => {
    expect(retryDelayMs(1, 0, 1)).to.equal(1_000);
    expect(retryDelayMs(1, 0, 0)).to.equal(100);
  });
});

describe("the decision after a temporary failure", () => {
  it("is to try again with the delay, up to the last attempt", () => {
    expect(decide({ attempt: 9, delayMs: 1_234 })).to.deep.equal(again(1_234));
    expect(decide({ attempt: 10 })).to.deep.equal(end("attempts used up"));
    expect(decide({ attempt: 11 })).to.deep.equal(end("attempts used up"));
    expect(decide({ attempt: 1 }, { maxAttempts: 1 })).to.deep.equal(end("attempts used up"));
  });

  it("names the attempts as the reason even when Retry-After would not fit either", () => {
    expect(decide({ attempt: 10, delayMs: 1e9, isAsked: true })).to.deep.equal(end("attempts used up"));
  });

  // The delay is 500 ms. An attempt of less than a second says nothing.
  for (const [leftMs, expected] of [
    [1_501, again()],
    [1_500, again()],
    [1_499, end("time used up")],
    [0, end("time used up")],
    [-100, end("time used up")],
  ] as const) {
    it(`with ${leftMs} ms left is ${JSON.stringify(expected)}`, () => {
      expect(decide({ leftMs })).to.deep.equal(expected);
    });
  }

  it("leaves room for a whole attempt when an attempt is shorter than a second", () => {
    const short = { requestTimeoutMs: 200 };
    expect(decide({ leftMs: 700 }, short)).to.deep.equal(again());
    expect(decide({ leftMs: 699 }, short)).to.deep.equal(end("time used up"));
  });

  for (const [delayMs, leftMs, expected] of [
    [299_000, 300_000, again(299_000)],
    [299_001, 300_000, end("Retry-After too long")],
    [100_000, 101_000, again(100_000)],
    [100_000, 100_999, end("Retry-After too long")],
    [Infinity, 300_000, end("Retry-After too long")],
  ] as const) {
    it(`with Retry-After ${delayMs} ms and ${leftMs} ms left is ${JSON.stringify(expected)}`, () => {
      expect(decide({ delayMs, leftMs, isAsked: true })).to.deep.equal(expected);
    });
  }

  it("is to try again until nothing has succeeded at the address for a whole budget", () => {
    expect(decide({ hopelessInMs: 1 })).to.deep.equal(again());
    expect(decide({ hopelessInMs: 0 })).to.deep.equal(end("nothing succeeds"));
  });

  it("does not name the address as the reason when the call has used up its own attempts or time", () => {
    expect(decide({ hopelessInMs: 0, attempt: 10 })).to.deep.equal(end("attempts used up"));
    expect(decide({ hopelessInMs: 0, leftMs: 100 })).to.deep.equal(end("time used up"));
  });
});
