import type { IncomingMessage } from "node:http";

/** A request as the operations see it. */
export interface Incoming {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stands in the place of the control plane's id, valid or not; undefined when the path has no such place. */
  readonly id: string | undefined;
  /** The whole Authorization header. */
  readonly authorization: string | undefined;
}

const collection = "/v2/control-planes";

/** Reads the request line and headers; the body is not touched. */
export function readIncoming(request: IncomingMessage): Incoming {
  const target = request.url ?? "/";
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(queryAt < 0 ? "" : target.slice(queryAt + 1)),
    id: idIn(path),
    authorization: request.headers.authorization,
  };
}

/** Whether the path is that of the collection. */
export function isCollection(path: string): boolean {
  return path === collection;
}

function idIn(path: string): string | undefined {
  if (!path.startsWith(`${collection}/`)) return undefined;
  const segment = path.slice(collection.length + 1);
  if (segment === "" || segment.includes("/")) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Reads the whole request body; undefined when there is none. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return body.length === 0 ? undefined : body;
}
