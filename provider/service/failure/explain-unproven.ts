import { renderMessage } from "../../text/message.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import { describeControlPlane } from "../operations/control-plane-ref.js";
import type { CallEnd } from "../retry/call.js";
import type { CallFailureKind } from "../retry/policy.js";
import { factsOf, joinFacts } from "./call-facts.js";
import { ControlPlaneError } from "./control-plane-error.js";
import { describeAnswer } from "./describe-answer.js";
import { explainReply, type FailedCall, kindOf, messageRows } from "./explain-call.js";

/** What a GET found out after a DELETE that was answered with a 2xx other than 204. */
interface Finding {
  readonly kind: CallFailureKind;
  /** What happened, after the words for the DELETE's answer. */
  readonly summary: SafeText;
  readonly outcome: SafeText;
  readonly explanation: readonly SafeText[];
  readonly state: SafeText;
}

/**
 * Creates the error of a deletion that was answered with a 2xx other than 204, and that a GET did not confirm.
 *
 * @param deletion the DELETE
 * @param look how the GET ended
 */
export function explainUnproven(deletion: FailedCall, look: CallEnd<unknown>): ControlPlaneError {
  const { end, controlPlane } = deletion;
  const { kind, outcome, explanation, state, ...finding } = findingOf(look);
  const answer = describeAnswer(end.answer, end.judgement.problem);
  const summary = kind === "interrupted" ? finding.summary : safe`${answer}${finding.summary}`;
  const facts = joinFacts(factsOf(end), factsOf(look));
  const said = end.answer.kind === "reply" ? explainReply(end.answer, end.judgement.problem, true) : [];
  const message = renderMessage({
    headline: safe`${summary}: ${describeControlPlane(controlPlane)} ${outcome}`,
    explanation: [...explanation, ...said],
    rows: messageRows({ ...deletion, end: { ...end, answer: look.answer } }, kind, facts, state),
  });
  const details = { kind, subject: describeControlPlane(controlPlane), summary, facts };
  return new ControlPlaneError(message, { ...details, problem: end.judgement.problem });
}

const STILL_EXISTS = safe`the control plane still exists; Pulumi keeps the resource`;

function findingOf(look: CallEnd<unknown>): Finding {
  const { answer, judgement } = look;
  if (judgement.verdict === "done") {
    return {
      kind: "foreign",
      summary: safe`, but it still exists`,
      outcome: safe`was not deleted`,
      explanation: [safe`Only 204 means that a control plane is deleted. A GET found it afterwards.`],
      state: STILL_EXISTS,
    };
  }
  const kind = kindOf(look);
  if (kind === "interrupted") {
    return {
      kind,
      summary: safe`Interrupted`,
      outcome: safe`may be deleted or not`,
      explanation: [
        safe`Only 204 means that a control plane is deleted. The run was stopped before a GET settled it.`,
      ],
      state: safe`unknown; Pulumi keeps the resource`,
    };
  }
  if (judgement.row.addressWorks === true) {
    return {
      kind,
      summary: safe`, but it still exists after ${look.attempts} looks`,
      outcome: safe`may be deleted later`,
      explanation: [safe`The service accepted the deletion and has not carried it out yet.`],
      state: STILL_EXISTS,
    };
  }
  const found = describeAnswer(answer, judgement.problem);
  const said =
    answer.kind === "reply" ? explainReply(answer, judgement.problem, kind === "foreign") : [answer.detail];
  return {
    kind,
    summary: safe` proves nothing`,
    outcome: safe`may be deleted or not`,
    explanation: [
      safe`Only 204 means that a control plane is deleted, and a GET did not settle it: ${found}.`,
      ...said,
    ],
    state: safe`unknown; Pulumi keeps the resource`,
  };
}
