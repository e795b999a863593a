import type { DeletionGuard } from "../service/deletion.js";
import type { MemberPolicy } from "../service/group-deletion.js";
import { GROUP_TYPE } from "../service/operations/change-members.js";
import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";
import type { Properties } from "./state/properties.js";
import { guardDeletion } from "./check-guards.js";
import { stillDeclared } from "./declared-elsewhere.js";
import { reportFailure } from "./report-failure.js";
import { requireSettings } from "./require-settings.js";
import { decodeCreation } from "./state/created-codec.js";
import { decodeMembers, NO_MEMBERS, ownMembers } from "./state/recorded-members.js";
import { recordedGuards } from "./state/recorded-guards.js";
import { decodeState, recordedControlPlane } from "./state/state-codec.js";

/** Deletes the recorded control plane. One that is gone already is a success. */
export function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  return reportFailure(context, {
    purpose: "delete",
    id,
    find: () => recordedControlPlane(id, outputs),
    async run(controlPlane) {
      if (keepDeclared(context, controlPlane)) return;
      if (isRenamed(context, controlPlane, outputs)) throw stillDeclared(controlPlane);
      requireSettings(context.settings, "delete", controlPlane);
      const guards = recordedGuards(outputs, controlPlane);
      await deleteUnderGuard(context, controlPlane, {
        guard: guardDeletion(context, controlPlane, guards),
        members: memberPolicy(context, controlPlane, {
          isKnownGroup: isCreatedGroup(outputs),
          detachesAll: guards.detachMembers === true,
          detachable: new Set(ownMembers(decodeMembers(outputs) ?? NO_MEMBERS)),
        }),
      });
    },
  });
}

/**
 * Keeps a control plane that another resource of the program holds, or that the program refers to. Returns whether one
 * does.
 *
 * @throws ControlPlaneError when the program declares it, and no resource holds it
 */
export function keepDeclared({ memory, emit }: HookContext, controlPlane: ControlPlaneRef): boolean {
  const isDeclared = memory.isDeclared(controlPlane.id);
  if (!isDeclared && !memory.isReferredTo(controlPlane.id)) return false;
  if (isDeclared && !memory.isHeld(controlPlane)) throw stillDeclared(controlPlane);
  emit({ type: "kept", controlPlane });
  return true;
}

/**
 * Whether another resource of the program declares the same name. Then this resource was renamed, and the new one could not
 * create a control plane whose name is still taken.
 */
function isRenamed(
  { memory }: HookContext,
  { id, address, name }: ControlPlaneRef,
  outputs: Properties,
): boolean {
  const isCreated = decodeState(outputs).origin === "created";
  return isCreated && name !== undefined && memory.isNameDeclared(address, name) && !memory.isReplaced(id);
}

/** Whether a resource created a group: it asked for one, the service said so, or members are recorded. */
function isCreatedGroup(outputs: Properties): boolean {
  if (decodeState(outputs).origin !== "created") return false;
  const { clusterType, asked, members } = decodeCreation(outputs);
  return clusterType === GROUP_TYPE || asked.clusterType === GROUP_TYPE || members !== undefined;
}

/** Creates the policy for the members of a group. A line names the members that are removed. */
export function memberPolicy(
  { emit }: HookContext,
  controlPlane: ControlPlaneRef,
  {
    isKnownGroup = false,
    detachesAll,
    detachable,
  }: {
    readonly isKnownGroup?: boolean;
    readonly detachesAll: boolean;
    readonly detachable: ReadonlySet<string>;
  },
): MemberPolicy {
  return {
    isKnownGroup,
    detachesAll,
    detachable,
    onDetached: (members) => emit({ type: "members detached", controlPlane, members, purpose: "delete" }),
  };
}

/** What decides whether a control plane is deleted. */
export interface DeletionTerms {
  readonly guard: DeletionGuard | undefined;
  readonly members: MemberPolicy;
}

/** Deletes a control plane as far as its guard and the members of a group allow it. */
export async function deleteUnderGuard(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { guard, members }: DeletionTerms,
): Promise<void> {
  const { client, emit } = context;
  const { outcome, proof, facts } = await client.deleteControlPlane(controlPlane, context, guard, members);
  if (outcome === "deleted") emit({ type: "deleted", controlPlane, facts, proof });
  else emit({ type: "already gone", controlPlane, facts });
}
