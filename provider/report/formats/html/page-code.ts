import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Code that is embedded in the page, and the source expression with which its Content-Security-Policy allows it. */
export interface PageCode {
  readonly code: string;
  readonly source: string;
}

/** Reads the style sheet or the script of the page. */
export function readPageCode(file: "page.css" | "page.js"): PageCode {
  // A browser reads every line break as a line feed before it computes the hash.
  const code = readFileSync(path.join(__dirname, file), "utf8").replace(/\r\n?/g, "\n");
  return { code, source: `'sha256-${createHash("sha256").update(code).digest("base64")}'` };
}
