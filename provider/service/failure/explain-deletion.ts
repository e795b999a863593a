import { describeDuration, renderMessage, renderRow } from "../../text/message.js";
import { joinFirst, safe, safeLines, type SafeText } from "../../text/safe-text.js";
import { type ControlPlaneRef, describeControlPlane, describeSubject } from "../operations/control-planes.js";
import { type CallEnd, type CallFacts, factsOf, joinFacts } from "../retry/call.js";
import type { CallFailureKind } from "../retry/policy.js";
import { ControlPlaneError, copyError } from "./control-plane-error.js";
import {
  describeAnswer,
  explainCall,
  explainReply,
  type FailedCall,
  kindOf,
  messageRows,
  nextStepOf,
  NOT_DELETED,
  STILL_EXISTS,
} from "./explain-call.js";

/** What a GET found out after a DELETE that was answered with a 2xx other than 204. */
interface Finding {
  readonly kind: CallFailureKind;
  /** What happened, after the words for the DELETE's answer. Undefined if the run was stopped. */
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
    ...(last.answer.kind === "reply" && { problem: last.judgment.problem }),
  });
}

const UNKNOWN = safe`unknown; Pulumi keeps the resource`;

/** The attempts of the DELETE and of the GET have limits of their own, so they are counted apart. */
function describeRequests(
  { attempts }: CallEnd<unknown>,
  confirmation: CallEnd<unknown>,
  { durationMs }: CallFacts,
): SafeText {
  const requests = safe`${countOf(attempts, safe`DELETE`)} and ${countOf(confirmation.attempts, safe`GET`)}`;
  return safe`${requests} in ${describeDuration(durationMs)}`;
}

function countOf(number: number, noun: SafeText): SafeText {
  return number === 1 ? safe`1 ${noun}` : safe`${number} ${noun}s`;
}

function findingOf(confirmation: CallEnd<unknown>): Finding {
  const { answer, judgment, attempts } = confirmation;
  if (judgment.verdict === "done") {
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
      explanation: [safe`The run was stopped before a GET could confirm it.`],
      state: UNKNOWN,
    };
  }
  if (judgment.awaits !== undefined) {
    return {
      kind,
      summary: safe`, but it still exists after ${countOf(attempts, safe`poll`)}`,
      outcome: safe`is not deleted yet`,
      explanation: [safe`The service has not carried out the deletion yet.`],
      state: STILL_EXISTS,
      next: safe`run again later, when the service has had time to carry out the deletion`,
    };
  }
  const found = describeAnswer(answer, judgment.problem);
  return {
    kind,
    summary: safe` proves nothing`,
    outcome: safe`may or may not have been deleted`,
    explanation: [safe`A GET gave no proof either: ${found}.`, ...wordsOf(confirmation, kind === "foreign")],
    state: UNKNOWN,
  };
}

function wordsOf({ answer, judgment }: CallEnd<unknown>, isForeign: boolean): readonly SafeText[] {
  return answer.kind === "reply" ? explainReply(answer, judgment.problem, isForeign) : [answer.detail];
}

/** A control plane as a message names it. */
type Named = Pick<ControlPlaneRef, "id" | "name">;

/** Names at most this many members or groups. */
const LISTED = 20;

/**
 * Creates the error of a group that is not deleted, because it has members that must not be removed from it. No DELETE was
 * sent.
 */
export function refuseMembers(
  group: ControlPlaneRef,
  members: readonly [Named, ...Named[]],
  facts: CallFacts,
): ControlPlaneError {
  const subject = describeControlPlane(group);
  const summary = addedElsewhere(members.length);
  const findings = [safe`The group has members that this resource did not add: ${list(members)}.`];
  // An up that was interrupted may have added members that the state does not record.
  const next = safe`if the program lists these members, run pulumi up; otherwise remove them from the group, or set detachMembers: true and run pulumi up; then run again`;
  const message = renderMessage({
    headline: safe`${summary}: ${subject} was not deleted`,
    explanation: findings,
    rows: [
      [safe`state`, NOT_DELETED],
      [safe`next`, next],
    ],
  });
  return new ControlPlaneError(message, { kind: "conflict", subject, summary, facts, findings, next });
}

/** Creates the error of a group whose DELETE was answered with 409, because it has members. */
export function explainMembers(
  refused: FailedCall,
  members: readonly [Named, ...Named[]],
): ControlPlaneError {
  const findings = [safe`It is a group with ${countMembers(members.length)} in the way: ${list(members)}.`];
  return explainCall({ ...refused, findings, next: NEXT });
}

/** What is known about a control plane without known members. */
interface Holders {
  readonly groups: readonly Named[];
  /** Whether all groups could be asked for their members. */
  readonly isComplete: boolean;
  /** Whether it is known that it has no members that the token can see. */
  readonly knowsMembers: boolean;
  /** Whether the run waited for the deletion of the groups, and it did not begin. */
  readonly isAwaited: boolean;
}

/** Creates the error of a control plane without known members whose DELETE was answered with 409. */
export function explainHolders(
  refused: FailedCall,
  { groups, isComplete, knowsMembers, isAwaited }: Holders,
): ControlPlaneError {
  const unread = knowsMembers ? [] : [safe`Could not check whether it has members.`];
  if (groups.length === 0) {
    const seen = knowsMembers
      ? safe`This token can see neither a member of it nor a group that holds it.`
      : safe`This token can see no group that holds it.`;
    const finding = isComplete ? seen : safe`Could not check whether a group holds it.`;
    return explainCall({ ...refused, findings: [...unread, finding] });
  }
  const isOne = groups.length === 1;
  const next = isOne
    ? safe`take it out of the group, or delete the group first, then run again`
    : safe`take it out of these groups, or delete them first, then run again`;
  const which = isOne ? safe`a member of the group` : safe`a member of ${groups.length} groups`;
  return explainCall({
    ...refused,
    findings: [...unread, safe`It is ${which}: ${list(groups)}.`],
    next: isAwaited ? safe`${next}; ${orderOf(isOne)}` : next,
  });
}

/** A destroy deletes a group before its members only when it knows of them by their resources. */
function orderOf(isOne: boolean): SafeText {
  return isOne
    ? safe`if this stack deletes the group, too, list this resource in dependsOn of the group and run pulumi up first`
    : safe`if this stack deletes them, too, list this resource in their dependsOn and run pulumi up first`;
}

/**
 * Adds to the error of a deletion that members were removed from the group before it failed.
 *
 * @param isManaged whether the resource adds them again
 */
export function addRemoved(error: ControlPlaneError, removed: number, isManaged: boolean): ControlPlaneError {
  const [were, them] = removed === 1 ? [safe`was`, safe`it`] : [safe`were`, safe`them`];
  const again = isManaged ? safe`; pulumi up --refresh adds ${them} again` : safe``;
  const row = renderRow(safe`members`, safe`${removed} ${were} removed from the group${again}`);
  return copyError(error, { text: safeLines([error.text, row]) });
}

const NEXT = safe`remove these members from the group; or set detachMembers: true and run pulumi up; then run again`;

/** Describes a number of members. */
export function countMembers(members: number): SafeText {
  return countOf(members, safe`member`);
}

/** Describes members that keep their group from being deleted. */
export function addedElsewhere(members: number): SafeText {
  return safe`${countMembers(members)} added elsewhere`;
}

function list(members: readonly Named[]): SafeText {
  return joinFirst(members.map(describeControlPlane), LISTED);
}
