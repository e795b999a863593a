import type { Circumstances } from "../hooks/obstacles.js";
import { regionOf } from "../service/http/address.js";
import { isConnected } from "../service/operations/contents.js";
import { withoutMark } from "../service/operations/control-plane-document.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { remarkOnConsequences } from "./consequences.js";
import { type Asking, lookUpAll, type Sighting } from "./look-up-all.js";
import { mayHaveCreated, type PendingOperation } from "../state/deployment.js";
import type { OwnType } from "../state/resource-types.js";
import type { HeldControlPlane } from "../state/held-control-planes.js";
import { type Remark, remarksAbout } from "./remarks.js";
import type { Guards } from "../state/recorded-fields.js";
import type { StackState } from "./stack-state.js";

/** What a destroy of a stack would do. Values are as the state and the service have them, unless their type is safe. */
export interface Plan {
  readonly project: string | undefined;
  readonly stack: string | undefined;
  /** When the service was asked, in epoch milliseconds. */
  readonly madeAtMs: number;
  /** Whether guards are overridden (`KONNECT_FORCE_DELETE=1`). */
  readonly isForced: boolean;
  /** Number of resources of other kinds in the stack. */
  readonly otherResources: number;
  readonly pendingOperations: readonly PendingOperation[];
  /** Sorted by name. */
  readonly controlPlanes: readonly PlannedControlPlane[];
}

/** What a destroy would do with one control plane. */
export interface PlannedControlPlane {
  readonly outcome: PlannedOutcome;
  readonly urn: string;
  readonly resource: string;
  readonly type: OwnType;
  readonly id: string | undefined;
  /** The name in the service, or the recorded one where the service shows none. */
  readonly name: string | undefined;
  readonly address: string | undefined;
  /** The region of the address, or its host. */
  readonly region: SafeText | undefined;
  /** The user's labels. Undefined if the service does not show the control plane. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** In epoch milliseconds. */
  readonly createdAtMs: number | undefined;
  /** Undefined if the nodes are not known. */
  readonly nodes: { readonly connected: number; readonly known: number } | undefined;
  readonly guards: Guards;
  readonly remarks: readonly Remark[];
}

/**
 * What happens to a control plane: it is deleted, something stands in the way, it is gone already, or it is kept although
 * its resource leaves the state.
 */
export type PlannedOutcome = "delete" | "blocked" | "gone" | "keep";

/**
 * Makes the plan of a stack. Reads only.
 *
 * @throws ControlPlaneError if the service does not say what exists
 */
export async function makePlan(
  { project, stack, controlPlanes, otherResources, pendingOperations, dependencies }: StackState,
  asking: Asking,
  circumstances: Circumstances,
): Promise<Plan> {
  const sightingOf = await lookUpAll(controlPlanes, asking);
  // A reference of the program does not hold a control plane.
  const holders = controlPlanes.filter((each) => !isOnlyDropped(each) && !each.isExternal);
  const held = new Set(holders.map(placeOf));
  const judged = controlPlanes.map((recorded) => {
    const sighting = sightingOf(recorded);
    const isDropped = isOnlyDropped(recorded);
    const remarks = isDropped
      ? dropRemarks(recorded, sighting, circumstances, held.has(placeOf(recorded)))
      : remarksAbout(recorded, sighting, circumstances);
    const planned = plan(recorded, sighting, remarks);
    return {
      ...planned,
      // What Pulumi drops keeps no resource in the state, whether the control plane exists or not.
      outcome: isDropped && planned.outcome === "blocked" ? ("keep" as const) : planned.outcome,
      name: planned.name ?? planned.resource,
      memberIds: memberIdsOf(sighting),
      planned,
    };
  });
  const consequences = remarkOnConsequences(judged, dependencies);
  const planned = judged.map((each) => addRemark(each.planned, consequences.get(each)));
  const { nowMs: madeAtMs, isForced } = circumstances;
  return {
    project,
    stack,
    madeAtMs,
    isForced,
    otherResources,
    pendingOperations,
    controlPlanes: planned.sort(byName),
  };
}

