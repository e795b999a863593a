import { ENTITY_KINDS, entityPath, listOf } from "../control-planes/entity-kind.js";
import { gatewayAnswer, jsonAnswer, problemAnswer, type Answer } from "../http/http-answer.js";
import type { IncomingRequest } from "../http/incoming-request.js";
import { BASE_PATH, matchPath } from "../http/path-template.js";
import { methodNotAllowed, notEmulated, Refusal, unauthenticated } from "../service/refusal.js";
import type { OperationId } from "../service/operation-id.js";
import type { ProblemDocument } from "../service/problem-document.js";
import type { TokenBook } from "../service/token-book.js";
import type { ServiceState } from "./route.js";
import { ROUTES } from "./routes.js";

/** What the service knows, with the tokens that it accepts. */
export interface Service extends ServiceState {
  readonly tokens: TokenBook;
}

/**
 * Does the work of a request and returns the answer of the service.
 * A path that is not below a control plane is answered 404 by the gateway. Another route that is not emulated is answered
 * 405, or 501 where the public API has an operation that the emulator does not have. Then the token is checked, and the operation checks the rest.
 */
export function answerRequest(
  { store, newcomers, rules, tokens }: Service,
  incoming: IncomingRequest,
  body: Buffer | undefined,
): Answer {
  const { method, path, query, id = "", operationId, authorization, contentType } = incoming;
  try {
    const route = ROUTES.find((row) => row.operationId === operationId);
    if (route === undefined) return answerElsewhere(method, path, tokens.redact(path, authorization));
    const role = tokens.roleOf(authorization);
    if (role === undefined) throw unauthenticated();
    return route.handle({ store, newcomers, rules, role, id, query, body, contentType });
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error.document, operationId, rules.lenient);
    throw error;
  }
}

/**
 * The lists of most kinds of entities have a 401 of their own. The public API describes no other error of nodes and entities;
 * what is seen on the wire has a code and a message.
 */
function refusalAnswer(
  document: ProblemDocument,
  operation: OperationId | undefined,
  isLenient: boolean,
): Answer {
  const { status, detail = "" } = document;
  if (status === 401 && operation !== undefined && hasPlainErrors(operation)) {
    return jsonAnswer(status, { message: "Unauthorized", status });
  }
  if (status === 404 && isLenient && isAboutContents(operation)) {
    return jsonAnswer(status, { code: 5, message: detail });
  }
  return problemAnswer(document);
}

function hasPlainErrors(operation: OperationId): boolean {
  const kind = ENTITY_KINDS.find((each) => listOf(each).operation === operation);
  return kind !== undefined && kind !== "targets" && (listOf(kind).form ?? "core") === "core";
}

function isAboutContents(operation: OperationId | undefined): boolean {
  return (
    operation === "list-dataplane-nodes" || ENTITY_KINDS.some((kind) => listOf(kind).operation === operation)
  );
}

/** The public API has more operations on contents, and it has others below a control plane. */
function answerElsewhere(method: string, path: string, redactedPath: string): Answer {
  if (!path.startsWith(`${BASE_PATH}/control-planes`)) {
    return gatewayAnswer(404, "no Route matched with those values");
  }
  const allowed = ROUTES.filter((row) => matchPath(`${BASE_PATH}${row.path}`, path) !== undefined);
  if (allowed.length === 0 || allowed.some(({ path: template }) => isEntityPath(template))) {
    throw notEmulated(method, redactedPath);
  }
  const answer = problemAnswer(methodNotAllowed(method).document);
  const allow = allowed.map((row) => row.method).join(", ");
  return { ...answer, headers: { ...answer.headers, allow } };
}

function isEntityPath(template: string): boolean {
  return ENTITY_KINDS.some((kind) => template.endsWith(entityPath(kind)));
}
