import type { CallFacts } from "../../service/failure/call-facts.js";
import type { Change } from "../../service/creation.js";
import type { ControlPlaneDocument } from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import type { NewControlPlane } from "../../service/operations/control-plane-request.js";
import { withoutMark } from "../../service/operations/ownership-mark.js";
import type { HookContext } from "../context.js";
import { type MembersPlan, type MembersReached, settleMembers } from "./members.js";

/** A control plane that exists and whose id is known, and what the program wants it to be. */
export interface Made {
  readonly controlPlane: ControlPlaneRef;
  readonly wanted: Partial<NewControlPlane>;
  /** Undefined when the resource does not manage the members of a group. */
  readonly members: MembersPlan | undefined;
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
}

/** How the steps ended, and what they have reached, also when one of them failed. */
export interface Finished extends Partial<MembersReached> {
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
  /** The last request of a step that changed something. */
  readonly facts?: CallFacts;
  /** Why a step failed. The steps after it did not run. */
  readonly unfinished?: Error;
}

/**
 * Runs the steps after the request that created or changed a control plane: its labels, then its members. The first one
 * that fails is the last one. Each can run again after it has failed.
 */
export async function finish(context: HookContext, made: Made): Promise<Finished> {
  const { controlPlane, document, members } = made;
  let reached: Finished = { document, ...(members !== undefined && { members: members.before }) };
  const note = (more: Partial<Finished>) => void (reached = { ...reached, ...more });
  try {
    const change = await settleLabels(context, made);
    if (change !== undefined) note({ document: change.controlPlane, facts: change.facts });
    if (members !== undefined) await settleMembers(context, controlPlane, members, note);
    return reached;
  } catch (error) {
    // After a defect, too, the control plane has to be recorded.
    return { ...reached, unfinished: error instanceof Error ? error : new Error(String(error)) };
  }
}

/**
 * Sends the labels once more when the service dropped one at the creation, or kept one that was to go. Null removes a
 * label in a service that merges labels, and is sent only to one that does: docs/decisions/create.md.
 *
 * @returns the change; undefined when the labels are as they should be
 */
async function settleLabels(
  context: HookContext,
  { controlPlane, wanted: { labels }, document }: Made,
): Promise<Change | undefined> {
  if (labels === undefined) return undefined;
  const present = withoutMark(document.labels);
  const missing = Object.entries(labels).filter(([label, value]) => present[label] !== value);
  const surplus = Object.keys(present).filter((label) => !Object.hasOwn(labels, label));
  if (missing.length === 0 && surplus.length === 0) return undefined;
  const removed = Object.fromEntries(surplus.map((label) => [label, null]));
  return context.client.updateControlPlane(controlPlane, { labels: { ...labels, ...removed } }, context);
}
