import type { SafeText } from "../text/safe-text.js";
import { Caller, type CallerOptions, type CallOptions, type Ended } from "./caller.js";
import { deleteAndProve, type Deletion, type DeletionGuard } from "./deletion.js";
import { explainCall } from "./failure/explain-call.js";
import { deleteWithMembers, type MemberPolicy } from "./group-deletion.js";
import { GroupIndex } from "./group-index.js";
import { type CallFacts, factsOf } from "./failure/call-facts.js";
import { type Change, create, type Creation, update } from "./creation.js";
import type { ControlPlaneRef } from "./operations/control-plane-ref.js";
import type { ControlPlaneChanges, NewControlPlane } from "./operations/control-plane-request.js";
import type { ControlPlaneDocument } from "./operations/control-plane-document.js";
import { getControlPlane } from "./operations/get-control-plane.js";
import type { ListFilter } from "./operations/lists/list-control-planes.js";
import { countAllEntities, type EntityCounting, type NodeReading, readNodes } from "./contents.js";
import type { Gone } from "./gone.js";
import { listAll, listByIds, type Listed, type Listing } from "./listing.js";
import { changeAllMembers, type MemberReading, type MembersChange, readMembers } from "./membership.js";
import type { CallScope } from "./retry/call.js";

/** A control plane that exists. */
export interface Found {
  readonly outcome: "found";
  readonly controlPlane: ControlPlaneDocument;
  readonly facts: CallFacts;
}

/** What a read found. Everything else is an error. */
export type Reading = Found | Gone;

/** How a control plane is read. */
export interface ReadOptions {
  /** Makes one attempt, which ends within this time. Waiting for its turn counts. Default: as often as the policy says. */
  readonly onceWithinMs?: number;
  /** Set when a deletion depends on the read: what a failure means. */
  readonly check?: SafeText;
}

/** The service's operations. Each is repeated by the policy until its end is known. */
export interface ServiceClient {
  /** Returns how many calls to an address may be in flight now. */
  callsAtATime(address: string): number;
  /**
   * Deletes a control plane.
   *
   * @param guard is checked before each DELETE that starts when its last check is no longer fresh; default: none
   * @param members what may become of the members of a group; default: a 409 is an error that names none
   * @throws ControlPlaneError when it is not proven to be gone
   */
  deleteControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    guard?: DeletionGuard,
    members?: MemberPolicy,
  ): Promise<Deletion>;
  /** Reads a control plane. @throws ControlPlaneError when the service does not say whether it exists */
  readControlPlane(controlPlane: ControlPlaneRef, scope: CallScope, options?: ReadOptions): Promise<Reading>;
  /** Reads a control plane that has to exist. @throws ControlPlaneError when it does not, or cannot be read */
  findControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    purpose: "adopt" | "look up",
  ): Promise<Found>;
  /** Lists the control planes that a filter lets through. @throws ControlPlaneError when that is not known */
  listControlPlanes(address: string, filter: ListFilter, scope: CallScope): Promise<Listing>;
  /** Lists control planes by their ids. One that is missing is gone, or may not be listed. */
  listByIds(address: string, ids: readonly string[], scope: CallScope): Promise<readonly Listed[]>;
  /**
   * Creates a control plane. The mark is a random value that shows that this request made it.
   *
   * @throws ControlPlaneError when it is not proven to be created
   */
  createControlPlane(
    address: string,
    wanted: NewControlPlane,
    mark: string,
    scope: CallScope,
  ): Promise<Creation>;
  /** Changes a control plane. @throws ControlPlaneError when it is not proven to be changed */
  updateControlPlane(
    controlPlane: ControlPlaneRef,
    changes: ControlPlaneChanges,
    scope: CallScope,
  ): Promise<Change>;
  /** Reads the members of a group. @throws ControlPlaneError on any doubt */
  readMembers(
    group: ControlPlaneRef,
    scope: CallScope,
    options: Pick<CallOptions, "purpose" | "reason">,
  ): Promise<MemberReading>;
  /** Adds members to a group or removes them. @throws ControlPlaneError when that is not proven to have worked */
  changeMembers(group: ControlPlaneRef, change: MembersChange, scope: CallScope): Promise<void>;
  /** Reads the nodes of a control plane. @throws ControlPlaneError on any doubt */
  readNodes(controlPlane: ControlPlaneRef, scope: CallScope): Promise<NodeReading>;
  /** Counts the entities of a control plane. @throws ControlPlaneError on any doubt */
  countEntities(controlPlane: ControlPlaneRef, scope: CallScope): Promise<EntityCounting>;
}

