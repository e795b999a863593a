import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../tools/repository.js";

/** A symptom of docs/runbook.md: its heading, and the messages that the page quotes for it. */
export interface Symptom {
  readonly heading: string;
  /** The text of each quoted block, without its fence. */
  readonly quotes: readonly string[];
}

/** Produces what a person reads, by the heading of the symptom: one text for each quote of the page, in their order. */
export type Messages = Readonly<Record<string, readonly (() => string | Promise<string>)[]>>;

/** Who prints the messages of a part of the page: this package, or Pulumi and Node. */
export type Part = "this package" | "Pulumi and Node";

/** The heading over the messages that Pulumi and Node print. */
const OF_PULUMI = "Messages of Pulumi and Node";

/** Reads the symptoms of one part of docs/runbook.md, in the order of the page. */
export function readRunbook(part: Part): readonly Symptom[] {
  const page = readFileSync(path.join(ROOT, "docs/runbook.md"), "utf8");
  return page
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.startsWith(`${OF_PULUMI}\n`) === (part === "Pulumi and Node"))
    .flatMap((section) => section.split(/^### /m).slice(1))
    .map((text) => ({
      heading: text.slice(0, text.indexOf("\n")),
      quotes: [...text.matchAll(/^```\n([^]*?)\n```$/gm)].map(([, quote = ""]) => quote),
    }));
}

/** What stands for a placeholder of the page. A placeholder that is not listed here is a mistake. */
const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ["<id>", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"],
  ["<trace>", "\\w+:trace:\\w+"],
  ["<duration>", "(?:\\d+ min )?[\\d.]+ s"],
  ["<time>", "\\d\\d:\\d\\d:\\d\\d"],
  ["<n>", "\\d+"],
  ["<version>", "\\d+\\.\\d+\\.\\d+"],
  ["<path>", "/\\S+"],
  // This one stands in the message itself.
  ["<urn>", "<urn>"],
  ["<address>", "https?://\\S+/v2"],
]);

/**
 * Whether a text has a quote of the page: the same lines one after the other. A line with `…` alone stands for any number
 * of lines. At the beginning or the end of a line, it stands for the rest of the line.
 *
 * @throws Error when the quote has an unknown placeholder
 */
export function isQuoteOf(quote: string, text: string): boolean {
  const lines = quote
    .split("\n")
    .map((line) => (line.trim() === "…" ? "(?:.*\\n)*?" : `${patternOf(line)}\\n`));
  return new RegExp(`^${lines.join("")}`, "m").test(`${text}\n`);
}

function patternOf(line: string): string {
  const [, begin = "", middle = "", end = ""] = /^(… )?(.*?)( …)?$/.exec(line) ?? [];
  if (begin !== "" || end !== "") {
    return `${begin === "" ? "" : ".*"}${patternOf(middle)}${end === "" ? "" : ".*"}`;
  }
  const parts = line.split(/(<[a-z ]+>)/);
  return parts
    .map((part, at) => {
      if (at % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      const pattern = PLACEHOLDERS.get(part);
      if (pattern === undefined) throw new Error(`unknown placeholder ${part} in: ${line}`);
      return pattern;
    })
    .join("");
}
