import type { Answer, Delivery, Reply } from "../http/answer.js";
import type { Awaited, Operation, Parsed } from "../operations/operation.js";
import { comesFromService, type InvalidParameter, parseProblem, type Problem } from "../problem/problem.js";
import { type AnswerPattern, POLICY, type PolicyRow, type Verdict } from "./policy.js";

/** What an answer means for an operation. */
export type Judgment<Result> = Grounds &
  ({ readonly verdict: "done"; readonly result: Result } | { readonly verdict: Exclude<Verdict, "done"> });

/** What a judgment rests on. */
interface Grounds {
  readonly row: PolicyRow;
  readonly delivery: Delivery;
  /** What the body says. Empty if there is no body, and for the result of an operation. */
  readonly problem: Problem;
  /** What the service may still carry out or show. Undefined if it has taken effect. */
  readonly awaits: Awaited | undefined;
}

/**
 * Judges an answer by the policy. A failure that the policy repeats ends the call when the operation must not be sent
 * twice and the service may have got it.
 *
 * @param isNew whether the control plane is so new that the service may not show it yet
 */
export function judge<Result>(operation: Operation<Result>, answer: Answer, isNew = false): Judgment<Result> {
  const isSuccess = answer.kind === "reply" && answer.status >= 200 && answer.status < 300;
  const parsed = isSuccess ? operation.parse(answer) : undefined;
  const problem = parseProblem(answer.kind === "reply" && parsed?.kind !== "result" ? answer.body : "");
  const namesNew = operation.namesNew ?? (() => false);
  const row = POLICY.find(({ matches }) => fits(matches, answer, { parsed, problem, isNew, namesNew }));
  if (row === undefined) throw new Error("the policy has no row for an answer");
  const delivery = row.delivery ?? answer.delivery;
  const grounds = { row, delivery, problem, awaits: parsed?.kind === "not yet" ? parsed.awaits : undefined };
  if (parsed?.kind === "result") return { ...grounds, verdict: "done", result: parsed.result };
  if (row.verdict === "done") throw new Error("the policy takes a failure for a success");
  const endsHere = row.verdict === "retry" && !mayRepeat(operation, answer, grounds);
  // A request that must not be sent again may have worked.
  return endsHere
    ? { ...grounds, delivery: "unknown", verdict: "stop" }
    : { ...grounds, verdict: row.verdict };
}

function fits(
  pattern: AnswerPattern,
  answer: Answer,
  known: {
    readonly parsed: Parsed<unknown> | undefined;
    readonly problem: Problem;
    readonly isNew: boolean;
    readonly namesNew: (parameter: InvalidParameter) => boolean;
  },
): boolean {
  const { parsed, problem, isNew, namesNew } = known;
  if ("causes" in pattern) return answer.kind === "no reply" && pattern.causes.includes(answer.cause);
  if (answer.kind === "no reply" || answer.status < pattern.from || answer.status > pattern.to) return false;
  if (pattern.isNew === true && !isNew) return false;
  if (pattern.rule !== undefined && !areAllNew(problem, pattern.rule, namesNew)) return false;
  if (pattern.parsed !== undefined && pattern.parsed !== parsed?.kind) return false;
  if (pattern.body === undefined) return true;
  return pattern.body === "broken off"
    ? answer.bodyEnd === "broken off"
    : answer.bodyEnd === "complete" && comesFromService(problem, answer.status);
}

/** Whether invalid parameters break one rule, and each of them names a new control plane. */
function areAllNew(
  { invalidParameters }: Problem,
  wanted: string,
  namesNew: (parameter: InvalidParameter) => boolean,
): boolean {
  return (
    invalidParameters.length > 0 &&
    invalidParameters.every((parameter) => parameter.rule === wanted && namesNew(parameter))
  );
}

/** Whether a failure that the policy repeats may be repeated for this operation. */
function mayRepeat(
  { idempotent }: Operation<unknown>,
  answer: Answer,
  { row, delivery, problem }: Grounds,
): boolean {
  if (idempotent || delivery === "not sent") return true;
  if (answer.kind === "no reply") return false;
  return (
    row.unprocessed === "always" ||
    (row.unprocessed === "when the service says so" && comesFromService(problem, answer.status))
  );
}

