import type { Answer, Delivery } from "../http/answer.js";
import type { Awaited, Operation, Parsed } from "../operations/operation.js";
import type { InvalidParameter } from "../problem/invalid-parameter.js";
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
  /** What the service may still carry out or show. Undefined when nothing is awaited. */
  readonly awaits: Awaited | undefined;
}

/**
 * Judges an answer by the policy. A failure that the policy repeats ends the call when the operation must not be sent
 * twice and the service may have got it.
 *
 * @param isNew whether the control plane is so new that the service may not show it yet
 */
export function judge<Result>(
  operation: Operation<Result>,
  answer: Answer,
  isNew = false,
): Judgement<Result> {
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
