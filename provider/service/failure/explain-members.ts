import { renderMessage } from "../../text/message.js";
import { joinSafe, safe, type SafeText } from "../../text/safe-text.js";
import { type ControlPlaneRef, describeControlPlane } from "../operations/control-plane-ref.js";
import type { CallFacts } from "./call-facts.js";
import { ControlPlaneError } from "./control-plane-error.js";
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
  const summary = safe`${count(members.length)} not declared here`;
  const findings = [safe`The group has members that this resource did not add: ${list(members)}.`];
  const message = renderMessage({
    headline: safe`${summary}: ${subject} was not deleted`,
    explanation: findings,
    rows: [
      [safe`state`, NOT_DELETED],
      [safe`next`, NEXT],
    ],
  });
  return new ControlPlaneError(message, { kind: "conflict", subject, summary, facts, findings, next: NEXT });
}

/** Creates the error of a group whose DELETE was answered with 409, because it has members. */
export function explainMembers(
  refused: FailedCall,
  members: readonly [Named, ...Named[]],
): ControlPlaneError {
  const stand = members.length === 1 ? safe`stands` : safe`stand`;
  const findings = [
    safe`It is a group. ${count(members.length)} of it ${stand} in the way: ${list(members)}.`,
  ];
  return explainCall({ ...refused, findings, next: NEXT });
}

/** Creates the error of a control plane without known members whose DELETE was answered with 409. */
export function explainHolders(
  refused: FailedCall,
  { groups, isComplete }: { readonly groups: readonly Named[]; readonly isComplete: boolean },
): ControlPlaneError {
  if (groups.length === 0) {
    const finding = isComplete
      ? safe`This token can see neither a member of it nor a group that holds it.`
      : safe`Whether a group holds it could not be found out.`;
    return explainCall({ ...refused, findings: [finding] });
  }
  const which = groups.length === 1 ? safe`a member of the group` : safe`a member of ${groups.length} groups`;
  return explainCall({
    ...refused,
    findings: [safe`It is ${which}: ${list(groups)}.`],
    next: safe`take it out of the group, or delete the group first, then run again`,
  });
}

const NEXT = safe`remove these members from the group; or give detachMembers: true and run pulumi up; then run again`;

function count(members: number): SafeText {
  return members === 1 ? safe`1 member` : safe`${members} members`;
}

function list(members: readonly Named[]): SafeText {
  const named = members.slice(0, LISTED).map((member) => describeControlPlane(member));
  const more = members.length > LISTED ? [safe`and ${members.length - LISTED} more`] : [];
  return joinSafe([...named, ...more], ", ");
}
