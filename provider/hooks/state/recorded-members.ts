import { parseControlPlaneId } from "../../service/operations/control-plane-ref.js";
import type { Properties } from "./properties.js";

/** What the state records of the members of a group that its resource manages. */
export interface RecordedMembers {
  /** The ids of all known members. */
  readonly ids: readonly string[];
  /** Those of them that a refresh has found, and that the resource did not add. */
  readonly foreign: readonly string[];
  /** The ids that the resource may have added: the request had no clear answer, and nothing has settled it since. */
  readonly attempted: readonly string[];
}

/** No recorded members. */
export const NO_MEMBERS: RecordedMembers = { ids: [], foreign: [], attempted: [] };

/** The key of the members that the resource did not add. Pulumi shows no key that begins with two underscores. */
const FOREIGN = "__foreignMembers";

/** The key of the members that the resource may have added. */
const ATTEMPTED = "__attemptedMembers";

/** The keys that {@link encodeMembers} writes. */
export const MEMBER_KEYS: readonly string[] = ["members", FOREIGN, ATTEMPTED];

/** Parses the members that the state records. Returns undefined when it records none. What is no id is left out. */
export function decodeMembers({ members, ...others }: Properties): RecordedMembers | undefined {
  if (!Array.isArray(members)) return undefined;
  return { ids: idsOf(members), foreign: idsOf(others[FOREIGN]), attempted: idsOf(others[ATTEMPTED]) };
}

/**
 * Renders members for the state. Their order is that of the state before while they are the same, because the service
 * knows no order.
 */
export function encodeMembers(members: RecordedMembers | undefined, before: Properties = {}): Properties {
  if (members === undefined) return {};
  const { ids, foreign, attempted } = members;
  const recorded = decodeMembers(before)?.ids ?? [];
  return {
    members: haveSameMembers(ids, recorded) ? recorded : ids,
    ...(foreign.length > 0 && { [FOREIGN]: [...foreign].sort() }),
    ...(attempted.length > 0 && { [ATTEMPTED]: [...attempted].sort() }),
  };
}

/** Whether two lists name the same members, in any order. */
export function haveSameMembers(a: readonly string[], b: readonly string[]): boolean {
  const ids = new Set(a);
  return ids.size === new Set(b).size && b.every((id) => ids.has(id));
}

/** Returns the members that the resource added itself, or may have added. */
export function ownMembers({ ids, foreign, attempted }: RecordedMembers): readonly string[] {
  return [...new Set([...ids.filter((id) => !foreign.includes(id)), ...attempted])];
}

function idsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).flatMap(
    (id) => parseControlPlaneId(typeof id === "string" ? id : "") ?? [],
  );
}
