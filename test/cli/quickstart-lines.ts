import { stripVTControlCharacters } from "node:util";

/**
 * Returns the lines of a text that a quickstart printed, in a form that is the same in every run.
 *
 * Ports, traces, times and the width of columns differ from run to run. Empty lines and the marks of omitted lines do not
 * count.
 */
export function comparableLines(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) =>
      line
        .replace(/127\.0\.0\.1:\d+…?/g, "127.0.0.1:PORT")
        .replace(/\bkonnect:trace:\d+/g, "konnect:trace:N")
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, "DATE")
        .replace(/\b\d+(\.\d)? ?s\b/g, "N s")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => line !== "" && line !== "⋮");
}

/** Returns the lines of a text that an output does not have, or has less often than the text. */
export function linesMissingIn(output: string, text: string): readonly string[] {
  const left = [...comparableLines(output)];
  return comparableLines(text).filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
