import type { Readable } from "node:stream";

/** A problem document and a control plane are far smaller. */
const DEFAULT_MAX_BYTES = 64 * 1024;

/** The text of a body, and how the reading ended. */
export interface Body {
  readonly text: string;
  readonly end: "complete" | "too large" | "broken off";
}

/** Reads a body up to the limit. Never rejects: axios ends the stream with an error when the request's signal aborts. */
export async function readBody(stream: Readable, maxBytes = DEFAULT_MAX_BYTES): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) return { text: decode(chunks, maxBytes), end: "too large" }; // ends the connection, too
    }
    return { text: decode(chunks, maxBytes), end: "complete" };
  } catch {
    return { text: decode(chunks, maxBytes), end: "broken off" };
  }
}

function decode(chunks: readonly Buffer[], maxBytes: number): string {
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
}
