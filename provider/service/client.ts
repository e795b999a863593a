import { parseControlPlane, type ControlPlane, type Target } from "./control-plane.js";
import type { Limits } from "./decide-retry.js";
import { SettingsError } from "./errors.js";
import { type Doing, explainFailure, explainUnusable } from "./explain.js";
import { parseProblem, type Problem } from "./problem.js";
import type { Effects, Retry, Settled } from "./call.js";
import { settle } from "./settle.js";
import type { Token, TokenSource } from "./token.js";

/** Everything that the service's client needs to be told. */
export interface ClientOptions {
  readonly limits: Limits;
  readonly tokens: TokenSource;
  readonly effects: Effects;
  /** Aborts when the run is being stopped: no wait goes on, no request begins. */
  readonly stopping: AbortSignal;
  /** Aborts some seconds later: a request in flight is cut off. */
  readonly stopped: AbortSignal;
  readonly onRetry: (retry: Retry) => void;
}

/** What a delete came to; everything else is an error. */
export interface Deletion {
  readonly outcome: "deleted" | "already gone";
  /** The 404's problem document, where it was already gone. */
  readonly problem: Problem;
  /** As {@link Token.describe} gives it. */
  readonly token: string;
}

/** What a read came to; everything else is an error. */
export type Reading =
  | { readonly outcome: "found"; readonly controlPlane: ControlPlane }
  | { readonly outcome: "gone"; readonly problem: Problem; readonly token: string };

/** The service's operations on one control plane, each repeated by the policy until its end is known. */
export interface ServiceClient {
  /** @throws ControlPlaneError when the control plane is not known to be gone */
  deleteControlPlane(target: Target): Promise<Deletion>;
  /** @throws ControlPlaneError when the service does not say whether it exists */
  getControlPlane(target: Target, options: ReadOptions): Promise<Reading>;
}

/** How a control plane is read. */
export interface ReadOptions {
  /** For the words of an error; only what is read for a refresh or a preview may be gone. */
  readonly doing: "adopt" | "look up" | "read";
  /** Replaces the limits of the client, for a look that may fail; to wait for its turn counts then, too. */
  readonly limits?: Limits;
}

function usableToken(tokens: TokenSource, target: Target, doing: Doing): Token {
  try {
    return tokens.current();
  } catch (error) {
    throw error instanceof SettingsError ? explainUnusable(doing, target, [error.message]) : error;
  }
}

/** Makes a client of the service. */
export function createClient(options: ClientOptions): ServiceClient {
  const call = async (method: "DELETE" | "GET", target: Target, doing: Doing, own?: Limits) => {
    const { tokens } = options;
    const token = usableToken(tokens, target, doing);
    const limits = own ?? options.limits;
    const stopping =
      own === undefined
        ? options.stopping
        : AbortSignal.any([options.stopping, AbortSignal.timeout(own.budgetMs)]);
    const request = { ...options, method, target, limits, stopping, token, renewed: tokens.renewed };
    const settled = await settle(request, options.effects);
    const fail = (how: Settled = settled) =>
      explainFailure({
        doing,
        target,
        method,
        settled: how,
        limits,
        tokenHints: tokens.hints,
      });
    if (settled.row.verdict !== "done" && settled.row.verdict !== "gone") throw fail();
    const body = settled.answer.kind === "reply" ? settled.answer.body : "";
    return { settled, body, token: settled.token.describe(), fail };
  };

  return {
    async deleteControlPlane(target) {
      const { settled, body, token } = await call("DELETE", target, "delete");
      // An attempt whose answer was lost had worked: this run deleted it.
      const outcome = settled.row.verdict === "done" || settled.fateUnknown ? "deleted" : "already gone";
      return { outcome, problem: parseProblem(body), token };
    },

    async getControlPlane(target, { doing, limits }) {
      const { settled, body, token, fail } = await call("GET", target, doing, limits);
      if (settled.row.verdict === "gone") {
        if (doing !== "read") throw fail({ ...settled, row: { ...settled.row, failure: "missing" } });
        return { outcome: "gone", problem: parseProblem(body), token };
      }
      const controlPlane = parseControlPlane(body, target.id);
      if (controlPlane === undefined) throw fail({ ...settled, row: { ...settled.row, failure: "foreign" } });
      return { outcome: "found", controlPlane };
    },
  };
}
