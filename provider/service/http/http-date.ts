const MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;

const FORMS = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>${MONTHS}) (?<year>\\d{4}) ${TIME} GMT$`),
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>${MONTHS})-(?<year>\\d\\d) ${TIME} GMT$`),
  // asctime: Sun Nov  6 08:49:37 1994
  new RegExp(`^[A-Z][a-z]{2} (?<month>${MONTHS}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses an HTTP date of any of its three forms. Returns epoch milliseconds, or undefined when it is malformed.
 *
 * @param nowMs epoch milliseconds, to find the century of a year with two digits
 * @see RFC 9110 section 5.6.7
 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const number = (part: string) => Number(parts[part]);
  const [day, hour, second] = [number("day"), number("hour"), number("second")];
  const month = MONTHS.split("|").indexOf(parts.month ?? "");
  const year = fullYear(parts.year ?? "", nowMs);
  const date = new Date(Date.UTC(year, month, day, hour, number("minute"), Math.min(second, 59)));
  // Date.UTC turns 31 February into a day in March, and 8:60 into 9:00. Such dates do not exist.
  const exists = date.getUTCDate() === day && date.getUTCHours() === hour;
  return exists && second <= 60 ? date.getTime() : undefined;
}

/** A year of two digits that is more than fifty years ahead is in the past century. Source: RFC 9110 section 5.6.7. */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
