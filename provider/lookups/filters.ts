import { type OwnerLabels, ownersWord } from "../state/owner-labels.js";
import type { KeptReason } from "../report/selection-line.js";
import type { AnswerTime } from "../service/retry/call.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import type { ListFilter } from "../service/operations/control-planes.js";
import { ageMsAt } from "../service/operations/service-time.js";
import { type Exclusions, isExcluded } from "./exclusions.js";

/** The filters of a selection. */
export interface Filters {
  readonly labels?: Readonly<Record<string, string>>;
  readonly namePrefix?: string;
  readonly clusterType?: string;
  readonly olderThanMs?: number;
  readonly newerThanMs?: number;
  /** What is never selected. */
  readonly exclude?: Exclusions;
  /** The labels by which an owner decides. */
  readonly ownerLabels?: OwnerLabels;
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

/** What a selection makes of a control plane. */
export type Verdict =
  | { readonly outcome: "selected" }
  /** Its labels, its name or its type are others than those that are asked for. */
  | { readonly outcome: "other" }
  | { readonly outcome: "kept"; readonly reason: KeptReason };

/**
 * Judges a control plane. What the service was asked for is checked again, because a service that ignores a filter must not
 * widen a selection. A control plane of unknown age is neither older nor newer than anything. Nor does a clock that is
 * wrong widen a selection: of two clocks that disagree, the one counts that selects less.
 */
export function judgeControlPlane(
  filters: Filters,
  controlPlane: ControlPlaneDocument,
  time: AnswerTime,
): Verdict {
  const { labels = {}, namePrefix = "", clusterType, exclude, ownerLabels = {} } = filters;
  const isMeant =
    hasLabels(controlPlane, labels) &&
    controlPlane.name.startsWith(namePrefix) &&
    (clusterType === undefined || controlPlane.clusterType === clusterType);
  if (!isMeant) return { outcome: "other" };
  if (exclude !== undefined && isExcluded(exclude, controlPlane)) {
    return { outcome: "kept", reason: "exclude" };
  }
  switch (ownersWord(ownerLabels, controlPlane.labels, time.earliestMs).says) {
    case "keep":
      return { outcome: "kept", reason: "keep" };
    case "unreadable day":
      return { outcome: "kept", reason: "unreadableDay" };
    case "not yet":
      return { outcome: "kept", reason: "deleteAfter" };
    case "due":
      return { outcome: "selected" };
    case "nothing":
      return isOfAge(filters, controlPlane, time)
        ? { outcome: "selected" }
        : { outcome: "kept", reason: "age" };
  }
}

/** Whether a control plane has labels with exactly these values. */
export function hasLabels(
  controlPlane: Pick<ControlPlaneDocument, "labels">,
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(labels).every(
    ([key, value]) => Object.hasOwn(controlPlane.labels, key) && controlPlane.labels[key] === value,
  );
}

function isOfAge(
  { olderThanMs, newerThanMs }: Filters,
  { createdAtMs }: ControlPlaneDocument,
  { earliestMs, latestMs }: AnswerTime,
): boolean {
  const smallestAgeMs = ageMsAt(earliestMs, createdAtMs);
  const largestAgeMs = ageMsAt(latestMs, createdAtMs);
  return (
    (olderThanMs === undefined || (smallestAgeMs !== undefined && smallestAgeMs > olderThanMs)) &&
    (newerThanMs === undefined || (largestAgeMs !== undefined && largestAgeMs < newerThanMs))
  );
}
