import { expect } from "chai";
import {
  decideRetry,
  type Limits,
  parseRateLimit,
  parseRetryAfter,
  retryDelayMs,
  type RetryFacts,
} from "../../../../provider/service/retry/judge.js";

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

/** Sunday, ten seconds before the example date of RFC 9110. */
const now = Date.UTC(1994, 10, 6, 8, 49, 27);

describe("Retry-After", () => {
  const cases: readonly (readonly [header: string | undefined, ms: number | undefined])[] = [
    [undefined, undefined],
    ["", undefined],
    ["0", 0],
    ["1", 1_000],
    [" 120 ", 120_000],
    ["007", 7_000],
    ["99999999999", 99_999_999_999_000],
    ["-1", undefined],
    ["+1", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["10 seconds", undefined],
    ["1, 2", undefined],
    ["soon", undefined],
    ["Infinity", undefined],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 10_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 10_000],
    ["Sun Nov  6 08:49:37 1994", 10_000],
    ["Wed Nov 16 08:49:27 1994", 864_000_000],
    ["Sun, 06 Nov 1994 08:49:27 GMT", 0],
    ["Sun, 06 Nov 1994 08:49:26 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Sunday, 06-Nov-93 08:49:37 GMT", 0],
    ["Tue, 28 Feb 1995 08:49:27 GMT", 114 * 86_400_000],
    ["Tue, 31 Feb 1995 08:49:27 GMT", undefined],
    ["Wed, 29 Feb 1995 08:49:27 GMT", undefined],
    ["Sun, 00 Nov 1994 08:49:37 GMT", undefined],
    ["Sun, 06 Nov 1994 24:00:00 GMT", undefined],
    ["Sun, 06 Nov 1994 08:60:00 GMT", undefined],
    ["Sun, 06 Nov 1994 08:49:61 GMT", undefined],
    ["Sun, 06 Nov 1994 08:49:60 GMT", 32_000],
    ["Sun, 06 Nov 1994 08:49:37", undefined],
    ["Sun, 06 Nov 1994 08:49:37 UTC", undefined],
    ["Sun, 06 Nov 1994 08:49:37 +0000", undefined],
    ["Sun, 6 Nov 1994 08:49:37 GMT", undefined],
    ["06 Nov 1994 08:49:37 GMT", undefined],
    ["Sun, 06 Foo 1994 08:49:37 GMT", undefined],
    ["1994-11-06T08:49:37Z", undefined],
  ];
  for (const [header, ms] of cases) {
    const said = ms === undefined ? "is ignored" : `means ${ms} ms`;
    it(`${header === undefined ? "left out" : `"${header}"`} ${said}`, () => {
      expect(parseRetryAfter(header, now)).to.equal(ms);
    });
  }

  it("waits forever when the number is too large", () => {
    expect(parseRetryAfter("9".repeat(400), now)).to.equal(Infinity);
  });

  it("with two digits of the year means the year within fifty years of now", () => {
    const in2026 = Date.UTC(2026, 0, 1);
    const year = (digits: string) => {
      const ms = parseRetryAfter(`Sunday, 06-Nov-${digits} 08:49:37 GMT`, in2026);
      return new Date(in2026 + (ms ?? NaN)).getUTCFullYear();
    };
    expect(year("26")).to.equal(2026);
    expect(year("76")).to.equal(2076);
    expect(year("77"), "1977 has passed").to.equal(2026);
  });
});

describe("rate-limit headers", () => {
  for (const [remaining, reset, ms] of [
    ["0", "48", 48_000],
    ["0", "0", 0],
    ["00", "1", 1_000],
    ["1", "48", undefined],
    ["10", "48", undefined],
    ["", "48", undefined],
    ["-1", "48", undefined],
    ["0.0", "48", undefined],
    ["0", "", undefined],
    ["0", "-3", undefined],
    ["0", "1.5", undefined],
    ["0", "soon", undefined],
    ["0", "Thu, 01 Jan 2026 00:00:20 GMT", undefined],
  ] as const) {
    it(`with ${JSON.stringify(remaining)} left and a reset of ${JSON.stringify(reset)} ask for ${
      ms === undefined ? "nothing" : `${ms} ms`
    }`, () => {
      expect(parseRateLimit({ remaining, reset })).to.equal(ms);
    });
  }

  it("that are not there ask for nothing", () => {
    expect(parseRateLimit(undefined)).to.equal(undefined);
  });
});
