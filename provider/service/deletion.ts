import type { Caller, Ended } from "./caller.js";
import type { Gone } from "./gone.js";
import { type CallFacts, factsOf, joinFacts } from "./failure/call-facts.js";
import { ControlPlaneError, copyError } from "./failure/control-plane-error.js";
import { explainCall, type FailedCall, kindOf } from "./failure/explain-call.js";
import { explainUnproven } from "./failure/explain-unproven.js";
import type { ControlPlaneRef } from "./operations/control-plane-ref.js";
import { deleteControlPlane } from "./operations/delete-control-plane.js";
import { confirmDeletion } from "./operations/get-control-plane.js";
import type { CallEnd, CallScope, Precondition } from "./retry/call.js";

/** A control plane that is proven to be gone. Everything else is an error. */
export interface Deletion {
  /** `already gone`: it was gone before this run sent anything that could have deleted it. */
  readonly outcome: "deleted" | "already gone";
  /** The status that proves it: 204 to the DELETE, or the service's own 404. */
  readonly proof: 204 | 404;
  readonly facts: CallFacts;
}

/** What decides whether a control plane may be deleted. */
export interface DeletionGuard {
  /** Whether the last check is so recent that a DELETE may start now. */
  readonly isFresh: () => boolean;
  /**
   * Checks whether the control plane may be deleted.
   *
   * @param mayHaveWorked whether a DELETE that was sent before may have worked
   * @returns the proof that it is gone, where the check met it
   * @throws ControlPlaneError when it must not be deleted, or nobody knows
   */
  readonly check: (mayHaveWorked: boolean) => Promise<Gone | undefined>;
}

/** Settles a DELETE that the service refuses with 409. Rejects with the error of the deletion when that is not possible. */
export type OnConflict = (refused: FailedCall) => Promise<Deletion>;

/** A DELETE that used up the budget is still settled, if one GET can do it in this time. */
const SHORTEST_CONFIRMATION_MS = 1_000;

/**
 * Deletes a control plane. Every DELETE that is sent follows a check of the guard that is fresh.
 *
 * @param onConflict default: a 409 is an error
 */
export async function deleteAndProve(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  guard: DeletionGuard | undefined,
  onConflict?: OnConflict,
): Promise<Deletion> {
  const operation = deleteControlPlane(controlPlane.id);
  const precondition = guard && preconditionOf(guard);
  try {
    const ended = await caller.call(operation, controlPlane, scope, { purpose: "delete", precondition });
    return await conclude(caller, controlPlane, scope, ended, onConflict);
  } catch (error) {
    if (error instanceof FoundGone) return error.deletion;
    throw error;
  }
}

async function conclude(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
  { end, failed }: Ended<"deleted">,
  onConflict: OnConflict | undefined,
): Promise<Deletion> {
  switch (end.judgement.verdict) {
    case "done":
      return { outcome: "deleted", proof: 204, facts: factsOf(end) };
    case "gone":
      return { outcome: end.mayHaveWorked ? "deleted" : "already gone", proof: 404, facts: factsOf(end) };
    case "settle":
      return confirm(caller, controlPlane, failed, scope);
    case "retry":
    case "stop":
      if (onConflict !== undefined && kindOf(end) === "conflict") return onConflict(failed);
      throw explainCall(failed);
  }
}

/** Settles a DELETE that was answered with a 2xx other than 204. */
async function confirm(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  deletion: FailedCall,
  scope: CallScope,
): Promise<Deletion> {
  const { end, limits } = deletion;
  const isPending = end.answer.kind === "reply" && end.answer.status === 202;
  const budgetMs = Math.max(SHORTEST_CONFIRMATION_MS, limits.budgetMs - end.spentMs);
  const operation = confirmDeletion(controlPlane.id, isPending);
  const confirmation = await caller.call(operation, controlPlane, scope, {
    purpose: "delete",
    token: end.token,
    limits: { ...limits, budgetMs },
  });
  if (confirmation.end.judgement.verdict !== "gone") throw explainUnproven(deletion, confirmation.end);
  return { outcome: "deleted", proof: 404, facts: joinFacts(factsOf(end), factsOf(confirmation.end)) };
}

/**
 * Creates the precondition of the requests of a deletion: a fresh check. The call rejects with {@link FoundGone} when a check
 * finds the control plane gone.
 *
 * @param mayHaveWorkedAfter whether the control plane may be deleted after a request that ended like this
 */
export function preconditionOf(
  { isFresh, check }: DeletionGuard,
  mayHaveWorkedAfter = (last: CallEnd<unknown> | undefined) => last?.mayHaveWorked === true,
): Precondition {
  return {
    isFresh,
    async check(last) {
      const mayHaveWorked = mayHaveWorkedAfter(last);
      let gone: Gone | undefined;
      try {
        gone = await check(mayHaveWorked);
      } catch (error) {
        throw last === undefined || !(error instanceof ControlPlaneError) ? error : addFacts(error, last);
      }
      if (gone === undefined) return;
      const facts = last === undefined ? gone.facts : joinFacts(factsOf(last), gone.facts);
      throw new FoundGone({ outcome: mayHaveWorked ? "deleted" : "already gone", proof: 404, facts });
    },
  };
}

/** Adds the attempts that were made before a check failed. */
function addFacts(error: ControlPlaneError, last: CallEnd<unknown>): ControlPlaneError {
  const facts = error.facts === undefined ? factsOf(last) : joinFacts(factsOf(last), error.facts);
  return copyError(error, { facts });
}

/** Ends a call whose control plane a check has found gone. */
export class FoundGone extends Error {
  constructor(readonly deletion: Deletion) {
    super();
  }
}
