import { LINE_VERSION, type ReportLine } from "../report/line-model.js";
import { storableName, storableText } from "../text/storable-text.js";
import type { HeldControlPlane } from "../state/held-control-planes.js";

/** What is known of a destroy that has ended. */
export interface EndedDestroy {
  /** What the state held before it. */
  readonly before: readonly HeldControlPlane[];
  /** What the state holds now. */
  readonly after: readonly HeldControlPlane[];
  /** The ids of the control planes that the provider has reported. */
  readonly reportedIds: ReadonlySet<string>;
  /** Whether it was stopped. */
  readonly isStopped: boolean;
  /** In epoch milliseconds. */
  readonly endedAtMs: number;
}

/**
 * Returns a line for each control plane that the provider reported nothing about, so that a report accounts for
 * everything that the state held. Only `retainOnDelete` explains why one has left the state without a deletion.
 */
export function unreportedLines(ended: EndedDestroy): readonly ReportLine[] {
  const stillDeclared = new Set(ended.after.map(keyOf));
  const declared = new Map([...ended.before, ...ended.after].map((each) => [keyOf(each), each]));
  const time = new Date(ended.endedAtMs).toISOString();
  return [...declared].flatMap(([key, controlPlane]) => {
    if (ended.reportedIds.has(key)) return [];
    const fate = fateOf(controlPlane, stillDeclared.has(key), ended.isStopped);
    return fate === undefined ? [] : [toLine(controlPlane, fate, time)];
  });
}

type Fate = Pick<ReportLine, "outcome" | "error">;

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

/** It has `deletedWith`, the report could not be written, or another version of this package ran. */
const LOST: Fate = {
  outcome: "failed",
  error: {
    kind: "unreported",
    summary: "It left the state, and no deletion was reported",
    next: "look in the service whether it still exists",
  },
};

/** Returns undefined for what the provider can have reported under ids that the state keeps secret. */
function fateOf(
  { idAsRecorded, isProtected, droppedBy }: HeldControlPlane,
  isStillDeclared: boolean,
  isStopped: boolean,
): Fate | undefined {
  if (!isStillDeclared) {
    if (droppedBy === "retainOnDelete") return KEPT;
    return idAsRecorded === "" ? undefined : LOST;
  }
  if (isProtected) return PROTECTED;
  return isStopped ? INTERRUPTED : UNTRIED;
}

function keyOf({ idAsRecorded, urn }: HeldControlPlane): string {
  return idAsRecorded === "" ? urn : idAsRecorded;
}

function toLine(
  { idAsRecorded, name, address, urn }: HeldControlPlane,
  fate: Fate,
  time: string,
): ReportLine {
  return {
    schemaVersion: LINE_VERSION,
    runId: "none",
    time,
    startedAt: time,
    operation: "delete",
    ...fate,
    controlPlane: {
      id: storableText(idAsRecorded, 60),
      ...(name !== undefined && { name: storableName(name) }),
      ...(address !== undefined && { address: storableText(address, 200) }),
    },
    resource: storableText(urn, 1_000),
    attempts: 0,
    durationMs: 0,
    waitedMs: 0,
    traceIds: [],
  };
}
