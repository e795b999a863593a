import type { IncomingMessage } from "node:http";
import { matchPath } from "./path-template.js";

/** The head of a request. */
export interface IncomingRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path segment in the place of `{id}`, valid or not. Undefined if the path has no such place. */
  readonly id: string | undefined;
  /** The whole Authorization header. */
  readonly authorization: string | undefined;
}

/** Reads the request line and the headers. Takes the id from the first path template that matches. */
export function readIncomingRequest(
  request: IncomingMessage,
  pathTemplates: readonly string[],
): IncomingRequest {
  const target = request.url ?? "/";
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(queryAt < 0 ? "" : target.slice(queryAt + 1)),
    id: idIn(path, pathTemplates),
    authorization: request.headers.authorization,
  };
}

/** Reads the whole body. Returns undefined if it is empty. Rejects if the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return body.length === 0 ? undefined : body;
}

function idIn(path: string, pathTemplates: readonly string[]): string | undefined {
  for (const template of pathTemplates) {
    const values = matchPath(template, path);
    if (values !== undefined) return values.id;
  }
  return undefined;
}
