import type { ProblemDocument } from "../service/problem-document.js";

/** A whole HTTP answer, ready to be sent. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when there is none. */
  readonly body: Buffer;
  /** The digits at the end of `instance`, when the body is a problem document. */
  readonly traceId: string | undefined;
}

/** 204: no body. */
export function noContent(): Answer {
  return { status: 204, headers: {}, body: Buffer.alloc(0), traceId: undefined };
}

/** A JSON body of any kind; a problem document's trace is taken from its `instance`. */
export function json(status: number, value: object, contentType = "application/json; charset=utf-8"): Answer {
  return {
    status,
    headers: { "content-type": contentType },
    body: Buffer.from(JSON.stringify(value)),
    traceId: traceIdOf(value),
  };
}

/** A problem document with its own media type. */
export function problemAnswer(document: ProblemDocument): Answer {
  return json(document.status, document, "application/problem+json");
}

/** What the gateway in front of the service says: plain JSON with a message, no problem document. */
export function gatewayMessage(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Answer {
  const answer = json(status, { message });
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function traceIdOf(value: object): string | undefined {
  const instance = "instance" in value ? value.instance : undefined;
  // Only what looks like a correlation identifier is logged: a scripted body can hold anything, even a token.
  return typeof instance === "string" ? /:(\d+)$/.exec(instance)?.[1] : undefined;
}
