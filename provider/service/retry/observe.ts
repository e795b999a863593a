import type { Answer } from "../http/answer.js";
import type { Observation } from "./address-health.js";
import type { Judgement } from "./judge.js";
import type { PolicyRow } from "./policy.js";
import { parseRateLimit } from "./rate-limit.js";

const TOO_MANY_REQUESTS = 429;

/**
 * Returns what an attempt showed of the address. A final failure pauses nobody.
 *
 * @param operation the name of the operation
 */
export function observe(
  operation: string,
  answer: Answer,
  { verdict, row }: Judgement<unknown>,
  delayMs: number,
  askedMs: number | undefined,
): Observation {
  if (answer.kind === "no reply") {
    const outcome = answer.cause === "interrupted" ? "cut off" : outcomeOf(row);
    return { outcome, delayMs, pausesMs: [], isRefusal: answer.cause === "connection refused" };
  }
  const asked = row.verdict === "retry" ? askedMs : undefined;
  const limited = verdict === "stop" ? undefined : parseRateLimit(answer.rateLimit);
  const pausesMs = [asked, limited].filter((ms) => ms !== undefined);
  const isRefusal = pausesMs.length > 0 || answer.status === TOO_MANY_REQUESTS;
  return { outcome: outcomeOf(row), delayMs, pausesMs, isRefusal, kind: `${operation} ${answer.status}` };
}

function outcomeOf({ verdict, addressWorks }: PolicyRow): Observation["outcome"] {
  return verdict === "retry" && addressWorks !== true ? "failed" : "answered";
}
