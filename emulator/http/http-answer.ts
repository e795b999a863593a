import type { ProblemDocument } from "../service/problem-document.js";

/** A complete HTTP answer. */
export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Zero bytes if the answer has no body. */
  readonly body: Buffer;
  /** The digits at the end of `instance` if the body is a problem document. */
  readonly traceId: string | undefined;
}

/** Returns an answer without a body and without headers. */
export function emptyAnswer(status: number): Answer {
  return { status, headers: {}, body: Buffer.alloc(0), traceId: undefined };
}

/** Returns an answer with a JSON body. */
export function jsonAnswer(
  status: number,
  value: object,
  contentType = "application/json; charset=utf-8",
): Answer {
  return {
    status,
    headers: { "content-type": contentType },
    body: Buffer.from(JSON.stringify(value)),
    traceId: traceIdOf(value),
  };
}

/** Returns a problem document as an answer, with the media type of problem documents. */
export function problemAnswer(document: ProblemDocument): Answer {
  return jsonAnswer(document.status, document, "application/problem+json");
}

/** Returns an answer of the gateway in front of the service: JSON with a message, not a problem document. */
export function gatewayAnswer(status: number, message: string, headers: Record<string, string> = {}): Answer {
  const answer = jsonAnswer(status, { message });
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function traceIdOf(value: object): string | undefined {
  const instance = "instance" in value ? value.instance : undefined;
  // A scripted body may hold anything, even a token. Only digits may reach the request log.
  return typeof instance === "string" ? /:(\d+)$/.exec(instance)?.[1] : undefined;
}
