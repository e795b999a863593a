import { STATUS_CODES } from "node:http";
import { emptyAnswer, gatewayAnswer, jsonAnswer, problemAnswer, type Answer } from "../http/http-answer.js";
import type { OperationId } from "../service/operation-id.js";
import { isDocumentedProblem, problem } from "../service/problem-document.js";
import { keepsRealAnswer, type Fault } from "./fault.js";

/** Returns the real answer if the fault keeps it, and the scripted answer otherwise. Adds the fault's headers. */
export function answerOfFault(
  fault: Fault,
  real: Answer | undefined,
  operation: OperationId | undefined,
): Answer {
  const keptAnswer = keepsRealAnswer(fault) ? real : undefined;
  const answer = keptAnswer ?? scriptedAnswer(fault.status ?? 200, fault.body, operation);
  const headers = Object.entries(fault.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(headers) } };
}

function scriptedAnswer(status: number, body: Fault["body"], operation: OperationId | undefined): Answer {
  if (body === undefined) return defaultAnswer(status, operation);
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status, headers, body: Buffer.from(body), traceId: undefined };
  }
  return status < 400 ? jsonAnswer(status, body) : jsonAnswer(status, body, "application/problem+json");
}

/** The operations whose 500 needs no detail. Source: Control Planes API v2, `InternalServerError` beside `Internal`. */
const WITHOUT_DETAIL: readonly (OperationId | undefined)[] = [
  ...(["create-control-plane", "update-control-plane", "delete-control-plane"] as const),
];

function defaultAnswer(status: number, operation: OperationId | undefined): Answer {
  if (status < 400) return emptyAnswer(status);
  if (status === 500 && !WITHOUT_DETAIL.includes(operation)) {
    return problemAnswer(problem(status, { detail: "The service failed." }));
  }
  if (isDocumentedProblem(status)) return problemAnswer(problem(status));
  // An error that the service does not document comes from the gateway in front of it.
  return gatewayAnswer(
    status,
    status === 429 ? "API rate limit exceeded" : (STATUS_CODES[status] ?? "Error"),
  );
}
