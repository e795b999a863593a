import type { AnswerTime } from "../service/retry/call.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import type { ListFilter } from "../service/operations/control-planes.js";
import { ageMsAt } from "../service/operations/service-time.js";
import { type Exclusions, isExcluded } from "./exclusions.js";

/** The filters of a selection. A control plane is selected when all of them let it through. */
export interface Filters {
  readonly labels?: Readonly<Record<string, string>>;
  readonly namePrefix?: string;
  readonly clusterType?: string;
  readonly olderThanMs?: number;
  readonly newerThanMs?: number;
  /** What is never selected. */
  readonly exclude?: Exclusions;
}

/** The query joins labels with commas and their parts with a colon, and has no escape for either. */
const MAY_BE_ASKED = /^[^,:\s]+$/;

/** Returns the part of the filters that the service can be asked for. It knows no prefix and no age. */
export function askedFilter({ labels = {}, namePrefix, clusterType }: Filters): ListFilter {
  const asked = Object.entries(labels).filter((label) => label.every((text) => MAY_BE_ASKED.test(text)));
  return {
    ...(asked.length > 0 && { labels: Object.fromEntries(asked) }),
    ...(namePrefix !== undefined && { nameContains: namePrefix }),
    ...(clusterType !== undefined && { clusterType }),
  };
}

/**
 * Whether all filters let a control plane through. What the service was asked for is checked again, because a service that
 * ignores a filter must not widen a selection. A control plane of unknown age is neither older nor newer than anything.
 * Nor does a clock that is wrong widen a selection: of two clocks that disagree, the one counts that selects less.
 */
export function isSelected(
  { labels = {}, namePrefix = "", clusterType, olderThanMs, newerThanMs, exclude }: Filters,
  controlPlane: ControlPlaneDocument,
  { earliestMs, latestMs }: AnswerTime,
): boolean {
  const smallestAgeMs = ageMsAt(earliestMs, controlPlane.createdAtMs);
  const largestAgeMs = ageMsAt(latestMs, controlPlane.createdAtMs);
  return (
    (exclude === undefined || !isExcluded(exclude, controlPlane)) &&
    Object.entries(labels).every(
      ([key, value]) => Object.hasOwn(controlPlane.labels, key) && controlPlane.labels[key] === value,
    ) &&
    controlPlane.name.startsWith(namePrefix) &&
    (clusterType === undefined || controlPlane.clusterType === clusterType) &&
    (olderThanMs === undefined || (smallestAgeMs !== undefined && smallestAgeMs > olderThanMs)) &&
    (newerThanMs === undefined || (largestAgeMs !== undefined && largestAgeMs < newerThanMs))
  );
}
