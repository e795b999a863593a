import { renderMessage, renderRow } from "../../text/message.js";
import { joinFirst, safe, safeLines, type SafeText } from "../../text/safe-text.js";
import { type ControlPlaneRef, describeControlPlane } from "../operations/control-plane-ref.js";
import type { CallFacts } from "./call-facts.js";
import { ControlPlaneError, copyError } from "./control-plane-error.js";
import { explainCall, type FailedCall, NOT_DELETED } from "./explain-call.js";

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
  const next = safe`if the program gives these members, run pulumi up; otherwise remove them from the group, or give detachMembers: true and run pulumi up; then run again`;
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
export interface Holders {
  readonly groups: readonly Named[];
  /** Whether all groups could be asked for their members. */
  readonly isComplete: boolean;
  /** Whether it is known that it has no members that the token can see. */
  readonly knowsMembers: boolean;
}

/** Creates the error of a control plane without known members whose DELETE was answered with 409. */
export function explainHolders(
  refused: FailedCall,
  { groups, isComplete, knowsMembers }: Holders,
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
  const which = isOne ? safe`a member of the group` : safe`a member of ${groups.length} groups`;
  return explainCall({
    ...refused,
    findings: [...unread, safe`It is ${which}: ${list(groups)}.`],
    next: isOne
      ? safe`take it out of the group, or delete the group first, then run again`
      : safe`take it out of these groups, or delete them first, then run again`,
  });
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

const NEXT = safe`remove these members from the group; or give detachMembers: true and run pulumi up; then run again`;

/** Describes a number of members. */
export function countMembers(members: number): SafeText {
  return members === 1 ? safe`1 member` : safe`${members} members`;
}

/** Describes members that keep their group from being deleted. */
export function addedElsewhere(members: number): SafeText {
  return safe`${countMembers(members)} added elsewhere`;
}

function list(members: readonly Named[]): SafeText {
  return joinFirst(members.map(describeControlPlane), LISTED);
}
