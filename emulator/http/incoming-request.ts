import type { IncomingMessage } from "node:http";
import type { OperationId } from "../service/operation-id.js";
import { BASE_PATH, matchPath } from "./path-template.js";

/** The requests that an operation serves. */
export interface RequestPattern {
  readonly operationId: OperationId;
  readonly method: string;
  /** A template such as "/control-planes/{id}", which begins after the base path. */
  readonly path: string;
}

/** The head of a request. */
export interface IncomingRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path segment in the place of `{id}`, valid or not. Undefined if the path has no such place. */
  readonly id: string | undefined;
  /** The operation that serves the request. Undefined if the emulator has none for its method and path. */
  readonly operationId: OperationId | undefined;
  /** The whole Authorization header. */
  readonly authorization: string | undefined;
  /** The whole Content-Type header. */
  readonly contentType: string | undefined;
}

/** Reads the request line and the headers. Takes the id from the first pattern whose path matches. */
export function readIncomingRequest(
  request: IncomingMessage,
  patterns: readonly RequestPattern[],
): IncomingRequest {
  const target = request.url ?? "/";
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const method = request.method ?? "GET";
  const matching = patterns.filter((pattern) => matchPath(`${BASE_PATH}${pattern.path}`, path) !== undefined);
  const [first] = matching;
  return {
    method,
    path,
    query: new URLSearchParams(queryAt < 0 ? "" : target.slice(queryAt + 1)),
    id: first && matchPath(`${BASE_PATH}${first.path}`, path)?.id,
    operationId: matching.find((pattern) => pattern.method === method)?.operationId,
    authorization: request.headers.authorization,
    contentType: request.headers["content-type"],
  };
}

/** Reads the whole body. Returns undefined if it is empty. Rejects if the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return body.length === 0 ? undefined : body;
}
