import type { CreationArguments } from "../arguments/creation-arguments.js";
import type { RecordedCreation } from "../../state/created-codec.js";
import {
  haveSameMembers,
  NO_MEMBERS,
  ownMembers,
  type RecordedMembers,
} from "../../state/recorded-fields.js";

/** The members of a group as the state records them, and as they shall be. */
export interface MembersPlan {
  readonly before: RecordedMembers;
  readonly wanted: readonly string[];
  /** Whether there is something to do. */
  readonly isChanged: boolean;
  /** What was sent before the members change. Default: nothing. */
  readonly follows?: "creation" | "change";
}

/**
 * Compares the members that the state records with those of the program. Returns undefined when the resource does not
 * manage them, or when they are not known yet. When the program no longer gives members, those that the resource added are
 * removed.
 *
 * @param given names of the arguments that the program gives
 */
export function planMembers(
  state: Pick<RecordedCreation, "members" | "given">,
  creation: CreationArguments | undefined,
  given: readonly string[],
): MembersPlan | undefined {
  const isGiven = given.includes("members");
  const wasGiven = state.given.includes("members");
  const { members: before = NO_MEMBERS } = state;
  if (!isGiven) {
    if (!wasGiven) return undefined;
    return { before: { ...before, ids: ownMembers(before), foreign: [] }, wanted: [], isChanged: true };
  }
  if (creation?.members === undefined) return undefined;
  const { members: wanted } = creation;
  const isSettled = wasGiven && before.attempted.length === 0;
  return { before, wanted, isChanged: !isSettled || !haveSameMembers(before.ids, wanted) };
}

/** Returns the plan for the members of a group that was created just now. */
export function planFirstMembers(wanted: readonly string[] | undefined): MembersPlan | undefined {
  return wanted === undefined
    ? undefined
    : { before: NO_MEMBERS, wanted, isChanged: true, follows: "creation" };
}
