import { LINE_VERSION, type ReportLine } from "../report/line-model.js";
import { mayHaveCreated, type PendingOperation } from "../state/deployment.js";
import type { HeldControlPlane } from "../state/held-control-planes.js";
import { storableName, storableText } from "../text/safe-text.js";

/** What is known of a destroy that has ended. */
export interface EndedDestroy {
  /** What the state held before it. */
  readonly before: readonly HeldControlPlane[];
  /** What the state holds now. */
  readonly after: readonly HeldControlPlane[];
  /** The operations that the state says are not finished. */
  readonly pendingOperations: readonly PendingOperation[];
  /** What the provider has reported. */
  readonly reported: readonly Pick<ReportLine, "controlPlane">[];
  /** Whether it was stopped. */
  readonly isStopped: boolean;
  /** Returns what became of what is still there, when there was no destroy at all. */
  readonly untried?: (held: HeldControlPlane) => Fate;
  /** In epoch milliseconds. */
  readonly endedAtMs: number;
}

/**
 * Returns a line for each control plane without a line of the provider, so that a report accounts for everything
 * that the state held, and for what it may have forgotten. A control plane that has left the state without a line is left,
 * unless `retainOnDelete` keeps it, or an earlier run has deleted it for a replacement.
 */
export function unreportedLines(ended: EndedDestroy): readonly ReportLine[] {
  const time = new Date(ended.endedAtMs).toISOString();
  const isReported = reportedBy(ended.reported);
  const before = groupByKey(ended.before);
  const after = groupByKey(ended.after);
  const unreported = [...new Map([...before, ...after])].flatMap(([key, [controlPlane]]) => {
    if (isReported(controlPlane)) return [];
    const fate = fateOf(before.get(key) ?? [], after.get(key) ?? [], ended);
    return fate === undefined ? [] : [lineOf(controlPlane, fate, time)];
  });
  const creations = ended.pendingOperations.filter(mayHaveCreated);
  return [...unreported, ...creations.map((creation) => creationLine(creation, time))];
}

/** A provider that could not use what the state records may not have known the address. */
function reportedBy(lines: EndedDestroy["reported"]): (controlPlane: HeldControlPlane) => boolean {
  const addressesById = new Map<string, Set<string>>();
  for (const { controlPlane } of lines) {
    const addresses = addressesById.get(controlPlane.id) ?? new Set();
    addressesById.set(controlPlane.id, addresses.add(controlPlane.address ?? ""));
  }
  return ({ idAsRecorded, address }) => {
    const addresses = idAsRecorded === "" ? undefined : addressesById.get(idAsRecorded);
    if (addresses === undefined) return false;
    return address === undefined || addresses.has(address) || addresses.has("");
  };
}

type Holders = readonly [HeldControlPlane, ...HeldControlPlane[]];

/** Groups resources that hold the same control plane. */
function groupByKey(held: readonly HeldControlPlane[]): ReadonlyMap<string, Holders> {
  const groups = new Map<string, Holders>();
  for (const each of held) {
    const { idAsRecorded, address = "", urn, isReplaced } = each;
    // What has been replaced has the URN of its replacement.
    const key = idAsRecorded === "" ? `${urn} ${isReplaced}` : `${address} ${idAsRecorded}`;
    const others = groups.get(key);
    groups.set(key, others === undefined ? [each] : [...others, each]);
  }
  return groups;
}

/** What became of a control plane, and why. */
export type Fate = Pick<ReportLine, "outcome" | "error">;

const KEPT: Fate = { outcome: "kept" };

const INTERRUPTED: Fate = {
  outcome: "interrupted",
  error: { kind: "interrupted", summary: "Interrupted before it was deleted", next: "run again" },
};

const PROTECTED: Fate = {
  outcome: "failed",
  error: {
    kind: "protected",
    summary: "Protected: Pulumi refuses to delete it",
    next: "remove protect with pulumi state unprotect, then run again",
  },
};

/** Something that depends on it was not deleted, or the destroy ended first. */
const UNTRIED: Fate = {
  outcome: "failed",
  error: {
    kind: "unreported",
    summary: "No deletion was reported",
    next: "it is still in the state: read what Pulumi says, then run again",
  },
};

const PENDING: Fate = {
  outcome: "failed",
  error: {
    kind: "pending",
    summary: "A creation is pending: a control plane may exist that the state does not have",
    next: "look in the service whether it exists, then run pulumi refresh --clear-pending-creates",
  },
};

/** It has `deletedWith`, the report could not be written, or another version of this package ran. */
const LOST: Fate = {
  outcome: "failed",
  error: {
    kind: "unreported",
    summary: "It left the state, and no deletion was reported",
    next: "look in the service whether it still exists",
  },
};

/** Returns undefined if the report needs no line about it. */
function fateOf(
  before: readonly HeldControlPlane[],
  after: readonly HeldControlPlane[],
  { isStopped, untried }: EndedDestroy,
): Fate | undefined {
  const [held] = after;
  if (untried !== undefined && held !== undefined) return untried(held);
  if (after.some(({ isProtected }) => isProtected)) return PROTECTED;
  if (after.length > 0) return isStopped ? INTERRUPTED : UNTRIED;
  const fates = before.map(departureOf);
  return fates.find((fate) => fate === LOST) ?? fates.find((fate) => fate !== undefined);
}

/** Returns what became of a control plane whose resource has left the state. */
function departureOf({ idAsRecorded, droppedBy, isPendingReplacement }: HeldControlPlane): Fate | undefined {
  if (droppedBy === "retainOnDelete") return KEPT;
  // The provider can have reported it under an id that the state keeps secret.
  if (idAsRecorded === "") return undefined;
  // Pulumi marks a replacement as pending only when the delete before it has succeeded, and then drops it without a call.
  // With `deletedWith`, there was no call before the mark either.
  if (isPendingReplacement && droppedBy === undefined) return undefined;
  return LOST;
}

function lineOf(
  { idAsRecorded, name, address, urn }: HeldControlPlane,
  fate: Fate,
  time: string,
): ReportLine {
  return {
    ...withoutRequests(time),
    operation: "delete",
    ...fate,
    controlPlane: {
      id: storableText(idAsRecorded, 60),
      ...(name !== undefined && { name: storableName(name) }),
      ...(address !== undefined && { address: storableText(address, 200) }),
    },
    resource: storableText(urn, 1_000),
  };
}

/** The id is not known. Falls back to the name of the resource if the name of the control plane is not recorded. */
function creationLine({ wantedName, resource, urn }: PendingOperation, time: string): ReportLine {
  const name = wantedName ?? resource;
  return {
    ...withoutRequests(time),
    operation: "create",
    ...PENDING,
    controlPlane: { id: "", ...(name !== undefined && { name: storableName(name) }) },
    ...(urn !== undefined && { resource: storableText(urn, 1_000) }),
  };
}

function withoutRequests(time: string) {
  return {
    schemaVersion: LINE_VERSION,
    runId: "none",
    time,
    startedAt: time,
    attempts: 0,
    durationMs: 0,
    waitedMs: 0,
    traceIds: [],
  } as const;
}
