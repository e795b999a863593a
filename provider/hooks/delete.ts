import type { DeletionGuard, MemberPolicy } from "../service/deletion.js";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";
import { GROUP_TYPE } from "../service/operations/members.js";
import { detachableByOwner, type Properties, requireKnownGuards } from "../state/recorded-fields.js";
import { decodeControlPlane, type RecordedControlPlane, requireUsable } from "../state/state-codec.js";
import { guardDeletion } from "./check-guards.js";
import { type HookContext, reportFailure, requireSettings } from "./context.js";
import {
  describeResource,
  refuseInThisRun,
  refuseToDeleteImported,
  refuseToEnd,
  refuseToReplaceByImport,
} from "./custody.js";

/** Deletes the recorded control plane. One that is gone already is a success. */
export function deleteResource(context: HookContext, id: string, outputs: Properties): Promise<void> {
  const recorded = decodeControlPlane(id, outputs);
  return reportFailure(context, {
    purpose: "delete",
    id: recorded.idAsRecorded,
    find: () => requireUsable(recorded).ref,
    async run(controlPlane) {
      if (isKept(context, controlPlane)) return;
      if (context.settings.noDelete) throw refuseInThisRun(controlPlane);
      if (isReplacedByImport(context, recorded)) throw refuseToReplaceByImport(controlPlane, context.urn);
      if (recorded.origin === "external") throw refuseToDeleteImported(controlPlane, context.urn);
      requireSettings(context.settings, "delete", controlPlane);
      const guards = requireKnownGuards(recorded, controlPlane);
      await deleteUnderGuard(context, controlPlane, {
        guard: guardDeletion(context, controlPlane, guards),
        members: memberPolicy(context, controlPlane, {
          isKnownGroup: isCreatedGroup(recorded),
          detachesAll: guards.detachMembers === true,
          detachable: detachableByOwner(recorded.members),
        }),
      });
    },
  });
}

/**
 * Whether Pulumi ends a resource because its option `import` names another control plane. Pulumi asks no `diff` then, which
 * would have refused that. An adopted control plane is never replaced in another way.
 */
function isReplacedByImport(
  { ledger, deletions, urn }: HookContext,
  { origin }: RecordedControlPlane,
): boolean {
  return deletions.isImport(urn) || (origin === "adopted" && ledger.isDeclared(urn));
}

/**
 * Whether a control plane is kept, because another resource of the state holds it. Emits the conclusion when it is.
 *
 * @throws ControlPlaneError if it must be neither deleted nor dropped
 */
export function isKept({ ledger, emit, urn }: HookContext, controlPlane: ControlPlaneRef): boolean {
  const fate = ledger.fateOf(urn, controlPlane, controlPlane.name);
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
function isCreatedGroup({ creation }: RecordedControlPlane): boolean {
  if (creation === undefined) return false;
  const { clusterType, asked, members } = creation;
  return clusterType === GROUP_TYPE || asked.clusterType === GROUP_TYPE || members !== undefined;
}

/** Creates the policy for the members of a group. A line names the members that are removed. */
export function memberPolicy(
  { emit, deletions }: HookContext,
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
    onDetached(members) {
      deletions.noteDetached(controlPlane, members);
      emit({ type: "members detached", controlPlane, members, purpose: "delete" });
    },
    progressOf: (groupIds, nowMs) => deletions.progressOf(controlPlane, groupIds, nowMs),
  };
}

/** Deletes a control plane as far as its guard and the members of a group allow it. */
export async function deleteUnderGuard(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { guard, members }: { readonly guard: DeletionGuard | undefined; readonly members: MemberPolicy },
): Promise<void> {
  const { client, emit, deletions } = context;
  const { outcome, proof, facts } = await deletions.during(controlPlane, () =>
    client.deleteControlPlane(controlPlane, context, guard, members),
  );
  if (outcome === "deleted") emit({ type: "deleted", controlPlane, facts, proof });
  else emit({ type: "already gone", controlPlane, facts });
}
