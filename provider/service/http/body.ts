import type { Readable } from "node:stream";

/** Bodies are read up to this size; a problem document is far smaller. */
const MAX_BODY_BYTES = 64 * 1024;

/** The text of a body, and how the reading ended. */
export interface Body {
  readonly text: string;
  readonly end: "complete" | "too large" | "broken off";
}

/** Reads a body up to the limit. Never rejects: axios ends the stream with an error when the request's signal aborts. */
export async function readBody(stream: Readable): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return { text: decode(chunks), end: "too large" }; // ends the connection, too
    }
    return { text: decode(chunks), end: "complete" };
  } catch {
    return { text: decode(chunks), end: "broken off" };
  }
}

function decode(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString("utf8");
}
