import { problemAnswer, type Answer } from "../http/http-answer.js";
import type { IncomingRequest } from "../http/incoming-request.js";
import { notEmulated, Refusal, unauthenticated } from "../service/refusal.js";
import type { TokenBook } from "../service/token-book.js";
import type { ServiceState } from "./route.js";
import { ROUTES } from "./routes.js";

/** What the service knows, with the tokens that it accepts. */
export interface Service extends ServiceState {
  readonly tokens: TokenBook;
}

/**
 * Does the work of a request and returns the answer of the service.
 * A route that is not emulated is answered 501. Then the token is checked, and the operation checks the rest.
 */
export function answerRequest(
  { store, newcomers, rules, tokens }: Service,
  incoming: IncomingRequest,
  body: Buffer | undefined,
): Answer {
  const { method, path, query, id = "", operationId, authorization, contentType } = incoming;
  try {
    const route = ROUTES.find((row) => row.operationId === operationId);
    if (route === undefined) throw notEmulated(method, tokens.redact(path, authorization));
    const role = tokens.roleOf(authorization);
    if (role === undefined) throw unauthenticated();
    return route.handle({ store, newcomers, rules, role, id, query, body, contentType });
  } catch (error) {
    if (error instanceof Refusal) return problemAnswer(error.document);
    throw error;
  }
}
