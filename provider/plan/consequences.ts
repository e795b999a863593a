import { safe, safeName } from "../text/safe-text.js";
import type { Remark } from "./remarks.js";

/** The URNs that each resource of a state depends on, by its URN. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/** A control plane whose own remarks are known. */
export interface JudgedControlPlane {
  readonly urn: string;
  readonly id: string | undefined;
  readonly address: string | undefined;
  /** The name that the plan shows. */
  readonly name: string;
  readonly outcome: "delete" | "blocked" | "gone" | "keep";
  /** The ids of its members when it is a group. */
  readonly memberIds: readonly string[];
}

/** Something that stays: a control plane in the service, or a resource in the state. */
type Staying<Judged> =
  | { readonly controlPlane: Judged }
  /** `because` is the name of the control plane that keeps Pulumi from deleting the resource. */
  | { readonly urn: string; readonly because: string };

/**
 * Returns what stands in the way of control planes because another one stays: Pulumi never tries to delete what a resource
 * depends on while that resource is left, and the service does not delete a member of a group.
 *
 * @returns one remark at most for each control plane
 */
export function remarkOnConsequences<Judged extends JudgedControlPlane>(
  controlPlanes: readonly Judged[],
  dependencies: Dependencies,
): ReadonlyMap<Judged, Remark> {
  const byUrn = groupBy(controlPlanes, ({ urn }) => urn);
  const byId = groupBy(controlPlanes, ({ id = "", address = "" }) => `${address} ${id}`);
  const remarks = new Map<Judged, Remark>();
  const reached = new Set<string>();
  const isStaying = ({ outcome }: Judged) => outcome === "blocked" || outcome === "keep";
  // A loop over an array also meets what is added meanwhile.
  const queue: Staying<Judged>[] = [
    ...controlPlanes.flatMap(({ outcome, urn, name }) =>
      outcome === "blocked" ? [{ urn, because: name }] : [],
    ),
    ...controlPlanes.filter(isStaying).map((controlPlane) => ({ controlPlane })),
  ];
  const block = (blocked: readonly Judged[] = [], remark: Remark) => {
    for (const controlPlane of blocked) {
      if (remarks.has(controlPlane) || ["gone", "keep"].includes(controlPlane.outcome)) continue;
      remarks.set(controlPlane, remark);
      const { outcome, urn, name } = controlPlane;
      if (outcome === "delete") queue.push({ urn, because: name }, { controlPlane });
    }
  };
  for (const staying of queue) {
    if ("controlPlane" in staying) {
      const { address = "", name, memberIds } = staying.controlPlane;
      for (const id of memberIds) block(byId.get(`${address} ${id}`), memberRemark(name));
      continue;
    }
    for (const urn of dependencies.get(staying.urn) ?? []) {
      if (reached.has(urn)) continue;
      reached.add(urn);
      queue.push({ urn, because: staying.because });
      block(byUrn.get(urn), dependentRemark(staying.because));
    }
  }
  return remarks;
}

function dependentRemark(name: string): Remark {
  const which = safe`"${safeName(name, 64)}"`;
  const detail = safe`Pulumi deletes it only after ${which}, which depends on it`;
  return { kind: "dependent stays", text: safe`${which} stays`, detail, standsInTheWay: true };
}

function memberRemark(group: string): Remark {
  const text = safe`member of "${safeName(group, 64)}", which stays`;
  const detail = safe`a member of a group cannot be deleted`;
  return { kind: "group stays", text, detail, standsInTheWay: true };
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
