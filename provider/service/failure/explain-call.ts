import { STATUS_CODES } from "node:http";
import { describeDuration, type MessageRow, renderMessage } from "../../text/message.js";
import { firstLine, safe, safeText, type SafeText } from "../../text/safe-text.js";
import { urlOf } from "../http/address.js";
import type { Answer, Reply } from "../http/answer.js";
import {
  type CallSubject,
  type ControlPlaneRef,
  describeSubject,
  type NewControlPlaneRef,
  type ServiceRef,
} from "../operations/control-planes.js";
import type { Operation } from "../operations/operation.js";
import { type Problem, renderInvalidParameters } from "../problem/problem.js";
import { type CallEnd, type CallFacts, factsOf } from "../retry/call.js";
import type { Limits } from "../retry/judge.js";
import type { CallFailureKind } from "../retry/policy.js";
import { ControlPlaneError, settingsError } from "./control-plane-error.js";
import { nextStep, outcomeFor, type Purpose } from "./purpose.js";

/** A call that failed, and everything that its message needs. */
export interface FailedCall {
  readonly purpose: Purpose;
  readonly subject: CallSubject;
  readonly operation: Operation<unknown>;
  readonly end: CallEnd<unknown>;
  readonly limits: Limits;
  /** What the owner of a refused token should know. */
  readonly tokenHints: readonly SafeText[];
  /** Replaces the kind that the policy names. */
  readonly kind?: CallFailureKind;
  /** What the call was for, where its subject does not show that. */
  readonly reason?: SafeText | undefined;
  /** Returns what the failure means for the subject, where the purpose does not show it. */
  readonly outcome?: ((mayHaveWorked: boolean) => SafeText) | undefined;
  /** More lines that explain the failure. */
  readonly findings?: readonly SafeText[];
  /** Replaces what the reader usually does next after this kind of failure. */
  readonly next?: SafeText | undefined;
  /** More rows of the message. */
  readonly moreRows?: readonly MessageRow[];
  /** Set for a check that follows a DELETE that may have worked. */
  readonly mayHaveWorked?: boolean | undefined;
}

/** Creates the error of a call that failed. */
export function explainCall(failed: FailedCall): ControlPlaneError {
  const { end, subject, purpose } = failed;
  const { problem } = end.judgment;
  const kind = failed.kind ?? kindOf(end);
  const summary = summarize(end, kind);
  const mayHaveWorked = purpose === "check" ? failed.mayHaveWorked === true : end.mayHaveWorked;
  const outcome =
    failed.outcome?.(mayHaveWorked) ?? outcomeFor(purpose, kind, mayHaveWorked, isMany(subject));
  const state = stateAfter(purpose, kind, mayHaveWorked);
  const next = nextStepOf(failed, kind);
  const message = renderMessage({
    headline: safe`${summary}: ${describeSubject(subject)} ${outcome}`,
    explanation: [
      ...(failed.reason === undefined ? [] : [failed.reason]),
      ...explain(end, kind),
      ...(failed.findings ?? []),
    ],
    rows: [...messageRows(failed, { kind, facts: factsOf(end), state, next }), ...(failed.moreRows ?? [])],
  });
  return new ControlPlaneError(message, {
    kind,
    subject: describeSubject(subject),
    summary,
    facts: factsOf(end),
    ...(failed.findings !== undefined && { findings: failed.findings }),
    next,
    ...(end.answer.kind === "reply" && { problem }),
  });
}

/** Creates the error of a call that cannot be made, because a setting or an argument is unusable. */
export function explainUnusable(
  purpose: Purpose,
  about: ServiceRef | NewControlPlaneRef | Pick<ControlPlaneRef, "id" | "name">,
  reasons: readonly [SafeText, ...SafeText[]],
): ControlPlaneError {
  const [reason, ...more] = reasons;
  const summary = firstLine(reason);
  const subject = describeSubject(about);
  const outcome = outcomeFor(purpose, "settings", false, isMany(about));
  const next = safe`correct that, then run again; nothing was sent`;
  const message = renderMessage({
    headline: safe`${subject} ${outcome}: ${summary}`,
    explanation: more,
    rows: [[safe`next`, next]],
  });
  return settingsError(message, { subject, summary, next });
}

/** Whether a call is about more than one control plane. */
function isMany({
  id,
  name,
}: {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}): boolean {
  return id === undefined && name === undefined;
}

/** What a message says about the end of a call besides its answer. */
interface Ending {
  readonly kind: CallFailureKind;
  readonly facts: CallFacts;
  readonly state: SafeText | undefined;
  /** Describes the attempts. Default: their number and time. */
  readonly made?: SafeText;
  /** What the reader does next. */
  readonly next: SafeText;
}

/** Returns the rows of a message about a call. */
export function messageRows(failed: FailedCall, ending: Ending): readonly MessageRow[] {
  const { kind, facts, state, next } = ending;
  const made = ending.made ?? safe`${facts.attempts} in ${describeDuration(facts.durationMs)}`;
  const { operation, subject, end, tokenHints } = failed;
  const { instance, type } = end.judgment.problem;
  const request = safeText(`${operation.method} ${urlOf(operation, subject.address)}`, 400);
  return [
    [safe`request`, request],
    [safe`trace`, instance === undefined ? undefined : safeText(instance, 400)],
    [safe`type`, type === undefined ? undefined : safeText(type, 400)],
    [safe`attempts`, facts.attempts === 0 ? undefined : describeAttempts(failed, made)],
    [safe`token`, facts.tokenSource],
    [safe`state`, state],
    [safe`next`, next],
    ...(kind === "unauthenticated" ? tokenHints.map((hint) => [safe`note`, hint] as const) : []),
  ];
}

