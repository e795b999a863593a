import type { FailureKind } from "./policy.js";
import type { Problem } from "./problem.js";

/** What every failure of a call carries. */
export interface FailureFacts {
  /** What it is about, for example `control plane 9524ec7d-…`; with the summary it makes a line that does alone. */
  readonly subject: string;
  /** What happened, for example `403 Permission denied`. */
  readonly summary: string;
  readonly kind: FailureKind;
  /** HTTP status of the last answer; undefined when none came. */
  readonly status?: number;
  /** The service's correlation identifier. */
  readonly traceId?: string;
  readonly problem?: Problem;
  /** Attempts made, counted from 1; 0 when nothing was sent. */
  readonly attempts: number;
  /** Time since the first attempt began. */
  readonly elapsedMs: number;
}

/**
 * A call that did not reach its end. The message is complete and safe to print: foreign text in it is bounded and
 * harmless, and no secret is in it.
 *
 * It has no numeric `code`: the host would send that as the status of its answer to the engine.
 */
export class ControlPlaneError extends Error {
  readonly subject: string;
  readonly summary: string;
  readonly kind: FailureKind;
  readonly status: number | undefined;
  readonly traceId: string | undefined;
  readonly problem: Problem | undefined;
  readonly attempts: number;
  readonly elapsedMs: number;

  constructor(message: string, facts: FailureFacts) {
    super(message);
    this.name = new.target.name;
    this.subject = facts.subject;
    this.summary = facts.summary;
    this.kind = facts.kind;
    this.status = facts.status;
    this.traceId = facts.traceId;
    this.problem = facts.problem;
    this.attempts = facts.attempts;
    this.elapsedMs = facts.elapsedMs;
  }
}

/** The request is invalid (400): correct what `problem.invalidParameters` names. */
export class InvalidRequestError extends ControlPlaneError {}
/** No valid token (401): give another token. */
export class UnauthenticatedError extends ControlPlaneError {}
/** The role-set does not allow it (403): grant a role. */
export class ForbiddenError extends ControlPlaneError {}
/** Something is in the way (409): remove that first. */
export class ConflictError extends ControlPlaneError {}
/** There is no such control plane at this address (404): correct the id or the address. */
export class MissingError extends ControlPlaneError {}
/** No answer of the service's own: something on the way answers or refuses. Correct the address, proxy or trust. */
export class ForeignAnswerError extends ControlPlaneError {}
/** The service failed (500 and the like): run again, with the trace at hand. */
export class ServiceError extends ControlPlaneError {}
/** A temporary failure that outlasted all retries: run again later. */
export class UnavailableError extends ControlPlaneError {}
/** The run was stopped: run again. */
export class InterruptedError extends ControlPlaneError {}
/** A setting or an argument is wrong: correct it; nothing was sent. */
export class SettingsError extends ControlPlaneError {
  constructor(message: string, about?: Pick<FailureFacts, "subject" | "summary">) {
    const [summary = ""] = message.split("\n");
    super(message, { subject: "settings", summary, ...about, kind: "settings", attempts: 0, elapsedMs: 0 });
  }
}

/** The class of each kind of failure. */
export const ERROR_CLASSES: Readonly<Record<Exclude<FailureKind, "settings">, typeof ControlPlaneError>> = {
  invalid: InvalidRequestError,
  unauthenticated: UnauthenticatedError,
  forbidden: ForbiddenError,
  conflict: ConflictError,
  missing: MissingError,
  foreign: ForeignAnswerError,
  untrusted: ForeignAnswerError,
  proxy: ForeignAnswerError,
  service: ServiceError,
  unavailable: UnavailableError,
  interrupted: InterruptedError,
};
