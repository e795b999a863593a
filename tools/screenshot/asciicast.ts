/** A recording of a terminal, in the format asciicast v2 (docs.asciinema.org/manual/asciicast/v2). */
export interface Asciicast {
  readonly columns: number;
  /** What was printed, line by line, with the terminal's escape sequences. */
  readonly lines: readonly string[];
}

/** Renders a recording. Each line is an event of its own, so that a change of one line is a small difference. */
export function renderAsciicast({ columns, lines }: Asciicast): string {
  const header = { version: 2, width: columns, height: lines.length };
  const events = lines.map((line, index) => [0, "o", index === 0 ? line : `\r\n${line}`]);
  return [header, ...events].map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Parses a recording. Throws when the text is none, or when it has no width. */
export function parseAsciicast(text: string): Asciicast {
  const [header, ...events] = text
    .trimEnd()
    .split("\n")
    .map((row): unknown => JSON.parse(row));
  const { version, width } = header as { readonly version?: unknown; readonly width?: unknown };
  if (version !== 2 || typeof width !== "number") throw new Error("this is no asciicast v2 with a width");
  const printed = events.map((event) => {
    if (Array.isArray(event) && event[1] === "o" && typeof event[2] === "string") return event[2];
    throw new Error(`this is no output event of an asciicast: ${JSON.stringify(event)}`);
  });
  return { columns: width, lines: printed.join("").split("\r\n") };
}
