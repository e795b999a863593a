import { expect } from "chai";
import { parseServiceTime } from "../../../../provider/service/operations/service-time.js";

describe("a time of the service", () => {
  for (const [text, ms] of [
    ["2022-11-04T20:10:06.927Z", Date.UTC(2022, 10, 4, 20, 10, 6, 927)],
    ["2022-11-04T20:10:06Z", Date.UTC(2022, 10, 4, 20, 10, 6)],
    ["2022-11-04t20:10:06z", Date.UTC(2022, 10, 4, 20, 10, 6)],
    ["2022-11-04T20:10:06.123456789Z", Date.UTC(2022, 10, 4, 20, 10, 6, 123)],
    ["2022-11-04T22:10:06+02:00", Date.UTC(2022, 10, 4, 20, 10, 6)],
    ["2022-11-04T14:40:06-05:30", Date.UTC(2022, 10, 4, 20, 10, 6)],
    ["2022-01-01T00:30:00+01:00", Date.UTC(2021, 11, 31, 23, 30)],
    ["2016-12-31T23:59:60Z", Date.UTC(2016, 11, 31, 23, 59, 59)],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2015-01-01T00:00:00Z", Date.UTC(2015, 0, 1)],
  ] as const) {
    it(`is read from ${text}`, () => expect(parseServiceTime(text)).to.equal(ms));
  }

  for (const [what, value] of [
    ["the zero time of Go", "0001-01-01T00:00:00Z"],
    ["the beginning of the Unix epoch", "1970-01-01T00:00:00Z"],
    ["a time before there was a service", "2014-12-31T23:59:59Z"],
    ["a time without an offset", "2026-01-05T10:00:00"],
    ["a date alone", "2026-01-05"],
    ["a number as text", "0"],
    ["another number as text", "1767225600"],
    ["a number", 1_767_225_600_000],
    ["a day in words", "May 5"],
    ["a date of HTTP", "Thu, 01 Jan 2026 01:00:00 GMT"],
    ["a space instead of the T", "2026-01-05 10:00:00Z"],
    ["a day that does not exist", "2026-02-30T10:00:00Z"],
    ["a month that does not exist", "2026-13-05T10:00:00Z"],
    ["an hour that does not exist", "2026-01-05T24:00:00Z"],
    ["a minute that does not exist", "2026-01-05T10:60:00Z"],
    ["a second that does not exist", "2026-01-05T10:00:61Z"],
    ["an offset that does not exist", "2026-01-05T10:00:00+24:00"],
    ["white space around it", " 2026-01-05T10:00:00Z"],
    ["an empty text", ""],
    ["nothing", undefined],
    ["null", null],
  ] as const) {
    it(`is not read from ${what}`, () => expect(parseServiceTime(value)).to.equal(undefined));
  }
});
