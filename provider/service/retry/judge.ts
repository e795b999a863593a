import type { Answer, Delivery } from "../http/answer.js";
import type { Operation, Parsed } from "../operations/operation.js";
import { comesFromService, parseProblem, type Problem } from "../problem/problem.js";
import { type AnswerPattern, POLICY, type PolicyRow, type Verdict } from "./policy.js";

/** What an answer means for an operation. */
export type Judgement<Result> = Grounds &
  ({ readonly verdict: "done"; readonly result: Result } | { readonly verdict: Exclude<Verdict, "done"> });

/** What a judgement rests on. */
export interface Grounds {
  readonly row: PolicyRow;
  readonly delivery: Delivery;
  /** What the body says. Empty where there is no body, and for the result of an operation. */
  readonly problem: Problem;
  /** Whether the service accepted the work and has not carried it out yet. */
  readonly isAccepted: boolean;
}

/**
 * Judges an answer by the policy. A failure that the policy repeats ends the call when the operation must not be sent
 * twice and the service may have got it.
 */
export function judge<Result>(operation: Operation<Result>, answer: Answer): Judgement<Result> {
  const isSuccess = answer.kind === "reply" && answer.status >= 200 && answer.status < 300;
  const parsed = isSuccess ? operation.parse(answer) : undefined;
  const problem = parseProblem(answer.kind === "reply" && parsed?.kind !== "result" ? answer.body : "");
  const row = POLICY.find(({ matches }) => fits(matches, answer, parsed, problem));
  if (row === undefined) throw new Error("the policy has no row for an answer");
  const delivery = row.delivery ?? answer.delivery;
  const grounds = { row, delivery, problem, isAccepted: parsed?.kind === "not yet" };
  if (parsed?.kind === "result") return { ...grounds, verdict: "done", result: parsed.result };
  if (row.verdict === "done") throw new Error("the policy takes a failure for a success");
  const endsHere = row.verdict === "retry" && !mayRepeat(operation, answer, grounds);
  return { ...grounds, verdict: endsHere ? "stop" : row.verdict };
}

function fits(
  pattern: AnswerPattern,
  answer: Answer,
  parsed: Parsed<unknown> | undefined,
  problem: Problem,
): boolean {
  if ("causes" in pattern) return answer.kind === "no reply" && pattern.causes.includes(answer.cause);
  if (answer.kind === "no reply" || answer.status < pattern.from || answer.status > pattern.to) return false;
  if (pattern.parsed !== undefined && pattern.parsed !== parsed?.kind) return false;
  if (pattern.body === undefined) return true;
  return pattern.body === "broken off"
    ? answer.bodyEnd === "broken off"
    : answer.bodyEnd === "complete" && comesFromService(problem, answer.status);
}

/** 429 and the service's own 503 say that the request was not processed. */
function mayRepeat(
  { idempotent }: Operation<unknown>,
  answer: Answer,
  { delivery, problem }: Grounds,
): boolean {
  if (idempotent || delivery === "not sent") return true;
  if (answer.kind === "no reply") return false;
  return answer.status === 429 || (answer.status === 503 && comesFromService(problem, 503));
}
