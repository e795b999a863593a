import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/** A person who watches sees no delay, and a read of a file that has not grown costs microseconds. */
const EVERY_MS = 100;

const CHUNK_BYTES = 64 * 1024;

/**
 * Calls back with each line of a growing file, without its line break, soon after the line is complete. Watching the file
 * would not work on every file system, so it is read again and again.
 *
 * @returns a function that reads what is left and ends the calls. It throws the exception with which `onLine` ended them.
 */
export function followLines(file: string, onLine: (line: string) => void): () => void {
  const opened = openSync(file, "r");
  const decoder = new StringDecoder("utf8");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let position = 0;
  let unfinished = "";
  let failure: { readonly error: unknown } | undefined;

  const readMore = () => {
    if (failure !== undefined) return;
    try {
      for (;;) {
        const size = readSync(opened, chunk, 0, CHUNK_BYTES, position);
        if (size === 0) return;
        position += size;
        const lines = (unfinished + decoder.write(chunk.subarray(0, size))).split("\n");
        unfinished = lines.pop() ?? "";
        lines.forEach(onLine);
      }
    } catch (error) {
      // Thrown from a timer, it would end the process.
      failure = { error };
    }
  };

  const timer = setInterval(readMore, EVERY_MS);
  return () => {
    clearInterval(timer);
    readMore();
    closeSync(opened);
    if (failure !== undefined) throw failure.error;
  };
}
