import { safe, type SafeText } from "../text/safe-text.js";
import type { Caller, CallOptions, Ended } from "./caller.js";
import { explainCall } from "./failure/explain-call.js";
import type { ControlPlaneDocument } from "./operations/control-plane-document.js";
import { type ControlPlaneRef, getControlPlane } from "./operations/control-planes.js";
import { type CallFacts, type CallScope, factsOf, joinFacts } from "./retry/call.js";

/** A control plane that exists. */
export interface Found {
  readonly outcome: "found";
  readonly controlPlane: ControlPlaneDocument;
  readonly facts: CallFacts;
}

/** The service's own 404 to a GET of the control plane. */
export interface Gone {
  readonly outcome: "gone";
  readonly facts: CallFacts;
}

/** What a read found. Everything else is an error. */
export type Reading = Found | Gone;

/** How a control plane is read. */
export interface ReadOptions {
  /** Makes one attempt, which ends within this time. Waiting for its turn counts. Default: as often as the policy says. */
  readonly onceWithinMs?: number;
  /** Set when a deletion depends on the read: what a failure means. */
  readonly check?: SafeText;
}

/** Reads a control plane. @throws ControlPlaneError if the service does not say whether it exists */
export async function readControlPlane(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  { onceWithinMs, check }: ReadOptions = {},
): Promise<Reading> {
  const options = { purpose: check === undefined ? "read" : "check", reason: check } as const;
  const ended =
    onceWithinMs === undefined
      ? await get(caller, controlPlane, scope, options)
      : await caller.within(onceWithinMs, scope, (once, limits) =>
          get(caller, controlPlane, once, { ...options, limits }),
        );
  if (ended.end.judgment.verdict === "gone") return { outcome: "gone", facts: factsOf(ended.end) };
  return found(ended);
}

/** Reads a control plane that has to exist. @throws ControlPlaneError if it does not, or cannot be read */
export async function findControlPlane(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  purpose: "adopt" | "look up",
): Promise<Found> {
  const ended = await get(caller, controlPlane, scope, { purpose });
  if (ended.end.judgment.verdict === "gone") throw explainCall({ ...ended.failed, kind: "missing" });
  return found(ended);
}

/**
 * Settles a 404 to a part of a control plane with a GET of the control plane. By itself, that 404 can also mean that the
 * service does not know the path of the part.
 *
 * @throws ControlPlaneError unless the GET proves that the control plane is gone
 */
export async function requireGone(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  missing: Ended<unknown>,
): Promise<Gone> {
  const { reason = safe``, purpose } = missing.failed;
  const { end, failed } = await get(caller, controlPlane, scope, { purpose, reason });
  switch (end.judgment.verdict) {
    case "gone":
      return { outcome: "gone", facts: joinFacts(factsOf(missing.end), factsOf(end)) };
    case "done":
      throw explainCall({
        ...missing.failed,
        reason: safe`${reason} A GET still finds the control plane, so this 404 proves nothing.`,
      });
    case "retry":
    case "stop":
    case "confirm":
      throw explainCall(failed);
  }
}

function get(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  options: CallOptions,
): Promise<Ended<ControlPlaneDocument>> {
  return caller.call(getControlPlane(controlPlane.id), controlPlane, scope, options);
}

function found({ end, failed }: Ended<ControlPlaneDocument>): Found {
  if (end.judgment.verdict !== "done") throw explainCall(failed);
  return { outcome: "found", controlPlane: end.judgment.result, facts: factsOf(end) };
}
