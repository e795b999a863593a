import { firstLine, safe, type SafeText } from "../../text/safe-text.js";
import type { Problem } from "../problem/problem.js";
import type { CallFacts } from "../retry/call.js";
import type { CallFailureKind } from "../retry/policy.js";

/**
 * The kinds of failures, besides those of a call.
 *
 * - `settings`: a setting, an argument or the program is wrong. Correct it; nothing was sent.
 * - `guarded`: a guard of the resource forbids the deletion. Remove what stands in the way, or override the guard.
 */
export type FailureKind = CallFailureKind | "settings" | "guarded";

/** What a failure carries besides its message. */
export interface FailureDetails {
  readonly kind: FailureKind;
  /** What the failure is about, for example `control plane 9524ec7d-…`. */
  readonly subject: SafeText;
  /** What happened, for example `403 Permission denied`. Subject and summary together make a line. */
  readonly summary: SafeText;
  /** The call that failed. Missing if no request was sent. */
  readonly facts?: CallFacts;
  /** What the last answer said. */
  readonly problem?: Problem;
  /** More lines that explain the failure, for example which members a group has. */
  readonly findings?: readonly SafeText[];
  /** What the reader does next, as the message says it. */
  readonly next?: SafeText;
}

/**
 * The failure of a hook or of a call. The message is complete and safe to print, and holds no secret.
 *
 * It has no numeric `code`, because the dynamic-provider host would send that as the gRPC status of its answer.
 */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";
  readonly kind: FailureKind;
  readonly subject: SafeText;
  readonly summary: SafeText;
  readonly facts: CallFacts | undefined;
  readonly problem: Problem | undefined;
  readonly findings: readonly SafeText[];
  readonly next: SafeText | undefined;

  constructor(
    /** The message, known to be safe to print. */
    readonly text: SafeText,
    { kind, subject, summary, facts, problem, findings = [], next }: FailureDetails,
  ) {
    super(text);
    this.kind = kind;
    this.subject = subject;
    this.summary = summary;
    this.facts = facts;
    this.problem = problem;
    this.findings = findings;
    this.next = next;
  }
}

/** Returns an error with more text or other details. */
export function copyError(
  error: ControlPlaneError,
  {
    text = error.text,
    facts = error.facts,
  }: { readonly text?: SafeText; readonly facts?: CallFacts | undefined },
): ControlPlaneError {
  const { kind, subject, summary, problem, next, findings } = error;
  return new ControlPlaneError(text, {
    kind,
    subject,
    summary,
    findings,
    ...(facts !== undefined && { facts }),
    ...(problem !== undefined && { problem }),
    ...(next !== undefined && { next }),
  });
}

/** Creates the error of a setting, an argument or a program that is wrong. */
export function settingsError(
  message: SafeText,
  about: Pick<FailureDetails, "subject" | "summary" | "next"> = {
    subject: safe`settings`,
    summary: firstLine(message),
  },
): ControlPlaneError {
  return new ControlPlaneError(message, { kind: "settings", ...about });
}
