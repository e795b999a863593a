import type { CreationArguments } from "../arguments/creation-arguments.js";
import type { RecordedCreation } from "../state/created-codec.js";
import { haveSameMembers, type RecordedMembers } from "../state/recorded-members.js";

/** The members of a group as the state records them, and as they shall be. */
export interface MembersPlan {
  readonly before: RecordedMembers;
  readonly wanted: readonly string[];
  /** Whether there is something to do. */
  readonly isChanged: boolean;
}

const NONE: RecordedMembers = { ids: [], foreign: [] };

/**
 * Compares the members that the state records with those of the program. Returns undefined when the resource does not
 * manage them, or when they are not known yet. Members that the program gives no longer are removed.
 *
 * @param given names of the arguments that the program gives
 */
export function planMembers(
  state: Pick<RecordedCreation, "members" | "given">,
  creation: CreationArguments | undefined,
  given: readonly string[],
): MembersPlan | undefined {
  const isGiven = given.includes("members");
  if (isGiven ? creation?.members === undefined : !state.given.includes("members")) return undefined;
  const wanted = creation?.members ?? [];
  const { members: before = NONE } = state;
  const isNew = isGiven !== state.given.includes("members");
  // One that a refresh has found and that the program now gives belongs to the resource from now on.
  const isAdoptedNow = wanted.some((id) => before.foreign.includes(id));
  return { before, wanted, isChanged: isNew || isAdoptedNow || !haveSameMembers(before.ids, wanted) };
}

/** Returns the plan for the members of a group that was created just now. */
export function planFirstMembers(wanted: readonly string[] | undefined): MembersPlan | undefined {
  return wanted === undefined ? undefined : { before: NONE, wanted, isChanged: true };
}
