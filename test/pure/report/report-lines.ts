import type { ReportLine } from "../../../provider/report/line-model.js";

/** Returns the id of the nth control plane of a report. */
export function idOf(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}

const LINE: ReportLine = {
  schemaVersion: 1,
  runId: "run-1",
  time: "2026-01-01T02:00:01.000Z",
  startedAt: "2026-01-01T02:00:00.000Z",
  operation: "delete",
  outcome: "deleted",
  controlPlane: { id: idOf(1), name: "plane-1", address: "https://eu.api.konghq.com/v2" },
  attempts: 1,
  durationMs: 200,
  waitedMs: 0,
  traceIds: [],
  tokenSource: "system account token from KONNECT_SPAT",
};

/** Returns a line of a report file: a deletion at the first attempt, with changed members. */
export function lineText(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...LINE, ...change });
}

/** Returns a line about the nth control plane, at a second of the night. */
export function lineAbout(
  n: number,
  second: number,
  outcome: ReportLine["outcome"],
  change: Readonly<Record<string, unknown>> = {},
): string {
  return lineText({
    time: new Date(Date.UTC(2026, 0, 1, 2, 0, second)).toISOString(),
    outcome,
    controlPlane: { id: idOf(n), name: `plane-${n}`, address: "https://eu.api.konghq.com/v2" },
    ...change,
  });
}

/** What a line says of a deletion that the service forbids. */
export const DENIED = {
  status: 403,
  traceIds: ["konnect:trace:403"],
  problem: {
    status: 403,
    title: "Permission denied",
    detail: "The role-set of [sa-ci] does not allow this.",
  },
  error: {
    kind: "forbidden",
    summary: "403 Permission denied",
    next: "give it the Admin role, then run again",
  },
};

/** Returns a line of a failed deletion in which every text that may be foreign is the same. */
export function lineOfForeignText(text: string): string {
  return lineText({
    runId: text,
    outcome: "failed",
    controlPlane: { id: text, name: text, address: text },
    resource: text,
    status: 403,
    traceIds: [text, text],
    problem: {
      status: 403,
      title: text,
      type: text,
      instance: text,
      detail: text,
      invalidParameters: [{ field: text, reason: text }],
    },
    error: { kind: text, summary: text, next: text, findings: [text] },
    membersRemoved: { count: 2, members: [{ id: text, name: text }, { id: text }] },
    tokenSource: text,
  });
}