/** Limits of one call. */
export interface Limits {
  /** Attempts, including the first. */
  readonly maxAttempts: number;
  /** Time for the attempts of one call and the delays between them. Queueing and pauses that other calls caused do not count. */
  readonly budgetMs: number;
  /** What sets the budget. Default: `retryBudgetSeconds`. */
  readonly budgetFrom?: "customTimeouts";
  /** Time for one attempt. */
  readonly requestTimeoutMs: number;
  /** Whether even a service that does not show a new control plane yet is asked only once. Default: false. */
  readonly isOnce?: boolean;
}

/** Whether to try again and after which delay, or why not. */
type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly because: StopReason };

/** Why a temporary failure is not tried again. */
export type StopReason = "attempts used up" | "time used up" | "Retry-After too long" | "nothing succeeds";

/** The longest delay without a `Retry-After`. */
export const LONGEST_DELAY_MS = 30_000;

/** The delay before the second attempt is random up to this. The limit doubles with each attempt. */
const FIRST_DELAY_MS = 1_000;
const SHORTEST_DELAY_MS = 100;

/** An attempt with less time than this does not show whether the service works. */
const SHORTEST_ATTEMPT_MS = 1_000;

/** The facts that a decision rests on. */
export interface RetryFacts {
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  /** The delay before the next attempt: {@link retryDelayMs}. */
  readonly delayMs: number;
  /** Whether the service asked for that delay. */
  readonly isAsked: boolean;
  /** What is left of the call's budget, or of the time until the deadline if that is less. */
  readonly leftMs: number;
  /** Time until the address counts as hopeless without a success, in milliseconds. 0 or less if it does now. */
  readonly hopelessInMs: number;
}

/** Decides what follows a temporary failure. */
export function decideRetry(limits: Limits, facts: RetryFacts): RetryDecision {
  const { attempt, delayMs, isAsked, leftMs, hopelessInMs } = facts;
  if (attempt >= limits.maxAttempts) return { retry: false, because: "attempts used up" };
  if (leftMs - delayMs < Math.min(SHORTEST_ATTEMPT_MS, limits.requestTimeoutMs)) {
    return { retry: false, because: isAsked ? "Retry-After too long" : "time used up" };
  }
  return hopelessInMs > 0 ? { retry: true, delayMs } : { retry: false, because: "nothing succeeds" };
}

/**
 * Returns the delay before the next attempt, in milliseconds: what the service asks for, else a random delay up to
 * `min(30 s, 1 s · 2^(attempt-1))` (full jitter), and at least 100 ms.
 *
 * @param attempt the attempt that failed, counted from 1
 * @param askedMs what `Retry-After` asks for; 0 is ignored, because it would use up every attempt in a second
 * @param random from 0 to 1
 */
export function retryDelayMs(attempt: number, askedMs: number | undefined, random: number): number {
  const jitterMs = Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
  return Math.max(SHORTEST_DELAY_MS, askedMs === undefined || askedMs === 0 ? jitterMs : askedMs);
}

/**
 * Parses a `Retry-After` header: a whole number of seconds, or one of the three HTTP date forms.
 *
 * @param nowMs epoch milliseconds; a date is measured from here
 * @returns milliseconds to wait, 0 for a date in the past; undefined if the header is missing or malformed
 * @see RFC 9110 sections 10.2.3 and 5.6.7
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}

/**
 * Parses the rate-limit headers of an answer.
 *
 * @returns milliseconds until requests are allowed again; undefined if some are left, or the headers are malformed
 * @see Kong's rate-limiting plugin: `RateLimit-Remaining`, and `RateLimit-Reset` in seconds
 */
export function parseRateLimit(rateLimit: Reply["rateLimit"]): number | undefined {
  if (rateLimit === undefined || !/^0+$/.test(rateLimit.remaining)) return undefined;
  return /^\d+$/.test(rateLimit.reset) ? Number(rateLimit.reset) * 1000 : undefined;
}

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
 * Parses an HTTP date of any of its three forms. Returns epoch milliseconds, or undefined if it is malformed.
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
