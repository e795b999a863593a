import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { TokenFile } from "./setting-sources.js";

const MAX_FILE_BYTES = 64 * 1024;

/**
 * Reads a token file. It must be a regular file of at most 64 KiB: a FIFO would block the process, and a device would
 * never end.
 *
 * @throws an Error whose `code` says what is wrong
 */
export function readTokenFile(path: string): TokenFile {
  // Without O_NONBLOCK, opening a FIFO waits for a writer. Windows does not know the flag.
  const file = openSync(
    path,
    process.platform === "win32" ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK,
  );
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw withCode("not a regular file");
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    if (length > MAX_FILE_BYTES) throw withCode("larger than 64 KiB");
    return {
      text: buffer.toString("utf8", 0, length),
      isReadableByOthers: process.platform !== "win32" && (stats.mode & constants.S_IROTH) !== 0,
    };
  } finally {
    closeSync(file);
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error("an unusable token file"), { code });
}
