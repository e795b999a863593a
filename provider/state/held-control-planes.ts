import type { EngineMarks, StateResource } from "./deployment.js";
import type { OwnType } from "./resource-types.js";
import { detachableByOwner, detachableBySet, GUARD_ARGUMENTS, type Guards } from "./recorded-fields.js";
import type { Origin } from "./state-codec.js";

/** A control plane that a resource of an exported state holds, with everything that decides whether a destroy deletes it. */
export interface HeldControlPlane extends EngineMarks {
  readonly urn: string;
  /** Name of the resource in the program. */
  readonly resource: string;
  readonly type: OwnType;
  readonly origin: Origin;
  /** Lower-case UUID. Undefined if it is unusable, or a secret in the state. */
  readonly id: string | undefined;
  /** The id as the state has it, in lower case. Empty if it is no text. */
  readonly idAsRecorded: string;
  /** Normalized address. Undefined if it is unusable, or a secret in the state. */
  readonly address: string | undefined;
  /** Name in the service, as it was recorded. */
  readonly name: string | undefined;
  /** When it was created, in epoch milliseconds. Missing unless its resource has created it. */
  readonly createdAtMs?: number;
  readonly guards: Guards;
  /** The guards that are secrets in the state. */
  readonly secretGuards: readonly (keyof Guards)[];
  /** The ids that may be removed from it when it is a group. With `detachMembers`, any may. */
  readonly detachable: ReadonlySet<string>;
}

/** Returns the control planes that a resource holds: those of a set one by one, none when the resource is of another kind. */
export function heldControlPlanes({ urn, name: resource, own }: StateResource): readonly HeldControlPlane[] {
  if (own === undefined) return [];
  const { type, recorded, ...marks } = own;
  const { address, guards, secrets } = recorded;
  const secretGuards = GUARD_ARGUMENTS.filter((guard) => secrets.includes(guard));
  const shared = { ...marks, urn, resource, type, address, guards, secretGuards };
  if (own.type === "ControlPlane") {
    const { id, idAsRecorded, name, origin, createdAtMs, members } = own.recorded;
    const detachable = detachableByOwner(members);
    const created = createdAtMs === undefined ? {} : { createdAtMs };
    const known = { id, idAsRecorded: idAsRecorded.toLowerCase(), name, origin, ...created };
    return [{ ...shared, ...known, detachable }];
  }
  const { members } = own.recorded;
  // A guard that is a secret may keep a member, too.
  const ids = secretGuards.length > 0 ? [] : members.flatMap(({ id }) => id ?? []);
  const detachable = detachableBySet(ids, guards);
  return members.map(({ id, idAsRecorded, name }) => {
    return {
      ...shared,
      id,
      idAsRecorded: idAsRecorded.toLowerCase(),
      name,
      origin: "adopted" as const,
      detachable,
    };
  });
}
