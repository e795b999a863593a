import { explainCall, type FailedCall, type Purpose, explainUnusable } from "./failure/explain-call.js";
import { explainUnproven } from "./failure/explain-unproven.js";
import { type CallFacts, factsOf, joinFacts } from "./failure/call-facts.js";
import { ControlPlaneError } from "./failure/control-plane-error.js";
import { withTimeLimit } from "./http/time-limit.js";
import type { Token, TokenSource } from "./http/token.js";
import type { ControlPlaneRef } from "./operations/control-plane-ref.js";
import { deleteControlPlane } from "./operations/delete-control-plane.js";
import {
  confirmDeletion,
  type ControlPlaneDocument,
  getControlPlane,
} from "./operations/get-control-plane.js";
import type { Operation } from "./operations/operation.js";
import type { CallScope, Effects } from "./retry/call.js";
import type { Limits } from "./retry/decide-retry.js";
import { runCall } from "./retry/run-call.js";

/** What the client of a run is made of. */
export interface ClientOptions {
  readonly limits: Limits;
  readonly tokens: TokenSource;
  readonly effects: Effects;
}

/** A control plane that is proven to be gone. Everything else is an error. */
export interface Deletion {
  /** `already gone`: it was gone before this run sent anything that could have deleted it. */
  readonly outcome: "deleted" | "already gone";
  /** The status that proves it: 204 to the DELETE, or the service's own 404. */
  readonly proof: 204 | 404;
  readonly facts: CallFacts;
}

/** What a read found. Everything else is an error. */
export type Reading =
  | { readonly outcome: "found"; readonly controlPlane: ControlPlaneDocument; readonly facts: CallFacts }
  | { readonly outcome: "gone"; readonly facts: CallFacts };

/** How a control plane is read. */
export interface ReadOptions {
  /** For the words of a failure. A control plane that does not exist is an error, except for the purpose "read". */
  readonly purpose: Exclude<Purpose, "delete">;
  /** Makes one attempt, which ends within this time. Waiting for its turn counts. */
  readonly onceWithinMs?: number;
}

/** The service's operations on one control plane. Each is repeated by the policy until its end is known. */
export interface ServiceClient {
  /** Deletes a control plane. @throws ControlPlaneError when it is not proven to be gone */
  deleteControlPlane(controlPlane: ControlPlaneRef, scope: CallScope): Promise<Deletion>;
  /** Reads a control plane. @throws ControlPlaneError when the service does not say whether it exists */
  getControlPlane(controlPlane: ControlPlaneRef, scope: CallScope, options: ReadOptions): Promise<Reading>;
}

/** A DELETE that used up the budget is still settled, if one GET can do it in this time. */
const SHORTEST_LOOK_MS = 1_000;

/** How one call differs from the others. */
interface OwnOptions {
  /** Default: the token of the run. */
  readonly token?: Token;
  /** Default: the limits of the run. */
  readonly own?: Limits;
}

/** Creates a client of the service. */
export function createClient({ limits, tokens, effects }: ClientOptions): ServiceClient {
  const call = async <Result>(
    operation: Operation<Result>,
    purpose: Purpose,
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    { token = usableToken(tokens, controlPlane, purpose), own = limits }: OwnOptions = {},
  ) => {
    const end = await runCall(
      { operation, controlPlane, token, renewedToken: tokens.renewed, limits: own, scope },
      effects,
    );
    const failed: FailedCall = {
      purpose,
      controlPlane,
      operation,
      end,
      limits: own,
      tokenHints: tokens.hints,
    };
    return { end, failed };
  };

  /** Settles a DELETE that was answered with a 2xx other than 204. */
  const confirm = async (deletion: FailedCall, scope: CallScope): Promise<Deletion> => {
    const { controlPlane, end } = deletion;
    const isPending = end.answer.kind === "reply" && end.answer.status === 202;
    const budgetMs = Math.max(SHORTEST_LOOK_MS, limits.budgetMs - end.spentMs);
    const operation = confirmDeletion(controlPlane.id, isPending);
    const look = await call(operation, "delete", controlPlane, scope, {
      token: end.token,
      own: { ...limits, budgetMs },
    });
    if (look.end.judgement.verdict !== "gone") throw explainUnproven(deletion, look.end);
    return { outcome: "deleted", proof: 404, facts: joinFacts(factsOf(end), factsOf(look.end)) };
  };

  return {
    async deleteControlPlane(controlPlane, scope) {
      const { end, failed } = await call(deleteControlPlane(controlPlane.id), "delete", controlPlane, scope);
      const facts = factsOf(end);
      switch (end.judgement.verdict) {
        case "done":
          return { outcome: "deleted", proof: 204, facts };
        case "gone":
          return { outcome: end.mayHaveWorked ? "deleted" : "already gone", proof: 404, facts };
        case "settle":
          return confirm(failed, scope);
        case "retry":
        case "stop":
          throw explainCall(failed);
      }
    },

    async getControlPlane(controlPlane, scope, { purpose, onceWithinMs }) {
      const operation = getControlPlane(controlPlane.id);
      const { end, failed } =
        onceWithinMs === undefined
          ? await call(operation, purpose, controlPlane, scope)
          : await within(onceWithinMs, scope, effects, (limited, once) =>
              call(operation, purpose, controlPlane, limited, { own: once }),
            );
      const { judgement } = end;
      if (judgement.verdict === "done") {
        return { outcome: "found", controlPlane: judgement.result, facts: factsOf(end) };
      }
      if (judgement.verdict !== "gone") throw explainCall(failed);
      if (purpose !== "read") throw explainCall({ ...failed, kind: "missing" });
      return { outcome: "gone", facts: factsOf(end) };
    },
  };
}

/** Runs a call with one attempt that ends within a time, its wait for a turn included. */
function within<T>(
  limitMs: number,
  scope: CallScope,
  { clock }: Effects,
  work: (scope: CallScope, limits: Limits) => Promise<T>,
): Promise<T> {
  const once = { maxAttempts: 1, budgetMs: limitMs, requestTimeoutMs: limitMs };
  const deadlineMs = Math.min(scope.deadlineMs, clock.now() + limitMs);
  const onLimit = () => new Error(`no turn within ${limitMs / 1000} s`);
  return withTimeLimit(scope.signal, limitMs, onLimit, (signal) =>
    work({ ...scope, signal, deadlineMs }, once),
  );
}

function usableToken(tokens: TokenSource, controlPlane: ControlPlaneRef, purpose: Purpose): Token {
  try {
    return tokens.current();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    throw explainUnusable(purpose, controlPlane, [error.summary]);
  }
}
