import type { DeletionGuard } from "../service/deletion.js";
import type { MemberPolicy } from "../service/group-deletion.js";
import { GROUP_TYPE } from "../service/operations/change-members.js";
import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";
import {
  decodeMembers,
  detachableByOwner,
  type Properties,
  recordedGuards,
} from "../state/recorded-fields.js";
import { guardDeletion } from "./check-guards.js";
import { describeResource, refuseToEnd } from "./custody.js";
import { reportFailure } from "./report-failure.js";
import { requireSettings } from "./require-settings.js";
import { decodeCreation } from "../state/created-codec.js";
import { decodeState, recordedControlPlane } from "../state/state-codec.js";

/** Deletes the recorded control plane. One that is gone already is a success. */
export function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  return reportFailure(context, {
    purpose: "delete",
    id,
    find: () => recordedControlPlane(id, outputs),
    async run(controlPlane) {
      const isCreated = decodeState(outputs).origin === "created";
      if (isKept(context, controlPlane, isCreated ? controlPlane.name : undefined)) return;
      requireSettings(context.settings, "delete", controlPlane);
      const guards = recordedGuards(outputs, controlPlane);
      await deleteUnderGuard(context, controlPlane, {
        guard: guardDeletion(context, controlPlane, guards),
        members: memberPolicy(context, controlPlane, {
          isKnownGroup: isCreatedGroup(outputs),
          detachesAll: guards.detachMembers === true,
          detachable: detachableByOwner(decodeMembers(outputs)),
        }),
      });
    },
  });
}

/**
 * Whether a control plane is kept, because another resource of the state holds it. Emits the conclusion when it is.
 *
 * @param createdName its name, when its resource created it
 * @throws ControlPlaneError when it must be neither deleted nor dropped
 */
export function isKept(
  { ledger, emit, urn }: HookContext,
  controlPlane: ControlPlaneRef,
  createdName?: string,
): boolean {
  const fate = ledger.fateOf(urn, controlPlane, createdName);
  switch (fate.outcome) {
    case "delete":
      return false;
    case "kept":
      emit({ type: "kept", controlPlane, by: describeResource(fate.by) });
      return true;
    case "refused":
      throw refuseToEnd(controlPlane, urn, fate);
  }
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
