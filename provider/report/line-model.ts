import type { AttemptSpan } from "../service/retry/call.js";

export type { AttemptSpan };

/** The version of the lines that this release writes. It grows when a line means something else than before. */
export const LINE_VERSION = 1;

/** What an operation was for. */
export const OPERATIONS = ["delete", "adopt", "create", "update", "read", "look-up"] as const;

/** How an operation ended. */
export const OUTCOMES = [
  "deleted",
  "already-gone",
  "gone",
  "kept",
  "adopted",
  "adopted-unread",
  "created",
  "updated",
  "unreadable",
  "interrupted",
  "failed",
  "would-be-deleted",
  "would-stay",
] as const;

/**
 * One line of a report file: the end of one operation on one control plane.
 *
 * @category Automation API
 * @schema report-line.schema.json
 */
export interface ReportLine {
  /** Grows if the meaning of a line changes. */
  readonly schemaVersion: typeof LINE_VERSION;
  /** Identifies the process that wrote the line. */
  readonly runId: string;
  /** End of the operation (RFC 3339, UTC). */
  readonly time: string;
  /** Start of its first request (RFC 3339, UTC). */
  readonly startedAt: string;
  /** What it was for. */
  readonly operation: (typeof OPERATIONS)[number];
  /** How it ended. */
  readonly outcome: (typeof OUTCOMES)[number];
  /** The control plane. */
  readonly controlPlane: {
    /** Lower-case UUID. Empty for one that was not created. */
    readonly id: string;
    /** Name in the service, where it is known. */
    readonly name?: string;
    /** Address of the service. Missing if the settings have none. */
    readonly address?: string;
  };
  /** URN of the resource, if it is known. */
  readonly resource?: string;
  /** HTTP status of the last answer. */
  readonly status?: number;
  /** Number of requests. */
  readonly attempts: number;
  /** From the first request to the end, in milliseconds. */
  readonly durationMs: number;
  /** Delays between the requests, in milliseconds. */
  readonly waitedMs: number;
  /** Trace identifiers of the last answers, oldest first. */
  readonly traceIds: readonly string[];
  /** What Konnect said. */
  readonly problem?: ReportedProblem;
  /** Why it failed. */
  readonly error?: {
    /** What went wrong, for example `forbidden`; `internal` for a defect of this package. */
    readonly kind: string;
    /** What happened, in one line. */
    readonly summary: string;
    /** What the reader does next. */
    readonly next?: string;
    /** What was found out about it, for example which members keep a group. Missing if there is none. */
    readonly findings?: readonly string[];
  };
  /** Members that the operation removed from a group. */
  readonly membersRemoved?: RemovedMembers;
  /** Kind of the token, and the setting that it came from. */
  readonly tokenSource?: string;
  /** The last attempts, oldest first, if there were several. */
  readonly timeline?: readonly AttemptSpan[];
}

/**
 * Members that were removed from a group.
 *
 * @category Automation API
 * @schema report-line.schema.json
 */
export interface RemovedMembers {
  /** Number of all of them. */
  readonly count: number;
  /** Those that fit into the line. */
  readonly members: readonly {
    /** Lower-case UUID. */
    readonly id: string;
    /** Name in the service, where it is known. */
    readonly name?: string;
  }[];
}

/**
 * A problem document (RFC 9457) of Konnect.
 *
 * @category Automation API
 * @schema report-line.schema.json
 */
export interface ReportedProblem {
  /** HTTP status. */
  readonly status?: number;
  /** Short summary of the kind of problem. */
  readonly title?: string;
  /** URI of the kind of problem. */
  readonly type?: string;
  /** Identifier that Kong's support asks for. */
  readonly instance?: string;
  /** What went wrong this time. */
  readonly detail?: string;
  /** What Konnect refuses about the request. */
  readonly invalidParameters?: readonly {
    /** Name of the parameter. Missing if the service does not say it. */
    readonly field?: string;
    /** What is wrong with it, and its rule in words: `too long (rule max_length, maximum 256)`. */
    readonly reason: string;
  }[];
}
