import type { StackState } from "../../local-stack/index.js";
import type { Struck } from "../struck-command.js";
import type { CreatesPlan, Stage } from "./creates-plan.js";
import { type CreatesWorld, resourceName } from "./creates-world.js";

/** What a person did between two commands, and what was wrong. */
export interface Mended {
  readonly adopted: number;
  readonly deleted: number;
  /** Members that somebody else had added to a group, and that were removed from it. */
  readonly detached: number;
  /** Creations that did not end, and that were cleared with a refresh. */
  readonly cleared: number;
  readonly violations: readonly string[];
}

// The row that an error has when another control plane has the name.
const ADOPT_ROW = /controlPlaneId: "([0-9a-f-]{36})" instead of name/g;

/** Returns the ids that the errors of an `up` say how to adopt. */
export function idsToAdopt(output: string): readonly string[] {
  return [...new Set([...output.matchAll(ADOPT_ROW)].map(([, id = ""]) => id))];
}

// The first line of an error about a group that somebody else has added a member to.
const KEPT_GROUP = /1 member added elsewhere: control plane "[^"]*" \(([0-9a-f-]{36})\) was not deleted/g;

/** Returns the groups that the errors of a destroy say somebody else has added a member to. */
export function groupsToMend(output: string): readonly string[] {
  return [...new Set([...output.matchAll(KEPT_GROUP)].map(([, id = ""]) => id))];
}

/**
 * Does what the messages of a command say, as a person would. A control plane that was created, and that the state does
 * not have, is adopted or deleted, a group only deleted. A creation that did not end is cleared from the state, because Pulumi
 * keeps it until then. A member that keeps a group from being deleted is removed from it.
 */
export async function mend(
  world: CreatesWorld,
  { mends, groups }: Pick<CreatesPlan, "mends" | "groups">,
  stage: Stage,
  { output, state }: Pick<Struck, "output" | "state">,
): Promise<Mended> {
  const violations: string[] = [];
  let adopted = 0;
  let deleted = 0;
  for (const id of idsToAdopt(output)) {
    const { name } = world.emulator.controlPlanes.get(id) ?? {};
    const plane = mends.findIndex((_, n) => resourceName(n + 1) === name);
    if (name === undefined || plane === -1 || idsOf(state).includes(id)) {
      violations.push(`the error says how to adopt ${id}, which is not left over`);
    } else if (mends[plane] === "adopt" && !groups.has(plane + 1)) {
      world.adopt(name, id);
      adopted += 1;
    } else {
      world.emulator.remove(id);
      deleted += 1;
    }
  }
  const kept = groupsToMend(output);
  for (const id of kept) {
    if (world.guarded.has(id)) world.detach(id);
    else violations.push(`the error says that ${id} has a member added elsewhere, and it has none`);
  }
  const cleared = stage === "destroy" ? 0 : state.pending;
  if (cleared > 0) await world.run(["refresh", "--yes", "--skip-preview", "--clear-pending-creates"]);
  return { adopted, deleted, detached: kept.length, cleared, violations };
}

/** Returns the ids of the resources of a state. */
export function idsOf({ resources }: StackState): readonly string[] {
  return resources.map(({ id }) => id);
}