/** Returns what the reader of a failed call does next. */
export function nextStepOf({ end, purpose, next }: FailedCall, kind: CallFailureKind): SafeText {
  return next ?? nextStep(kind, end.answer, end.stop, purpose);
}

/** Explains what an answer says: the problem's detail and invalid parameters, or the words of the answer. */
export function explainReply(reply: Reply, problem: Problem, isForeign: boolean): readonly SafeText[] {
  if (reply.bodyEnd === "withheld") return [safe`Its text is withheld, because it repeats the token.`];
  const detail = problem.detail === undefined ? [] : [safeText(problem.detail, 1000)];
  return isForeign
    ? detail.map((text) => safe`The answer says: ${text}`)
    : [...detail, ...renderInvalidParameters(problem.invalidParameters)];
}

/** Returns the kind of a call's failure. */
export function kindOf({ judgment, stop }: CallEnd<unknown>): CallFailureKind {
  if (stop === "interrupted") return "interrupted";
  // The last answer does not count yet, for example the 404 to a control plane that was created moments ago.
  if (judgment.verdict === "retry") return "unavailable";
  return judgment.row.failure ?? "service";
}

function summarize({ answer, attempts, judgment }: CallEnd<unknown>, kind: CallFailureKind): SafeText {
  if (kind === "interrupted") return safe`Interrupted`;
  if (kind === "foreign") return safe`${describeAnswer(answer)}, not from the service`;
  const words =
    answer.kind === "no reply"
      ? safe`No answer (${safeText(answer.cause, 40)})`
      : describeAnswer(answer, judgment.problem);
  return attempts > 1 ? safe`${words} after ${attempts} attempts` : words;
}

function explain({ answer, judgment, stop }: CallEnd<unknown>, kind: CallFailureKind): readonly SafeText[] {
  if (answer.kind === "no reply") return [answer.detail];
  const { problem } = judgment;
  const said = explainReply(answer, problem, kind === "foreign");
  if (stop === "interrupted") return [safe`The last answer was ${describeAnswer(answer, problem)}.`, ...said];
  return kind === "foreign" ? [whyForeign(answer.status), ...said] : said;
}

function whyForeign(status: number): SafeText {
  if (status === 404) {
    return safe`This 404 did not come from the service: its body is not the service's problem document.`;
  }
  return status >= 300 && status < 400
    ? safe`Redirects are not followed, so that the token is not sent to another address.`
    : safe`This answer did not come from the service.`;
}

/** Adds to the attempts made why there was no other. */
function describeAttempts({ end, limits }: FailedCall, made: SafeText): SafeText {
  const setting = limits.budgetFrom === undefined ? safe`retryBudgetSeconds` : safe`customTimeouts`;
  const budget = safe`${setting} (${limits.budgetMs / 1000})`;
  const asked = end.answer.kind === "reply" ? (end.answer.retryAfter ?? "") : "";
  if (end.stop === undefined || end.stop === "interrupted") return made;
  switch (end.stop) {
    case "attempts used up":
      return safe`${made}, as many as maxAttempts (${limits.maxAttempts}) allows`;
    case "time used up":
      return safe`${made}; the next delay does not fit in ${budget}`;
    case "Retry-After too long":
      return safe`${made}; Retry-After (${safeText(asked, 40)}) does not fit in ${budget}`;
    case "nothing succeeds":
      return safe`${made}; no call to this address has succeeded for longer than ${budget}`;
  }
}

/** The state of a control plane that is known to exist. */
export const STILL_EXISTS = safe`the control plane still exists; Pulumi keeps the resource`;

/** The state of a control plane that this run did not delete. */
export const NOT_DELETED = safe`not deleted by this run; Pulumi keeps the resource`;

/** The state of a control plane after a DELETE that may have worked. */
export const MAY_HAVE_WORKED = safe`unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource`;

function stateAfter(purpose: Purpose, kind: CallFailureKind, mayHaveWorked: boolean): SafeText | undefined {
  if (purpose === "check" && !mayHaveWorked) return NOT_DELETED;
  if (purpose === "create" && mayHaveWorked) return safe`unknown; Pulumi does not record it`;
  return purpose === "delete" || purpose === "check" ? describeState(kind, mayHaveWorked) : undefined;
}

function describeState(kind: CallFailureKind, mayHaveWorked: boolean): SafeText {
  if (mayHaveWorked) return MAY_HAVE_WORKED;
  if (kind === "forbidden" || kind === "conflict") return safe`the control plane still exists`;
  if (kind === "service") return safe`unknown; Pulumi keeps the resource`;
  return kind === "foreign"
    ? safe`not deleted by this run; whether it exists is unknown; Pulumi keeps the resource`
    : NOT_DELETED;
}

/** Describes an answer in a few words: `503 Service Unavailable`, `no answer (timed out)`. */
export function describeAnswer(answer: Answer, problem?: Problem): SafeText {
  if (answer.kind === "no reply") return safe`no answer (${safeText(answer.cause, 40)})`;
  const { status, words } = statusWords(answer.status, problem);
  return words === "" ? status : safe`${status} ${words}`;
}

/** Returns the status of an answer, and its title in the service's words or in those of HTTP. */
export function statusWords(
  status: number,
  problem?: Problem,
): { readonly status: SafeText; readonly words: SafeText } {
  const title = safeText(problem?.title ?? "", 80);
  const words = title === "" ? safeText(STATUS_CODES[status] ?? "", 80) : title;
  return { status: safe`${status}`, words };
}
