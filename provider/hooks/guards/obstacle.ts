import type { ServiceClient } from "../../service/client.js";
import type { Gone } from "../../service/gone.js";
import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import { MAY_HAVE_WORKED, NOT_DELETED, STILL_EXISTS } from "../../service/failure/explain-call.js";
import { outcomeFor } from "../../service/failure/purpose.js";
import { type ControlPlaneRef, describeControlPlane } from "../../service/operations/control-plane-ref.js";
import type { CallScope } from "../../service/retry/call.js";
import { renderMessage } from "../../text/message.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";

/** What a check uses of the hook that makes it. */
export interface GuardScope extends CallScope {
  readonly client: ServiceClient;
  /** Returns the present in monotonic milliseconds. */
  readonly monotonicMs: () => number;
}

/** The arguments that can forbid a deletion. */
export type GuardName = "onlyIfLabels" | "deletionPolicy";

/** What stands in the way of a deletion. */
export interface Obstacle {
  readonly outcome: "obstacle";
  readonly summary: SafeText;
  readonly explanation: SafeText;
}

/** What a check of one guard found: nothing in the way, an obstacle, or the proof that the control plane is gone. */
export type Finding = Clear | Obstacle | Gone;

/** Nothing stands in the way. */
export interface Clear {
  readonly outcome: "clear";
  /** When the service said so, in monotonic milliseconds. After several answers: when the first one arrived. */
  readonly answeredMs: number;
}

/** Names at most this many of what stands in the way. */
export const LISTED = 10;

/**
 * Creates the error of a deletion that a guard forbids.
 *
 * @param isMember whether the control plane is a member of a set
 * @param mayHaveWorked whether a DELETE that was sent before may have worked
 */
export function refusal(
  controlPlane: ControlPlaneRef,
  guard: GuardName,
  { summary, explanation }: Obstacle,
  { isMember, mayHaveWorked }: { readonly isMember: boolean; readonly mayHaveWorked: boolean },
): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  const next = safe`${nextOf(guard, isMember)}, or set KONNECT_FORCE_DELETE=1 to delete it anyway`;
  const message = renderMessage({
    headline: safe`${summary}: ${subject} ${outcomeFor("check", "guarded", mayHaveWorked)}`,
    explanation: [explanation],
    rows: [
      [safe`guard`, safe`${safeText(guard, 20)} of the resource`],
      [safe`state`, mayHaveWorked ? MAY_HAVE_WORKED : STILL_EXISTS],
      [safe`next`, next],
    ],
  });
  return new ControlPlaneError(message, { kind: "guarded", subject, summary, next });
}

/** Creates the error of a deletion whose guards were outdated each time that a DELETE could start. */
export function outdated(
  controlPlane: ControlPlaneRef,
  checks: number,
  freshMs: number,
  mayHaveWorked: boolean,
): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  const summary = safe`Guards outdated`;
  const next = safe`run again when the service answers faster, or with fewer control planes at a time`;
  const message = renderMessage({
    headline: safe`${summary}: ${subject} ${outcomeFor("check", "unavailable", mayHaveWorked)}`,
    explanation: [
      safe`Its guards were checked ${checks} times. Each time, a DELETE could not start within ${freshMs / 1_000} s after the check.`,
    ],
    rows: [
      [safe`state`, mayHaveWorked ? MAY_HAVE_WORKED : NOT_DELETED],
      [safe`next`, next],
    ],
  });
  return new ControlPlaneError(message, { kind: "unavailable", subject, summary, next });
}

function nextOf(guard: GuardName, isMember: boolean): SafeText {
  if (guard === "deletionPolicy") return safe`remove what stands in the way, then run again`;
  return isMember
    ? safe`keep it: take it out of the list and run pulumi up; or correct its labels`
    : safe`keep it with pulumi state delete, or correct its labels`;
}
