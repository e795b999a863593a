import { describeDuration } from "../../text/duration.js";
import { renderMessage } from "../../text/message.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import { describeSubject } from "../operations/control-plane-ref.js";
import type { CallEnd } from "../retry/call.js";
import type { CallFailureKind } from "../retry/policy.js";
import { type CallFacts, factsOf, joinFacts } from "./call-facts.js";
import { ControlPlaneError } from "./control-plane-error.js";
import { describeAnswer } from "./describe-answer.js";
import {
  explainReply,
  type FailedCall,
  kindOf,
  messageRows,
  nextStepOf,
  STILL_EXISTS,
} from "./explain-call.js";

/** What a GET found out after a DELETE that was answered with a 2xx other than 204. */
interface Finding {
  readonly kind: CallFailureKind;
  /** What happened, after the words for the DELETE's answer. Undefined when the run was stopped. */
  readonly summary: SafeText | undefined;
  readonly outcome: SafeText;
  readonly explanation: readonly SafeText[];
  readonly state: SafeText;
  /** Replaces what the reader usually does next after this kind of failure. */
  readonly next?: SafeText;
}

/**
 * Creates the error of a deletion that was answered with a 2xx other than 204, and that a GET did not confirm.
 *
 * @param deletion the DELETE
 * @param confirmation how the GET ended
 */
export function explainUnproven(deletion: FailedCall, confirmation: CallEnd<unknown>): ControlPlaneError {
  const { end } = deletion;
  const { kind, outcome, explanation, state, ...finding } = findingOf(confirmation);
  const failed = { ...deletion, end: confirmation };
  const next = finding.next ?? nextStepOf(failed, kind);
  // The title of the answer is not used, because the service has none for it.
  const answer = describeAnswer(end.answer);
  const summary = finding.summary === undefined ? safe`Interrupted` : safe`${answer}${finding.summary}`;
  const facts = joinFacts(factsOf(end), factsOf(confirmation));
  const last = confirmation.attempts === 0 ? end : confirmation;
  const subject = describeSubject(deletion.subject);
  const message = renderMessage({
    headline: safe`${summary}: ${subject} ${outcome}`,
    explanation: [
      safe`DELETE was answered with ${answer}. Only 204 means that a control plane is deleted.`,
      ...wordsOf(end, true),
      ...explanation,
    ],
    rows: messageRows(failed, {
      kind,
      facts,
      state,
      next,
      made: describeRequests(end, confirmation, facts),
    }),
  });
  return new ControlPlaneError(message, {
    kind,
    subject,
    summary,
    facts,
    next,
    ...(last.answer.kind === "reply" && { problem: last.judgement.problem }),
  });
}

const UNKNOWN = safe`unknown; Pulumi keeps the resource`;

/** The attempts of the DELETE and of the GET have limits of their own, so they are counted apart. */
function describeRequests(
  { attempts }: CallEnd<unknown>,
  confirmation: CallEnd<unknown>,
  { durationMs }: CallFacts,
): SafeText {
  const requests = safe`${count(attempts, safe`DELETE`)} and ${count(confirmation.attempts, safe`GET`)}`;
  return safe`${requests} in ${describeDuration(durationMs)}`;
}

function count(number: number, noun: SafeText): SafeText {
  return number === 1 ? safe`1 ${noun}` : safe`${number} ${noun}s`;
}

function findingOf(confirmation: CallEnd<unknown>): Finding {
  const { answer, judgement, attempts } = confirmation;
  if (judgement.verdict === "done") {
    return {
      kind: "foreign",
      summary: safe`, but it still exists`,
      outcome: safe`was not deleted`,
      explanation: [safe`A GET found the control plane afterwards.`],
      state: STILL_EXISTS,
    };
  }
  const kind = kindOf(confirmation);
  if (kind === "interrupted") {
    return {
      kind,
      summary: undefined,
      outcome: safe`may or may not have been deleted`,
      explanation: [safe`The run was stopped before a GET settled it.`],
      state: UNKNOWN,
    };
  }
  if (judgement.awaits !== undefined) {
    return {
      kind,
      summary: safe`, but it still exists after ${count(attempts, safe`poll`)}`,
      outcome: safe`is not deleted yet`,
      explanation: [safe`The service has not carried out the deletion yet.`],
      state: STILL_EXISTS,
      next: safe`run again later, when the service has had time to carry out the deletion`,
    };
  }
  const found = describeAnswer(answer, judgement.problem);
  return {
    kind,
    summary: safe` proves nothing`,
    outcome: safe`may or may not have been deleted`,
    explanation: [safe`A GET did not settle it: ${found}.`, ...wordsOf(confirmation, kind === "foreign")],
    state: UNKNOWN,
  };
}

function wordsOf({ answer, judgement }: CallEnd<unknown>, isForeign: boolean): readonly SafeText[] {
  return answer.kind === "reply" ? explainReply(answer, judgement.problem, isForeign) : [answer.detail];
}
