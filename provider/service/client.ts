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
import type { CallEnd, CallScope } from "./retry/call.js";
import type { Effects } from "./retry/effects.js";
import type { Limits } from "./retry/limits.js";
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

/** A control plane that exists. */
export interface Found {
  readonly outcome: "found";
  readonly controlPlane: ControlPlaneDocument;
  readonly facts: CallFacts;
}

/** What a read found. Everything else is an error. */
export type Reading = Found | { readonly outcome: "gone"; readonly facts: CallFacts };

/** How a control plane is read. */
export interface ReadOptions {
  /** Makes one attempt, which ends within this time. Waiting for its turn counts. Default: as often as the policy says. */
  readonly onceWithinMs?: number;
}

/** The service's operations on one control plane. Each is repeated by the policy until its end is known. */
export interface ServiceClient {
  /** Deletes a control plane. @throws ControlPlaneError when it is not proven to be gone */
  deleteControlPlane(controlPlane: ControlPlaneRef, scope: CallScope): Promise<Deletion>;
  /** Reads a control plane. @throws ControlPlaneError when the service does not say whether it exists */
  readControlPlane(controlPlane: ControlPlaneRef, scope: CallScope, options?: ReadOptions): Promise<Reading>;
  /** Reads a control plane that has to exist. @throws ControlPlaneError when it does not, or cannot be read */
  findControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    purpose: "adopt" | "look up",
  ): Promise<Found>;
}

/** A DELETE that used up the budget is still settled, if one GET can do it in this time. */
const SHORTEST_CONFIRMATION_MS = 1_000;

/** How one call differs from the others of the run. */
interface CallOptions {
  readonly purpose: Purpose;
  /** Default: the token of the run. */
  readonly token?: Token;
  /** Default: the limits of the run. */
  readonly limits?: Limits;
}

/** A call that has ended, and what the message of a failure needs of it. */
interface Ended<Result> {
  readonly end: CallEnd<Result>;
  readonly failed: FailedCall;
}

/** Creates a client of the service. */
export function createClient(options: ClientOptions): ServiceClient {
  return new HttpClient(options);
}

class HttpClient implements ServiceClient {
  constructor(private readonly options: ClientOptions) {}

  async deleteControlPlane(controlPlane: ControlPlaneRef, scope: CallScope): Promise<Deletion> {
    const operation = deleteControlPlane(controlPlane.id);
    const { end, failed } = await this.#call(operation, controlPlane, scope, { purpose: "delete" });
    switch (end.judgement.verdict) {
      case "done":
        return { outcome: "deleted", proof: 204, facts: factsOf(end) };
      case "gone":
        return { outcome: end.mayHaveWorked ? "deleted" : "already gone", proof: 404, facts: factsOf(end) };
      case "settle":
        return this.#confirmDeletion(failed, scope);
      case "retry":
      case "stop":
        throw explainCall(failed);
    }
  }

  async readControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    { onceWithinMs }: ReadOptions = {},
  ): Promise<Reading> {
    const ended =
      onceWithinMs === undefined
        ? await this.#get(controlPlane, scope, { purpose: "read" })
        : await this.#within(onceWithinMs, scope, (once, limits) =>
            this.#get(controlPlane, once, { purpose: "read", limits }),
          );
    if (ended.end.judgement.verdict === "gone") return { outcome: "gone", facts: factsOf(ended.end) };
    return found(ended);
  }

  async findControlPlane(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    purpose: "adopt" | "look up",
  ): Promise<Found> {
    const ended = await this.#get(controlPlane, scope, { purpose });
    if (ended.end.judgement.verdict === "gone") throw explainCall({ ...ended.failed, kind: "missing" });
    return found(ended);
  }

  /** Settles a DELETE that was answered with a 2xx other than 204. */
  async #confirmDeletion(deletion: FailedCall, scope: CallScope): Promise<Deletion> {
    const { controlPlane, end, limits } = deletion;
    const isPending = end.answer.kind === "reply" && end.answer.status === 202;
    const budgetMs = Math.max(SHORTEST_CONFIRMATION_MS, limits.budgetMs - end.spentMs);
    const operation = confirmDeletion(controlPlane.id, isPending);
    const confirmation = await this.#call(operation, controlPlane, scope, {
      purpose: "delete",
      token: end.token,
      limits: { ...limits, budgetMs },
    });
    if (confirmation.end.judgement.verdict !== "gone") throw explainUnproven(deletion, confirmation.end);
    return { outcome: "deleted", proof: 404, facts: joinFacts(factsOf(end), factsOf(confirmation.end)) };
  }

  #get(
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    options: CallOptions,
  ): Promise<Ended<ControlPlaneDocument>> {
    return this.#call(getControlPlane(controlPlane.id), controlPlane, scope, options);
  }

  async #call<Result>(
    operation: Operation<Result>,
    controlPlane: ControlPlaneRef,
    scope: CallScope,
    { purpose, token, limits = this.options.limits }: CallOptions,
  ): Promise<Ended<Result>> {
    const { tokens, effects } = this.options;
    const call = {
      operation,
      controlPlane,
      token: token ?? usableToken(tokens, controlPlane, purpose),
      renewedToken: tokens.renewed,
      limits,
      scope,
    };
    const end = await runCall(call, effects);
    return { end, failed: { purpose, controlPlane, operation, end, limits, tokenHints: tokens.hints } };
  }

  /** Runs a call with one attempt that ends within a time, its wait for a turn included. */
  #within<T>(
    limitMs: number,
    scope: CallScope,
    work: (scope: CallScope, limits: Limits) => Promise<T>,
  ): Promise<T> {
    const limits = { maxAttempts: 1, budgetMs: limitMs, requestTimeoutMs: limitMs };
    const deadlineMs = Math.min(scope.deadlineMs, this.options.effects.clock.now() + limitMs);
    const onLimit = () => new Error(`no turn within ${limitMs / 1000} s`);
    return withTimeLimit(scope.signal, limitMs, onLimit, (signal) =>
      work({ ...scope, signal, deadlineMs }, limits),
    );
  }
}

function found({ end, failed }: Ended<ControlPlaneDocument>): Found {
  if (end.judgement.verdict !== "done") throw explainCall(failed);
  return { outcome: "found", controlPlane: end.judgement.result, facts: factsOf(end) };
}

function usableToken(tokens: TokenSource, controlPlane: ControlPlaneRef, purpose: Purpose): Token {
  try {
    return tokens.current();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    throw explainUnusable(purpose, controlPlane, [error.summary]);
  }
}