/** Creates a client of the service. */
export function createClient(options: CallerOptions): ServiceClient {
  return new HttpClient(new Caller(options));
}

class HttpClient implements ServiceClient {
  readonly #groups: GroupIndex;

  constructor(private readonly caller: Caller) {
    this.#groups = new GroupIndex(caller);
  }

  callsAtATime(address: string): number {
    return this.caller.callsAtATime(address);
  }

  deleteControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    guard?: DeletionGuard,
    members?: MemberPolicy,
  ): Promise<Deletion> {
    const { caller } = this;
    return members === undefined
      ? deleteAndProve(caller, controlPlane, scope, guard)
      : deleteWithMembers({ caller, groups: this.#groups, controlPlane, scope, guard, policy: members });
  }

  async readControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    { onceWithinMs, check }: ReadOptions = {},
  ): Promise<Reading> {
    const purpose = check === undefined ? "read" : "check";
    const ended =
      onceWithinMs === undefined
        ? await this.#get(controlPlane, scope, { purpose, reason: check })
        : await this.caller.within(onceWithinMs, scope, (once, limits) =>
            this.#get(controlPlane, once, { purpose, reason: check, limits }),
          );
    if (ended.end.judgement.verdict === "gone") return { outcome: "gone", facts: factsOf(ended.end) };
    return found(ended);
  }

  async findControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    purpose: "adopt" | "look up",
  ): Promise<Found> {
    const ended = await this.#get(controlPlane, scope, { purpose });
    if (ended.end.judgement.verdict === "gone") throw explainCall({ ...ended.failed, kind: "missing" });
    return found(ended);
  }

  listControlPlanes(address: string, filter: ListFilter, scope: CallScope): Promise<Listing> {
    return listAll(this.caller, address, filter, scope);
  }

  listByIds(address: string, ids: readonly string[], scope: CallScope): Promise<readonly Listed[]> {
    return listByIds(this.caller, address, ids, scope);
  }

  createControlPlane(
    address: string,
    wanted: NewControlPlane,
    mark: string,
    scope: CallScope,
  ): Promise<Creation> {
    return create(this.caller, address, wanted, mark, scope);
  }

  updateControlPlane(
    controlPlane: ControlPlaneRef,
    changes: ControlPlaneChanges,
    scope: CallScope,
  ): Promise<Change> {
    return update(this.caller, controlPlane, changes, scope);
  }

  readMembers(
    group: ControlPlaneRef,
    scope: CallScope,
    options: Pick<CallOptions, "purpose" | "reason">,
  ): Promise<MemberReading> {
    return readMembers(this.caller, group, scope, options);
  }

  changeMembers(group: ControlPlaneRef, change: MembersChange, scope: CallScope): Promise<void> {
    return changeAllMembers(this.caller, group, change, scope);
  }

  readNodes(controlPlane: ControlPlaneRef, scope: CallScope): Promise<NodeReading> {
    return readNodes(this.caller, controlPlane, scope);
  }

  countEntities(controlPlane: ControlPlaneRef, scope: CallScope): Promise<EntityCounting> {
    return countAllEntities(this.caller, controlPlane, scope);
  }

  #get(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    options: CallOptions,
  ): Promise<Ended<ControlPlaneDocument>> {
    return this.caller.call(getControlPlane(controlPlane.id), controlPlane, scope, options);
  }
}

function found({ end, failed }: Ended<ControlPlaneDocument>): Found {
  if (end.judgement.verdict !== "done") throw explainCall(failed);
  return { outcome: "found", controlPlane: end.judgement.result, facts: factsOf(end) };
}
