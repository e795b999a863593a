import type { Answer } from "../http/http-answer.js";
import type { Incoming } from "../http/incoming-request.js";
import type { Role } from "../emulator-options.js";
import type { ControlPlaneStore } from "../service/control-plane-store.js";

/** What an operation works on; the caller is authenticated already. */
export interface OperationContext {
  readonly store: ControlPlaneStore;
  readonly role: Role;
  readonly incoming: Incoming;
  /** Undefined when the request has none. */
  readonly body: Buffer | undefined;
}

/** Does the work and gives the answer, or throws a Refusal. */
export type Operation = (context: OperationContext) => Answer;
