import type { Answer } from "../http/http-answer.js";
import type { RequestPattern } from "../http/incoming-request.js";
import type { ControlPlaneStore } from "../control-planes/control-plane-store.js";
import type { Role } from "../service/role.js";

/** What the list operation counts as its total: the control planes on all pages, or the pages. */
export type ListTotal = "objects" | "pages";

/** An authenticated request, and what an operation needs to answer it. */
export interface OperationContext {
  readonly store: ControlPlaneStore;
  readonly listTotal: ListTotal;
  /** The role of the caller. */
  readonly role: Role;
  /** The path segment in the place of `{id}`, valid or not. Empty if the path has no such place. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Undefined if the request has no body. */
  readonly body: Buffer | undefined;
}

/** Does the work of an operation and returns its answer. Throws a Refusal if the request is refused. */
export type OperationHandler = (context: OperationContext) => Answer;

/** The method and path of an operation, and the function that handles it. */
export interface Route extends RequestPattern {
  readonly handle: OperationHandler;
}
