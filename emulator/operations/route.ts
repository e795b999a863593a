import type { RawBody } from "../bodies/json-body.js";
import type { Newcomers } from "../control-planes/newcomers.js";
import type { Answer } from "../http/http-answer.js";
import type { RequestPattern } from "../http/incoming-request.js";
import type { ControlPlaneStore } from "../control-planes/control-plane-store.js";
import type { Role } from "../service/role.js";

/** What the list operation counts as its total: the control planes on all pages, or the pages. */
export type ListTotal = "objects" | "pages";

/** What the service does differently because an option asks for it. */
export interface ServiceRules {
  readonly listTotal: ListTotal;
  /** The number of control planes at which the usage limit is reached. Infinity for no limit. */
  readonly maxControlPlanes: number;
  /** The keys of the labels that a creation loses, or true for all of them. */
  readonly createDropsLabels: true | readonly string[];
  /** Whether answers leave out what the public API does not require. */
  readonly lenient: boolean;
}

/** What the service knows while it answers a request. */
export interface ServiceState {
  readonly store: ControlPlaneStore;
  readonly newcomers: Newcomers;
  readonly rules: ServiceRules;
}

/** An authenticated request, and what an operation needs to answer it. */
export interface OperationContext extends ServiceState, RawBody {
  /** The role of the caller. */
  readonly role: Role;
  /** The path segment in the place of `{id}`, valid or not. Empty if the path has no such place. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Does the work of an operation and returns its answer. Throws a Refusal if the request is refused. */
export type OperationHandler = (context: OperationContext) => Answer;

/** The method and path of an operation, and the function that handles it. */
export interface Route extends RequestPattern {
  readonly handle: OperationHandler;
}
