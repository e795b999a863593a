import { harmless } from "./foreign-text.js";

/** A message in three parts: one line that does alone, what was said, and facts in rows. */
export interface Message {
  readonly headline: string;
  /** Lines that are harmless already. */
  readonly explanation: readonly string[];
  /** Name and value; rows without a value are left out. */
  readonly rows: readonly (readonly [name: string, value: string | undefined])[];
}

const NAME_WIDTH = 10;

/** Renders a message as plain text, indented below its first line. */
export function renderMessage({ headline, explanation, rows }: Message): string {
  const facts = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name.padEnd(NAME_WIDTH)}${harmless(value, 400)}`],
  );
  const said = explanation.map((line) => `  ${line}`);
  return [headline, ...said, ...(facts.length > 0 ? ["", ...facts] : [])].join("\n");
}