/** Whether something stands in the way of a destroy, or it may leave a control plane that the state does not have. */
export function isBlocked({ controlPlanes, pendingOperations }: Plan): boolean {
  return controlPlanes.some(({ outcome }) => outcome === "blocked") || pendingOperations.some(mayHaveCreated);
}

function memberIdsOf(sighting: Sighting): readonly string[] {
  if (sighting.outcome !== "found" || sighting.members?.ok !== true) return [];
  return sighting.members.value.map(({ id }) => id);
}

function addRemark(planned: PlannedControlPlane, remark: Remark | undefined): PlannedControlPlane {
  if (remark === undefined) return planned;
  return { ...planned, outcome: "blocked", remarks: [...planned.remarks, remark] };
}

function plan(
  recorded: HeldControlPlane,
  sighting: Sighting,
  remarks: readonly Remark[],
): PlannedControlPlane {
  const { urn, resource, type, id, address, guards } = recorded;
  const found = sighting.outcome === "found" ? sighting : undefined;
  const nodes = found?.nodes.ok === true ? found.nodes.value : undefined;
  return {
    outcome: outcomeOf(recorded, sighting, remarks),
    urn,
    resource,
    type,
    id,
    address,
    guards,
    remarks,
    name: found?.controlPlane.name ?? recorded.name,
    region: address === undefined ? undefined : describePlace(address),
    labels: found && withoutMark(found.controlPlane.labels),
    createdAtMs: found?.controlPlane.createdAtMs,
    nodes: nodes && {
      connected: nodes.filter(isConnected).length,
      known: nodes.length,
    },
  };
}

/** Whether Pulumi drops a resource because an earlier run has deleted it, which nothing proves today. */
function isOnlyDropped({ isPendingReplacement, droppedBy, isExternal }: HeldControlPlane): boolean {
  return isPendingReplacement && droppedBy === undefined && !isExternal;
}

/** Its resource is dropped without a deletion, so guards do not count. `isHeld` says whether another resource holds it, too. */
function dropRemarks(
  recorded: HeldControlPlane,
  sighting: Sighting,
  circumstances: Circumstances,
  isHeld: boolean,
): readonly Remark[] {
  if (sighting.outcome !== "found") {
    return remarksAbout({ ...recorded, guards: {}, secretGuards: [] }, sighting, circumstances);
  }
  const kind = "pending replacement";
  const text = safeText(kind, 40);
  if (isHeld) {
    const detail = safe`another resource of the stack holds it`;
    return [{ kind, text, detail, standsInTheWay: false }];
  }
  const byHand = safe`delete the control plane by hand`;
  // A second control plane with the name of the first one cannot be created.
  const next = recorded.origin === "created" ? byHand : safe`finish it with pulumi up, or ${byHand}`;
  const detail = safe`exists, but Pulumi drops it without deleting it: a replacement had begun; ${next}`;
  return [{ kind, text, detail, standsInTheWay: true }];
}

function outcomeOf(
  recorded: HeldControlPlane,
  { outcome }: Sighting,
  remarks: readonly Remark[],
): PlannedOutcome {
  if (remarks.some(({ standsInTheWay }) => standsInTheWay)) return "blocked";
  if (outcome === "gone") return "gone";
  const { droppedBy, isExternal } = recorded;
  return droppedBy !== undefined || isExternal || isOnlyDropped(recorded) ? "keep" : "delete";
}

function placeOf({ id = "", address = "" }: HeldControlPlane): string {
  return `${address} ${id}`;
}

function describePlace(address: string): SafeText {
  return safeText(regionOf(address) ?? new URL(address).host, 100);
}

function byName(a: PlannedControlPlane, b: PlannedControlPlane): number {
  return compare(a.name ?? a.resource, b.name ?? b.resource) || compare(a.id ?? "", b.id ?? "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
