import { Caller, type CallerOptions } from "./caller.js";
import { countAllEntities, readNodes } from "./contents.js";
import { create, update } from "./creation.js";
import { deleteAndProve } from "./deletion.js";
import { listAll, listByIds, listReliably } from "./listing.js";
import { changeAllMembers, GroupIndex, type MembersChange, readMembers } from "./membership.js";
import type { ControlPlaneRef } from "./operations/control-planes.js";
import { findControlPlane, readControlPlane } from "./reading.js";
import type { CallScope } from "./retry/call.js";

/** The service's operations. Each is repeated by the policy until its end is known. */
export type ServiceClient = ReturnType<typeof createClient>;

/** Creates a client of the service: its operations, bound to the calls of one run. */
export function createClient(options: CallerOptions) {
  const caller = new Caller(options);
  return {
    callsAtATime: caller.callsAtATime.bind(caller),
    deleteControlPlane: deleteAndProve.bind(undefined, caller, new GroupIndex(caller)),
    readControlPlane: readControlPlane.bind(undefined, caller),
    findControlPlane: findControlPlane.bind(undefined, caller),
    listControlPlanes: listAll.bind(undefined, caller),
    listReliably: listReliably.bind(undefined, caller),
    listByIds: listByIds.bind(undefined, caller),
    createControlPlane: create.bind(undefined, caller),
    updateControlPlane: update.bind(undefined, caller),
    readMembers: readMembers.bind(undefined, caller),
    /** Adds members to a group or removes them. @throws ControlPlaneError if that is not proven to have worked */
    async changeMembers(group: ControlPlaneRef, change: MembersChange, scope: CallScope): Promise<void> {
      await changeAllMembers(caller, group, change, scope);
    },
    readNodes: readNodes.bind(undefined, caller),
    countEntities: countAllEntities.bind(undefined, caller),
  };
}
