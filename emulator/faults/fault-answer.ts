import { gatewayMessage, json, noContent, problemAnswer, type Answer } from "../http/http-answer.js";
import type { Fault } from "./fault.js";
import { isDocumentedProblem, problem } from "../service/problem-document.js";
import { STATUS_CODES } from "node:http";

/** The answer that a fault makes, from the real one when it scripts none. */
export function answerOfFault(fault: Fault, real: Answer | undefined): Answer {
  const answer = real ?? scriptedAnswer(fault.status ?? 200, fault.body);
  const headers = Object.entries(fault.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...answer,
    headers: { ...answer.headers, ...(Object.fromEntries(headers) as Record<string, string>) },
  };
}

function scriptedAnswer(status: number, body: Fault["body"]): Answer {
  if (body === undefined) return defaultAnswer(status);
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status, headers, body: Buffer.from(body), traceId: undefined };
  }
  return status < 400 ? json(status, body) : json(status, body, "application/problem+json");
}

function defaultAnswer(status: number): Answer {
  if (status < 400) return { ...noContent(), status };
  if (isDocumentedProblem(status)) return problemAnswer(problem(status));
  // What the service does not document comes from the gateway in front of it.
  return gatewayMessage(
    status,
    status === 429 ? "API rate limit exceeded" : (STATUS_CODES[status] ?? "Error"),
  );
}
