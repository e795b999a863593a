import { expect } from "chai";
import { parseRetryAfter } from "../../../../provider/service/retry/retry-after.js";

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
